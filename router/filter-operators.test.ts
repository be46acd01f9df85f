import { expect, it } from 'vitest';
import { TreeCopy } from '../scripts/testing/tree-copy.ts';
import { FILTER_OPERATOR_NAMES, operatorsOf } from './filter-operators.ts';

it('every operator has one arity', () => {
  const byArity = (['none', 'one', 'two', 'list', 'period'] as const).flatMap((arity): readonly string[] =>
    operatorsOf(arity),
  );
  expect(byArity.toSorted()).toEqual([...FILTER_OPERATOR_NAMES].toSorted());
  expect(operatorsOf('two')).toEqual(['BETWEEN']);
});

it('a new operator does not compile until each place that gives operators a meaning has it', () => {
  const tree = new TreeCopy('added-filter-operator', ['router', 'plugins']);
  const surfaces = ['semantic', 'cube', 'embed'].map((name) => `plugins/${name}/index.ts`);
  expect(tree.errorsIn(surfaces)).toEqual([]);
  tree.replace('router/filter-operators.ts', '} as const satisfies', "  LIKE: { arity: 'one' },\n} as const satisfies");
  expect(tree.errorsIn(surfaces)).toEqual([
    expect.stringMatching(
      /^plugins\/cube\/query\/resolve\/runtime-filters\.ts: Function lacks ending return statement/,
    ),
    // In each language of files.
    ...Array.from({ length: 4 }, () =>
      expect.stringMatching(/^plugins\/files\/words\.ts: Property 'LIKE' is missing in type/),
    ),
    expect.stringMatching(/^plugins\/semantic\/query\/resolve\/predicates\.ts: Property 'LIKE' is missing in type/),
    expect.stringMatching(/^plugins\/semantic\/query\/resolve\/predicates\.ts: .* can't be used to index type/),
  ]);
}, 300_000);
