import { ValidationError } from '../../router/errors.ts';

/**
 * Checks that a name has no character that no engine can hold: NUL ends the text in C, and half of a surrogate pair
 * turns into another character in UTF-8, so the name that is used would not be the name that was given.
 */
export function checkedName(name: string): string {
  if (name === '' || name.includes('\0') || /\p{Surrogate}/u.test(name)) {
    throw ValidationError.at(
      ['name'],
      'A name in a warehouse must not be empty, nor hold the character NUL or half of a surrogate pair.',
    );
  }
  return name;
}

/**
 * Quotes the name between double quotes, as standard SQL has it (ISO 9075-2, delimited identifier): a quote inside is
 * doubled.
 */
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

/** Converts the bytes that `Scalar` has in base64 to hexadecimal digits. */
export function hexOfBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('hex');
}

/** Writes a year beyond 9999 as engines do: of `+012024-02-03` it is 12024. */
export function withPlainYear(text: string): string {
  return text.replace(/^\+0*(?=\d{5,}-\d\d-\d\d)/, '');
}
