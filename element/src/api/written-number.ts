/** A number found in the text that the server wrote for it. */
export interface WrittenNumber {
  /** The text before and after the digits. */
  readonly before: string;
  readonly after: string;
  /** The digits as they are written: `109,000.50`. */
  readonly run: string;
  /** The digits without a sign, with `.` as the decimal sign: `109000.50`. */
  readonly digits: string;
  readonly decimals: number;
  /** Whether the text separates thousands. */
  readonly isGrouped: boolean;
  /** Written number divided by the value: 1, 100 for a share in per cent, 0.000001 for `1.2M`. */
  readonly scale: number;
}

/** Digits with their separators; a space may separate them, or stand before a number: `Store 2 1,234.5`. */
const DIGITS = [/\d(?:[\d.,'’\u00a0\u202f ]*\d)?/g, /\d(?:[\d.,'’\u00a0\u202f]*\d)?/g];
const SCALES = [1, 100, 1e-3, 1e-6, 1e-9, 1e-12];

/**
 * Finds a value in its text, in any notation: `€1,234.50`, `1.234,50 €`, `12.3 %`, `1.2M`. The value decides which sign
 * separates decimals. Returns undefined where the text is not this value, rounded.
 */
export function readWrittenNumber(text: string, value: number): WrittenNumber | undefined {
  for (const { 0: run, index } of DIGITS.flatMap((each) => [...text.matchAll(each)])) {
    const [before, after] = [text.slice(0, index), text.slice(index + run.length)];
    for (const [whole, fraction] of splits(run)) {
      const digits = `${whole.replace(/\D/g, '')}${fraction && `.${fraction}`}`;
      const scale = SCALES.find((each) => isRounded(Number(digits), Math.abs(value) * each, fraction.length));
      if (scale === undefined || (scale < 1 && !/^[\s\u00a0]?\p{L}/u.test(after))) continue;
      return { before, after, run, digits, decimals: fraction.length, isGrouped: /\D/.test(whole), scale };
    }
  }
  return undefined;
}

/** Lists the ways to divide written digits into whole digits and decimals. */
function splits(run: string): readonly (readonly [whole: string, fraction: string])[] {
  const last = Math.max(run.lastIndexOf('.'), run.lastIndexOf(','));
  const whole = [run, ''] as const;
  const withDecimals = [run.slice(0, last), run.slice(last + 1)] as const;
  return last < 0
    ? [whole]
    : [whole, withDecimals].filter(([digits, fraction]) => isGrouped(digits) && !/\D/.test(fraction));
}

/** Returns whether digits are separated as whole numbers are, if at all: `1,234,567`, `12,34,567`. */
function isGrouped(digits: string): boolean {
  return /^\d+$|^\d{1,3}([.,'’\u00a0\u202f ])(?:\d{2,3}\1)*\d{3}$/.test(digits);
}

function isRounded(written: number, value: number, decimals: number): boolean {
  return Math.abs(written - value) <= 0.500001 * 10 ** -decimals + value * 1e-12;
}
