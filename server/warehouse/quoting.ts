import { ValidationError } from '../../router/errors.ts';

/**
 * Refuses names with a character that no engine stores: NUL ends a text in C, and an unpaired surrogate becomes another character in UTF-8, so the
 * name would change.
 */
export function checkedName(name: string): string {
  if (name === '' || name.includes('\0') || /\p{Surrogate}/u.test(name)) {
    throw ValidationError.at(
      ['name'],
      'A name in a warehouse must not be empty, and must not contain the character NUL or an unpaired surrogate.',
    );
  }
  return name;
}

/** Quotes the name in double quotes of standard SQL (ISO 9075-2, delimited identifier): a quote inside is doubled. */
export function inDoubleQuotes(name: string): string {
  return `"${checkedName(name).replaceAll('"', '""')}"`;
}

/** Quotes a text constant of standard SQL, in which only the quote is special. */
export function inSingleQuotes(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes a text constant where a backslash begins an escape. */
export function inEscapingQuotes(text: string): string {
  return inSingleQuotes(text.replaceAll('\\', '\\\\'));
}

/** Converts the bytes of a `Scalar` from base64 to hexadecimal digits. */
export function hexOfBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('hex');
}

/** Writes a year beyond 9999 as engines do: `+012024-02-03` has the year 12024. */
export function withPlainYear(text: string): string {
  return text.replace(/^\+0*(?=\d{5,}-\d\d-\d\d)/, '');
}
