import type { Answer } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';

type NumberWriter = (value: number) => string;

/** Maximum number of decimals to detect in the server's texts. */
const MAX_DECIMALS = 6;

const writers = new WeakMap<Answer, Map<number, NumberWriter | undefined>>();

/**
 * Writes a number that is no cell, such as an expected value, like the cells of its column: with their unit, decimals
 * and separators. Where these cannot be detected, it writes two decimals by locale.
 */
export function writeLikeCells(value: number, answer: Answer, position: number, formats: Formats): string {
  const answerWriters = writers.get(answer) ?? new Map<number, NumberWriter | undefined>();
  writers.set(answer, answerWriters);
  if (!answerWriters.has(position)) answerWriters.set(position, detectNumberFormat(answer, position));
  return answerWriters.get(position)?.(value) ?? formats.number(value, { maximumFractionDigits: 2 });
}

function detectNumberFormat(answer: Answer, position: number): NumberWriter | undefined {
  // The largest number has the most digits, and shows the thousands separator.
  const largest = answer.rows.reduce<{ number: number; text: string } | undefined>((largest, row) => {
    const { number, text } = row[position] ?? {};
    return number !== undefined && text !== undefined && number > (largest?.number ?? 0) ? { number, text } : largest;
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
