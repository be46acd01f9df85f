import { ValidationError } from '../../router/errors.ts';

/**
 * Text without a character that no engine can hold in a name: NUL ends the text in C, and half of a surrogate pair
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

/** The name between double quotes, as standard SQL has it (ISO 9075-2, delimited identifier): a quote inside is doubled. */
export function inDoubleQuotes(name: string): string {
  return `"${checkedName(name).replaceAll('"', '""')}"`;
}

/** A text constant of standard SQL, in which only the quote is special. */
export function inSingleQuotes(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A text constant where a backslash begins an escape. */
export function inEscapingQuotes(text: string): string {
  return inSingleQuotes(text.replaceAll('\\', '\\\\'));
}

/** The bytes that `Scalar` has in base64, as hexadecimal digits. */
export function hexOfBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('hex');
}
