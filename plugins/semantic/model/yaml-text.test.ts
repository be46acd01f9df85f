import { expect, test } from 'vitest';
import { cpuMillis } from '../../../router/testing/cpu-millis.ts';
import { readYaml } from './yaml-text.ts';

const ATTEMPTS = 5;

/**
 * Returns the least processor time of several attempts to read a text, in milliseconds. A busy machine delays some
 * attempts, but not all.
 */
function cost(text: string, enough = 0): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least > enough; attempt += 1) {
    least = Math.min(
      least,
      cpuMillis(() => readYaml(text)),
    );
  }
  return least;
}

const keys = (count: number) => Array.from({ length: count }, (_, index) => `key${index}: 1`).join('\n');

test('the time for a map of many keys is linear in its length', () => {
  const few = cost(keys(2_000));
  expect('root' in readYaml(keys(20_000))).toBe(true);
  // A text ten times as long would take a hundred times as long if each key were compared with every other one.
  expect(cost(keys(20_000), 40 * few)).toBeLessThan(40 * few);
});

test('a repeated key of a map is reported with its line', () => {
  const read = readYaml('a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n');
  expect(read).toMatchObject({
    problems: [{ line: 5, severity: 'error', message: expect.stringContaining('unique') }],
  });
});

test.each([
  ['lists inside each other', '['.repeat(20_000)],
  ['lists inside each other that close', `a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ['lists inside each other by dashes', `${'- '.repeat(5_000)}a`],
  ['JSON inside each other', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
  ['a few too many maps inside each other', `a: ${'{a: '.repeat(101)}1${'}'.repeat(101)}`],
  ['maps inside each other', Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  [
    'aliases of aliases',
    `a: &a [x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: [${'*a, '.repeat(30)}]`).join('\n')}`,
  ],
  ['merged maps', `%YAML 1.1\n---\na: &a {k: 1}\nb:\n${'  - {<<: *a}\n'.repeat(1_000)}`],
  ['quotes that do not close', `${'a: "x\ny"\n'.repeat(60)}${'# comment\n'.repeat(2_000)}`],
])('%s end as a problem of the document, soon', (_what, text) => {
  expect('problems' in readYaml(text)).toBe(true);
  // A map as long is read in less than a tenth of that; what grows with the square takes minutes.
  const limit = 400 * cost(keys(2_000));
  expect(cost(text, limit)).toBeLessThan(limit);
});

test('a hundred maps inside each other are read', () => {
  const read = readYaml(`a: ${'{a: '.repeat(99)}1${'}'.repeat(99)}`);
  expect('root' in read).toBe(true);
});
