import { expect, test } from 'vitest';
import { pathOf, placeOf } from './address.ts';
import { neighbour } from './diagram-layout.ts';
import { problemsOf } from './problems.ts';

test('a place and its address are the same, below any base path', () => {
  const place = { id: 'a/b c', tab: 'datasets', item: 'x%y' } as const;
  expect(pathOf(place)).toBe('/ui/data/a%2Fb%20c/datasets/x%25y');
  expect(placeOf(`/below/here${pathOf(place)}`)).toEqual(place);
  expect(placeOf(pathOf({ id: 'shop', tab: 'overview', item: '' }))).toEqual({ id: 'shop', tab: 'overview', item: '' });
  expect(placeOf('/ui/data/shop/nowhere')).toEqual({ id: 'shop', tab: 'overview', item: '' });
  expect(placeOf('/ui/data/100%/history').id).toBe('100%');
});

test('arrow keys find the nearest dataset in a direction', () => {
  const nodes = [
    { name: 'a', x: 0, y: 0 },
    { name: 'b', x: 100, y: 10 },
    { name: 'c', x: 60, y: 200 },
  ];
  const layout = { width: 0, height: 0, nodes, edges: [] };
  expect(neighbour(layout, 'a', 'right')).toBe('b');
  expect(neighbour(layout, 'a', 'down')).toBe('b');
  expect(neighbour(layout, 'b', 'down')).toBe('c');
  expect(neighbour(layout, 'a', 'left')).toBeUndefined();
});

test('a problem is at its own element, without the name', () => {
  const problem = (message: string) => ({ severity: 'warning' as const, message, line: 1 });
  const problems = [
    problem('metric rate: left out: no.'),
    problem('metric rate_2: other'),
    problem('dataset a, field b: x'),
  ];
  expect(problemsOf(problems, { kind: 'metric', name: 'rate' })).toEqual([problem('Left out: no.')]);
  expect(problemsOf(problems, { kind: 'field', dataset: 'a', name: 'b' })).toEqual([problem('X')]);
  expect(problemsOf(problems, { kind: 'dataset', name: 'a' })).toEqual([]);
});
