import type { Locale } from './locale.ts';

/**
 * Returns the named formats, by their lower-case name, as formats of the language. `Standard` is without decimals: the
 * conformance cases show so, though Visual Basic's own has two.
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
    case 'yes/no':
      return '"Yes";"Yes";"No";"No"';
    case 'true/false':
      return '"True";"True";"False";"False"';
    case 'on/off':
      return '"On";"On";"Off";"Off"';
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
