/** Attributes of users and keys as people type them: one attribute a line, `regions = South, North`. */
export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, readonly AttributeValue[]>>;

const NUMBER = /^-?\d+(\.\d+)?$/;
/** A value: a text in double quotes, in which a quote is written twice, or anything up to a comma. */
const VALUE = /\s*(?:"((?:[^"]|"")*)"|([^,"]*))\s*(,|$)/y;

/** Signals a line that cannot be read; the message names it. */
export class AttributeTextError extends Error {
  readonly line: number;

  constructor(line: number) {
    super();
    this.line = line;
  }
}

/**
 * Reads attributes. `3` is a number and `true` a truth value; in double quotes they are texts.
 *
 * @throws AttributeTextError
 */
export function parseAttributes(text: string): Attributes {
  const attributes: Record<string, readonly AttributeValue[]> = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const equals = line.indexOf('=');
    const name = line.slice(0, equals).trim();
    if (equals < 1 || name === '') throw new AttributeTextError(index + 1);
    attributes[name] = parseValues(line.slice(equals + 1).trim(), index + 1);
  }
  return attributes;
}

function parseValues(text: string, line: number): readonly AttributeValue[] {
  const values: AttributeValue[] = [];
  if (text === '') return values;
  for (let at = 0; ; ) {
    VALUE.lastIndex = at;
    const match = VALUE.exec(text);
    if (match === null) throw new AttributeTextError(line);
    const [whole, quoted, plain = '', end] = match;
    values.push(quoted === undefined ? parseValue(plain.trim()) : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (end !== ',') return values;
  }
}

function parseValue(text: string): AttributeValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return NUMBER.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/** Writes attributes so that `parseAttributes` reads the same values. */
export function formatAttributes(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, values]) => `${name} = ${values.map(formatValue).join(', ')}`.trimEnd())
    .join('\n');
}

function formatValue(value: AttributeValue): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = value !== '' && value === value.trim() && !/[",\n]/.test(value) && parseValue(value) === value;
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`;
}
