/** Marks the words of these pages for translation. */
export const msg = (text: string): string => text;
export const str = (strings: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  String.raw({ raw: strings }, ...values);
