import { expect, test } from 'vitest';
import { parseShowcase } from './showcase.ts';

const query = {
  path: 'a.service',
  kind: 'query',
  title: 'A',
  description: 'Of a',
  render: 'chart',
  mode: 'pie',
  height: '320px',
};
const dashboard = { path: 'b.servicedash', kind: 'dashboard', title: 'B' };

const box = { path: 'c.serviceask', kind: 'ai', title: 'C' };

test('dashboards come first, then ask boxes, whatever the order of the server', () => {
  const paths = parseShowcase([query, box, dashboard]).map(({ path }) => path);
  expect(paths).toEqual(['b.servicedash', 'c.serviceask', 'a.service']);
});

test("a missing member has the element's default", () => {
  expect(parseShowcase([dashboard])).toEqual([
    { path: 'b.servicedash', kind: 'dashboard', title: 'B', description: '', render: 'table', mode: 'bar', height: '' },
  ]);
});

test('a server without the demo has an empty showcase', () => {
  expect(parseShowcase([])).toEqual([]);
});

test.each([
  ['an error body', { error: 'NOT_FOUND' }],
  ['an item without a path', [{ kind: 'query', title: 'A' }]],
  ['a mode that the element does not have', [{ ...query, mode: 'spiral' }]],
])('%s is refused', (_, json) => {
  expect(() => parseShowcase(json)).toThrow('an unexpected answer');
});
