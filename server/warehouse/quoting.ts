import { ValidationError } from '../../router/errors.ts';

/**
 * Text without a character that no engine can hold in a name: NUL ends the text in C, and half of a surrogate pair
 * turns into another character in UTF-8, so the name that is used would not be the name that was given.
 */
export function checkedName(name: string): string {
  if (name === '' || name.includes('\0') || /\p{Surrogate}/u.test(name)) {
    throw ValidationError.at(
      'name',
      'A name in a warehouse must not be empty, nor hold the character NUL or half of a surrogate pair.',
    );
  }
  return name;
}

/** The name between double quotes, as standard SQL has it (ISO 9075-2, delimited identifier): a quote inside is doubled. */
export function inDoubleQuotes(name: string): string {
  return `"${checkedName(name).replaceAll('"', '""')}"`;
}
