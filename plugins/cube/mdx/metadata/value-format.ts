import { type Formatter, formatterFor } from '../../format/format.ts';
import type { Value } from './value.ts';

/**
 * Returns a cell's value as it is shown. An empty value is shown as an empty text unless the format has a section for
 * it. `true` and `false` ignore the format.
 */
export function formatValue(value: Value, pattern: string, locale = 'en-US'): string {
  return shown(value, formatterFor(pattern, locale));
}

/** Returns the function that shows the values of one format as `formatValue` does. */
export function valueFormatter(pattern: string, locale: string): (value: Value) => string {
  const write = formatterFor(pattern, locale);
  return (value) => shown(value, write);
}

function shown(value: Value, write: Formatter): string {
  return typeof value === 'boolean' ? String(value) : write(value === 0 ? 0 : value);
}
