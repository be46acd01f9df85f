/**
 * Creates a template tag for the parts of the script form. The entry's Lit renders its results: every copy of Lit
 * recognizes a template by `_$litType$`, so no part needs a copy of its own.
 */
const createTemplateTag =
  (type: 1 | 2) =>
  (strings: TemplateStringsArray, ...values: readonly unknown[]) => ({ _$litType$: type, strings, values });

export const html = createTemplateTag(1);
export const svg = createTemplateTag(2);
export const nothing = Symbol.for('lit-nothing');
