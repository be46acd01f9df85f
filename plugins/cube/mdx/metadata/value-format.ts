import { formatValue as format } from '../../format/format.ts';
import type { Value } from './value.ts';

/** Returns a cell's value as it is shown. Empty is the empty text but for a format that says otherwise; true and false are written so whatever the format. */
export function formatValue(value: Value, pattern: string, locale = 'en-US'): string {
  if (typeof value === 'boolean') return String(value);
  return format(value === 0 ? 0 : value, pattern, locale);
}
