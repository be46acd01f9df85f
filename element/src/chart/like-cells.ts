import type { Answer } from '../api/answer.ts';
import type { Formats } from '../formats.ts';

type NumberWriter = (value: number) => string;

/** Decimals that are looked for in the server's own texts. */
const MAX_DECIMALS = 6;

const writers = new WeakMap<Answer, Map<number, NumberWriter | undefined>>();

/**
 * Writes a number that is no cell, such as an expected value, as the server writes the cells of its column: with their
 * unit, decimals and separators. Where these cannot be read off the cells, by locale with two decimals.
 */
export function writeLikeCells(value: number, answer: Answer, position: number, formats: Formats): string {
  const ofAnswer = writers.get(answer) ?? new Map<number, NumberWriter | undefined>();
  writers.set(answer, ofAnswer);
  if (!ofAnswer.has(position)) ofAnswer.set(position, writerOf(answer, position));
  return ofAnswer.get(position)?.(value) ?? formats.number(value, { maximumFractionDigits: 2 });
}

function writerOf(answer: Answer, position: number): NumberWriter | undefined {
  // The largest has the most digits, and shows how thousands are grouped.
  const largest = answer.rows.reduce<{ number: number; text: string } | undefined>((found, row) => {
    const { number, text } = row[position] ?? {};
    return number !== undefined && text !== undefined && number > (found?.number ?? 0) ? { number, text } : found;
  }, undefined);
  const parts = /^(\D*)(\d(?:[\d.,'’\u00a0\u202f]*\d)?)(\D*)$/.exec(largest?.text ?? '');
  if (largest === undefined || parts === null) return undefined;
  const [, prefix = '', digits = '', suffix = ''] = parts;
  const scales = suffix.includes('%') ? [100, 1] : [1];
  for (const scale of scales) {
    for (let decimals = 0; decimals <= MAX_DECIMALS; decimals++) {
      if (digits.replace(/\D/g, '') !== (largest.number * scale).toFixed(decimals).replace('.', '')) continue;
      const point = decimals === 0 ? '' : digits.charAt(digits.length - decimals - 1);
      const whole = decimals === 0 ? digits : digits.slice(0, -decimals - 1);
      const group = /\D/.exec(whole)?.[0] ?? '';
      if (decimals > 0 && /\d/.test(point)) continue;
      return (value) => {
        const [integer = '', fraction = ''] = Math.abs(value * scale)
          .toFixed(decimals)
          .split('.');
        const isNegative = value < 0 && /[1-9]/.test(integer + fraction);
        const grouped = integer.replace(/\B(?=(\d{3})+$)/g, group);
        return `${isNegative ? '-' : ''}${prefix}${grouped}${fraction === '' ? '' : point + fraction}${suffix}`;
      };
    }
  }
  return undefined;
}
