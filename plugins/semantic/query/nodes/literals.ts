import { momentText } from '../../../../router/calendar.ts';
import type { Parameter, ScalarType } from '../../../../router/capabilities/warehouse.ts';

/** A value as a caller wrote it. */
export type LiteralValue = string | number | boolean;

/**
 * Returns the value as a parameter of the field's own type, or a text that describes the expected value. A number field
 * compares as a number whatever the caller's quotes; a text field compares as text, exactly (`'007'` is not 7).
 */
export function literal(value: LiteralValue, type: ScalarType): Parameter | string {
  switch (type) {
    case 'integer':
    case 'decimal':
    case 'float':
      return number(value, type);
    case 'boolean':
      return boolean(value);
    case 'date':
      return pattern(value, 'date', DATE, isDay, 'a date such as 2024-12-31');
    case 'time':
      return pattern(value, 'time', TIME, isClock, 'a time such as 23:59:00');
    case 'timestamp':
      return pattern(value, 'timestamp', LOCAL, isInstant, 'a date and time such as 2024-12-31T23:59:00');
    case 'timestamptz':
      return zoned(value);
    case 'text':
    case 'json':
    case 'binary':
    case 'other':
      // PostgreSQL cannot store it; no engine may answer a request that another one refuses.
      if (String(value).includes('\u0000')) return 'text without the character U+0000';
      return LONE_SURROGATE.test(String(value)) ? 'text of whole characters' : { type: 'text', value: String(value) };
  }
}

/** Half of a surrogate pair, which no engine stores. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;
/** Twelve digits of a second are the most that an engine has; a column may have fewer, see `incomparableReason`. */
const CLOCK = String.raw`\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?`;
/** Years that are not of four digits have a sign and six, as ISO 8601 writes them. */
const DAY = String.raw`(?:\d{4}|[+-]\d{6})-\d{2}-\d{2}`;
const DATE = new RegExp(`^${DAY}$`);
const TIME = new RegExp(`^${CLOCK}$`);
const LOCAL = new RegExp(`^(${DAY})(?:[T ](${CLOCK}))?$`);
const ZONED = new RegExp(`^(${DAY})(?:[T ](${CLOCK})(Z|[+-]\\d{2}:?\\d{2})?)?$`, 'i');

function number(value: LiteralValue, type: 'integer' | 'decimal' | 'float'): Parameter | string {
  const text = typeof value === 'boolean' ? '' : String(value).trim();
  if (!NUMBER.test(text) || !Number.isFinite(Number(text))) return 'a number such as 42 or 3.14';
  if (type === 'float' || /e/i.test(text)) return { type: 'float', value: Number(text) };
  if (/^[+-]?\d+$/.test(text)) {
    const exact = BigInt(text.replace('+', ''));
    const fits = exact >= -(2n ** 63n) && exact < 2n ** 63n;
    const small = exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER);
    if (fits) return { type: 'integer', value: small ? Number(exact) : exact };
  }
  // A fraction may be compared with an integer field. It is bound exactly.
  return { type: 'decimal', value: text.replace('+', '') };
}

function boolean(value: LiteralValue): Parameter | string {
  const text = String(value).trim().toLowerCase();
  return text === 'true' || text === 'false' ? { type: 'boolean', value: text === 'true' } : 'true or false';
}

function pattern(
  value: LiteralValue,
  type: 'date' | 'time' | 'timestamp',
  shape: RegExp,
  exists: (text: string) => boolean,
  expected: string,
): Parameter | string {
  const text = String(value).trim();
  if (!shape.test(text) || !exists(text)) return expected;
  return { type, value: type === 'timestamp' ? isoInstant(text) : text };
}

function zoned(value: LiteralValue): Parameter | string {
  const expected = 'a date and time such as 2024-12-31T23:59:00Z; without a zone it is UTC';
  const [, day, clock, zone] = ZONED.exec(String(value).trim()) ?? [];
  if (day === undefined || !isDay(day) || (clock !== undefined && !isClock(clock))) return expected;
  const offset = zone === undefined || zone.toUpperCase() === 'Z' ? 'Z' : zone.replace(/^(.\d{2}):?(\d{2})$/, '$1:$2');
  const instant = `${day}T${withSeconds(clock ?? '00:00')}${offset}`;
  const millis = Date.parse(instant);
  if (Number.isNaN(millis)) return expected;
  if (offset === 'Z') return { type: 'timestamptz', value: instant };
  // An offset has whole minutes, so the fraction of a second is the same in UTC.
  const fraction = /\.\d+/.exec(clock ?? '')?.[0] ?? '';
  return { type: 'timestamptz', value: `${momentText(millis)}${fraction}Z` };
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isClock(text: string): boolean {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return hours < 24 && minutes < 60 && seconds < 60;
}

function isInstant(text: string): boolean {
  const [, day = '', clock = '00:00'] = LOCAL.exec(text) ?? [];
  return isDay(day) && isClock(clock);
}

function isoInstant(text: string): string {
  const [, day = '', clock = '00:00'] = LOCAL.exec(text) ?? [];
  return `${day}T${withSeconds(clock)}`;
}

function withSeconds(clock: string): string {
  return clock.length === 5 ? `${clock}:00` : clock;
}
