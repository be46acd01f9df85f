/** A sentence of the server, cut at its values: the texts around them. */
export type Sentence = readonly string[];

/** Reads a sentence with `{0}` for its first value. `scripts/locales.ts` finds the calls of this function. */
export function sentence(text: string): Sentence {
  return text.split(/\{\d\}/);
}

/**
 * Returns the values of a text that a sentence says, each at least one character; `undefined` where it does not. Its time
 * grows with the length of the text, also where that is a hostile file's.
 */
export function valuesIn(text: string, [start = '', ...parts]: Sentence): readonly string[] | undefined {
  const end = parts.pop();
  if (end === undefined) return text === start ? [] : undefined;
  if (!text.startsWith(start) || !text.endsWith(end)) return undefined;
  const values: string[] = [];
  let from = start.length;
  for (const part of parts) {
    const to = text.indexOf(part, from + 1);
    if (to < 0) return undefined;
    values.push(text.slice(from, to));
    from = to + part.length;
  }
  const last = text.slice(from, text.length - end.length);
  return last === '' || from > text.length - end.length ? undefined : [...values, last];
}
