import { expect, test } from 'vitest';
import { readYaml } from './yaml-text.ts';

function timed(text: string) {
  const begun = performance.now();
  const read = readYaml(text);
  return { read, millis: performance.now() - begun };
}

const keys = (count: number) => Array.from({ length: count }, (_, index) => `key${index}: 1`).join('\n');

test('a map of many keys takes as long as its length says', () => {
  const few = timed(keys(2_000)).millis;
  const { read, millis } = timed(keys(20_000));
  expect('root' in read).toBe(true);
  // Ten times as long a text: a hundred times where each key is compared with every other one.
  expect(millis).toBeLessThan(Math.max(few, 50) * 40);
});

test('a key that stands in a map twice is told by its line', () => {
  const { read } = timed('a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n');
  expect(read).toMatchObject({
    problems: [{ line: 5, severity: 'error', message: expect.stringContaining('unique') }],
  });
});

test.each([
  ['lists inside each other', '['.repeat(20_000)],
  ['a few too many maps inside each other', `a: ${'{a: '.repeat(101)}1${'}'.repeat(101)}`],
  ['maps inside each other', Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  [
    'aliases of aliases',
    `a: &a [x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: [${'*a, '.repeat(30)}]`).join('\n')}`,
  ],
  ['merged maps', `%YAML 1.1\n---\na: &a {k: 1}\nb:\n${'  - {<<: *a}\n'.repeat(1_000)}`],
  ['quotes that do not close', `${'a: "x\ny"\n'.repeat(60)}${'# comment\n'.repeat(2_000)}`],
])('%s end as a problem of the document, soon', (_what, text) => {
  const { read, millis } = timed(text);
  expect('problems' in read).toBe(true);
  expect(millis).toBeLessThan(20_000);
});

test('a hundred maps inside each other are read', () => {
  const { read } = timed(`a: ${'{a: '.repeat(99)}1${'}'.repeat(99)}`);
  expect('root' in read).toBe(true);
});
