import { formatValue as format } from '../../format/format.ts';
import type { Value } from './value.ts';

/**
 * Returns a cell's value as it is shown. An empty value is shown as an empty text unless the format has a section for
 * it. `true` and `false` ignore the format.
 */
export function formatValue(value: Value, pattern: string, locale = 'en-US'): string {
  if (typeof value === 'boolean') return String(value);
  return format(value === 0 ? 0 : value, pattern, locale);
}
