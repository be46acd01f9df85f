import type { Locale } from './locale.ts';

/** The named formats with two words, by lower-case name: for a value that is not 0, and for 0 or null. */
const WORDS: ReadonlyMap<string, readonly [not0: string, zero: string]> = new Map([
  ['yes/no', ['Yes', 'No']],
  ['true/false', ['True', 'False']],
  ['on/off', ['On', 'Off']],
]);

/** Returns the two words of a named format. They depend on the unrounded value: 0.1 is not 0. */
export function namedWords(name: string): readonly [not0: string, zero: string] | undefined {
  return WORDS.get(name.trim().toLowerCase());
}

/**
 * Returns the other named formats, by lower-case name, as formats of the language. `Standard` has no decimals, as
 * conformance cases require, although Visual Basic's has two.
 */
export function namedFormat(name: string, { currency }: Locale): string | undefined {
  const sign = `"${currency}"`;
  switch (name.trim().toLowerCase()) {
    case 'currency':
      return `${sign}#,##0.00;(${sign}#,##0.00)`;
    case 'standard':
      return '#,##0';
    case 'fixed':
      return '0.00';
    case 'percent':
      return '0.00%';
    case 'scientific':
      return '0.00E+00';
    case 'general date':
      return 'c';
    case 'long date':
      return 'dddddd';
    case 'medium date':
      return 'dd-mmm-yy';
    case 'short date':
      return 'ddddd';
    case 'long time':
      return 'ttttt';
    case 'medium time':
      return 'hh:nn AM/PM';
    case 'short time':
      return 'hh:nn';
    default:
      return undefined;
  }
}
