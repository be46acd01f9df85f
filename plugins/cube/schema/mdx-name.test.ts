import { expect, it } from 'vitest';
import { bracketedNames, quoteName, segmentsOf } from './mdx-name.ts';

it.each<readonly [string, readonly string[] | undefined]>([
  ['[Store]', ['Store']],
  ['[Time.Weekly].[1997]', ['Time.Weekly', '1997']],
  ['[a]]b] . [c]', ['a]b', 'c']],
  ['All Media', ['All Media']],
  ['Measures.[Unit Sales]', ['Measures', 'Unit Sales']],
  ['[Store].&[3]', ['Store', '3']],
  ['[Store].&[3]&[4]', ['Store', '3', '4']],
  ['[]', ['']],
  ['[Store].[CA', undefined],
  ['[Store].', undefined],
  ['[Store][CA]', undefined],
  ['', undefined],
])('%s has the segments %o', (name, segments) => {
  expect(segmentsOf(name)).toEqual(segments);
});

it('doubles a closing bracket in a name', () => {
  expect(quoteName('a]b')).toBe('[a]]b]');
});

it('finds the names in a formula', () => {
  expect(bracketedNames('([Measures].[Profit] - [x]]y]) / 2')).toEqual(['Measures', 'Profit', 'x]y']);
});
