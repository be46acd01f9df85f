import type { Answer } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import { readLargest } from './labels.ts';

type NumberWriter = (value: number) => string;

/** Maximum number of decimals to write. */
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
  const written = readLargest(answer, position);
  if (written === undefined || written.scale < 1) return undefined;
  const { run, before, after, decimals, scale } = written;
  const point = decimals === 0 ? '' : run.charAt(run.length - decimals - 1);
  const group = /\D/.exec(decimals === 0 ? run : run.slice(0, -decimals - 1))?.[0] ?? '';
  return (value) => {
    const [integer = '', fraction = ''] = Math.abs(value * scale)
      .toFixed(Math.min(decimals, MAX_DECIMALS))
      .split('.');
    const isNegative = value < 0 && /[1-9]/.test(integer + fraction);
    const grouped = integer.replace(/\B(?=(\d{3})+$)/g, group);
    return `${isNegative ? '-' : ''}${before}${grouped}${fraction === '' ? '' : point + fraction}${after}`;
  };
}
