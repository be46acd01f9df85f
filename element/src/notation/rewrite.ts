import type { Cell, Column } from '../api/parse-answer.ts';
import { readWrittenNumber, type WrittenNumber } from '../api/written-number.ts';
import type { Formats } from '../formats.ts';

const PERCENT = /^[\s\u00a0\u202f]*[%٪]|[%٪][\s\u00a0\u202f]*$/;
/** The sign of a currency, such as `$`, `US$` or `€`. Codes such as `EUR` are units, which stay where they are. */
const CURRENCY_BEFORE = /([A-Z]{0,3}\p{Sc})[\s\u00a0]*$/u;
const CURRENCY_AFTER = /^[\s\u00a0]*(\p{Sc})/u;
/** Short forms of a thousand and more. */
const SHORT = /^[\s\u00a0]?(?:k|K|T|m|M|MM|Mio\.?|B|bn|Bn|G|Md|Mrd\.?|tn)(?![\p{L}])/u;
/** Whole digits of a short number at most: `1,200M` has no shorter form. */
const MAX_SHORT = 1_000;

/** Formatters by language tag and options. Creating one costs some hundred times as much as using it. */
const formatters = new Map<string, Intl.NumberFormat>();

/**
 * Writes a cell of a metric in the notation of `formats`: separators, digits, the places of the percent sign and of the
 * sign of a currency, short forms such as `Mio.`. Decimals and units are those of the server's text. A text that is not
 * the number of its cell stays.
 */
export function rewriteNumber({ text = '', number = 0 }: Cell, column: Column, formats: Formats): string {
  const written = readWrittenNumber(text, number);
  if (written === undefined) return text;
  const { digits } = written;
  const isNegative = number < 0 && /[1-9]/.test(digits);
  let { before, after } = written;
  const minus = /[-−](?=[^-−]*$)/;
  const hasMinus = isNegative && (minus.test(before) || /^[-−]/.test(after));
  if (hasMinus) [before, after] = minus.test(before) ? [before.replace(minus, ''), after] : [before, after.slice(1)];
  const hasPlus = before.includes('+');
  before = before.replace('+', '');

  const isPercent = PERCENT.test(after) || PERCENT.test(before);
  if (isPercent)
    [before, after] = PERCENT.test(after) ? [before, after.replace(PERCENT, '')] : [before.replace(PERCENT, ''), after];
  const sign = CURRENCY_BEFORE.exec(before)?.[1] ?? CURRENCY_AFTER.exec(after)?.[1];
  if (sign !== undefined) [before, after] = [before.replace(CURRENCY_BEFORE, ''), after.replace(CURRENCY_AFTER, '')];
  const isShort = written.scale < 1 && Number(digits) < MAX_SHORT && SHORT.test(after);
  if (isShort) after = after.replace(SHORT, '');

  const figure = write(
    written,
    { isPercent, isShort, sign, signDisplay: hasPlus ? 'always' : 'auto' },
    hasMinus,
    formats,
  );
  const unit = column.change === 'points' && after.trim() === 'points' ? pointsUnit(formats) : after;
  return `${before}${figure}${unit}`;
}

interface Style {
  readonly isPercent: boolean;
  readonly isShort: boolean;
  readonly sign: string | undefined;
  readonly signDisplay: 'always' | 'auto';
}

function write(
  { digits, decimals, isGrouped, scale }: WrittenNumber,
  { isPercent, isShort, sign, signDisplay }: Style,
  isNegative: boolean,
  { locale }: Formats,
): string {
  const whole = digits.length - (decimals && decimals + 1);
  const options: Intl.NumberFormatOptions = {
    ...(isPercent ? { style: 'percent' } : {}),
    ...(sign === undefined ? {} : { style: 'currency', currency: 'EUR' }),
    ...(isShort ? { notation: 'compact' } : {}),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    minimumIntegerDigits: digits.startsWith('0') ? Math.min(whole, 21) : 1,
    useGrouping: isGrouped || whole < 4,
    signDisplay,
  };
  const key = `${locale} ${JSON.stringify(options)}`;
  const formatter = formatters.get(key) ?? new Intl.NumberFormat(locale, options);
  formatters.set(key, formatter);
  // As text, because a double rounds a long decimal.
  const exponent = (isPercent ? -2 : 0) - (isShort ? Math.round(Math.log10(scale)) : 0);
  const exact = `${isNegative ? '-' : ''}${digits}${exponent === 0 ? '' : `e${exponent}`}`;
  return formatter
    .formatToParts(isNumberText(exact) ? exact : Number(exact))
    .map(({ type, value }) => (type === 'currency' ? (sign ?? value) : value))
    .join('');
}

function isNumberText(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text);
}

/**
 * Returns whether a text has the separators of the notation: `1,234.50 €` in English. Only in notations that separate as
 * English does, because the texts of the server do.
 */
export function hasSeparatorsOf({ text = '', number = 0 }: Cell, formats: Formats): boolean {
  const written = readWrittenNumber(text, number);
  if (written === undefined) return true;
  return write(written, PLAIN, false, formats) === written.run;
}

const PLAIN: Style = { isPercent: false, isShort: false, sign: undefined, signDisplay: 'auto' };

/** Returns the word for percentage points as it follows a number. */
function pointsUnit({ say }: Formats): string {
  return say('{0} points', '');
}

/** Writes the number of a dimension: its decimal sign only. A year or a number of a store is not grouped. */
export function rewriteDecimal(text: string, formats: Formats): string {
  const [whole = '', fraction] = text.split('.');
  if (fraction === undefined || !isNumberText(text)) return text;
  const decimal = formats.number(1.5, { minimumFractionDigits: 1 }).replace(/[\p{Nd}]/gu, '');
  return `${whole}${decimal}${fraction}`;
}
