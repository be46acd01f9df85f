/** Formats numbers by patterns such as `#,##0.00`, `0.0%` and `$#,##0`, followed by a unit. */
import type { Scalar, ScalarType } from '../../../../router/capabilities/warehouse.ts';
import { readOnce } from '../../../../router/read-once.ts';
import { shortDecimalWriter } from '../../../../router/short-decimal.ts';
import type { Display } from '../../model/extensions.ts';

/** Writes one metric value; `null` for a null. */
export type Formatter = (value: Exclude<Scalar, null>) => string;

const DEFAULT_PATTERN: Partial<Readonly<Record<ScalarType, string>>> = {
  integer: '#,##0',
  decimal: '#,##0.00',
  float: '#,##0.00',
};

/** Returns the formatter of a metric: its own pattern, else one by the type of its values. Made once for a column. */
export function formatterFor(display: Display, type: ScalarType): Formatter {
  const pattern = display.format ?? DEFAULT_PATTERN[type];
  const unit = display.unit === undefined ? '' : ` ${display.unit}`;
  const number = pattern === undefined ? undefined : numberFormatOf(pattern).write;
  return (value) => {
    const numeric = number === undefined ? undefined : numericOf(value);
    const text = number === undefined || numeric === undefined ? String(value) : number(numeric);
    return `${text}${unit}`;
  };
}

/** Reports whether a metric is a rate: it is written in per cent, by its pattern or by its unit. */
export function isRate({ format, unit }: Display): boolean {
  return unit?.trim() === '%' || format?.includes('%') === true;
}

/**
 * Returns the formatter of a difference of two values of a metric. The difference of two rates is in points: `-0.7 points`.
 */
export function differenceFormatterFor(display: Display, type: ScalarType): Formatter {
  if (!isRate(display)) return formatterFor(display, type);
  const isShare = display.format?.includes('%') === true;
  const format = display.format?.split(';')[0]?.replaceAll('%', '').trim();
  const write = formatterFor({ ...display, format, unit: 'points' }, type);
  return (value) => write(isShare ? Number(value) * 100 : value);
}

/** Returns the pattern with at least `decimals` decimals. */
export function withDecimals(pattern: string, decimals: number): string {
  return eachPart(pattern, (whole, fraction) => {
    return `${whole}.${fraction.padEnd(decimals, '0').replaceAll(/#(?=.*0)/g, '0')}`;
  });
}

/** Returns the pattern of whole numbers. */
export function withoutDecimals(pattern: string): string {
  return eachPart(pattern, (whole) => whole);
}

function eachPart(pattern: string, digits: (whole: string, fraction: string) => string): string {
  const change = (part: string) =>
    part.replace(/([#0,]*[#0]|(?=\.[#0]))(?:\.([#0]*))?/, (_, whole: string, fraction = '') => digits(whole, fraction));
  return pattern.split(';').map(change).join(';');
}

/** Exact decimals come as text; `Intl` reads their digits exactly. */
type Numeric = number | bigint | `${number}`;

function numericOf(value: Scalar): Numeric | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && isDecimalText(value) ? value : undefined;
}

function isDecimalText(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}

interface NumberFormat {
  /** Undefined where the pattern has no digits. */
  readonly write: ((value: Numeric) => string) | undefined;
}

/** Returns the format of a pattern. Making one of `Intl` takes longer than the rest of a small answer's shape. */
const numberFormatOf = readOnce((pattern): NumberFormat => ({ write: readPattern(pattern) }));

/**
 * Reads a pattern. Its digits decide grouping and decimals: `0` is a digit that is always written, `#` a digit that is
 * written where it is needed. Text before and after is copied without quotes; `%` multiplies by a hundred. If a pattern has
 * a part for negative numbers (`;`), its first part counts.
 */
function readPattern(pattern: string): NumberFormat['write'] {
  const [positive = ''] = pattern.split(';');
  const parts = /^([^#0,.]*)([#0,]*)(?:\.([#0]*))?([^#0]*)$/.exec(positive.replaceAll(/["']/g, ''));
  const [, before = '', whole = '', fraction = '', behind = ''] = parts ?? [];
  if (parts === null || whole + fraction === '') return undefined;
  const percent = `${before}${behind}`.includes('%');
  const isGrouped = whole.includes(',');
  const leastWhole = Math.min(Math.max([...whole].filter((digit) => digit === '0').length, 1), 21);
  const leastPlaces = Math.min([...fraction].filter((digit) => digit === '0').length, 20);
  const places = Math.min(fraction.length, 20);
  const intl = new Intl.NumberFormat('en-US', {
    style: percent ? 'percent' : 'decimal',
    useGrouping: isGrouped,
    minimumIntegerDigits: leastWhole,
    minimumFractionDigits: leastPlaces,
    maximumFractionDigits: places,
  });
  const digits = { leastWhole, leastPlaces, places, scale: percent ? 2 : 0, group: isGrouped ? ',' : '' };
  const short = shortDecimalWriter({ ...digits, point: '.', keepsPoint: false });
  const prefix = before.replace('%', '');
  const suffix = behind.replace('%', '');
  const ending = `${percent ? '%' : ''}${suffix}`;
  return (value) => {
    if (typeof value === 'number') {
      const text = short(Math.abs(value));
      if (text !== undefined) return `${value < 0 ? '-' : ''}${prefix}${text}${ending}`;
    }
    const text = intl.format(value);
    const isNegative = text.startsWith('-') && prefix !== '';
    // The sign comes before a currency, and a rounded zero has none.
    const signed = isNegative ? `-${prefix}${text.slice(1)}` : `${prefix}${text}`;
    return `${/[1-9]/.test(signed) ? signed : signed.replace('-', '')}${suffix}`;
  };
}
