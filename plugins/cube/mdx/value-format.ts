import { formatValue as format } from '../format/format.ts';
import type { Value } from './catalog/member.ts';

/** A cell's value as it is shown. Empty is the empty text; true and false are written so whatever the format. */
export function formatValue(value: Value, pattern: string, locale = 'en-US'): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return String(value);
  return format(value === 0 ? 0 : value, pattern, locale);
}
