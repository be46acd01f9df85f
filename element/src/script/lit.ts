/**
 * Makes a template tag: what the parts of the script form use of Lit, results that the Lit of the entry renders. By
 * their mark any copy of Lit knows them, so no part has to bring another along.
 */
const template =
  (type: 1 | 2) =>
  (strings: TemplateStringsArray, ...values: readonly unknown[]) => ({ _$litType$: type, strings, values });

export const html = template(1);
export const svg = template(2);
export const nothing = Symbol.for('lit-nothing');
