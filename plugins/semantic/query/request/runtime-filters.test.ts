import { describe, expect, test } from 'vitest';
import { ValidationError } from '../../../../router/errors.ts';
import type { RequestPath } from '../../../../router/path.ts';
import type { SemanticQueryRequest } from '../../schemas.ts';
import { dimensionsOf, withRuntimeFilters } from './runtime-filters.ts';

const request: SemanticQueryRequest = {
  connection: 'c',
  model: 'm',
  rows: [{ dataset: 'a.b', field: 'c' }],
  columns: [{ dataset: 'stores', field: 'region' }],
  filters: [{ dataset: 'stores', field: 'open', op: 'EQ', value: 'true' }],
};

describe('narrowing', () => {
  test('the dimensions of a request are the fields of its rows and columns', () => {
    expect(dimensionsOf(request)).toEqual(['a.b.c', 'stores.region']);
  });

  test('adds conditions after the author’s, and names a shown field in the author’s spelling', () => {
    const narrowing = [
      { field: 'a.b.c', op: 'IN', values: ['1', '2'] },
      { field: 'stores.city', op: 'GTE', values: ['K'] },
      { field: 'stores.region', op: 'IS_NOT_NULL', values: [] },
    ] as const;
    expect(withRuntimeFilters(request, narrowing, ({ filters }) => filters)).toEqual([
      { dataset: 'stores', field: 'open', op: 'EQ', value: 'true' },
      { dataset: 'a.b', field: 'c', op: 'IN', values: ['1', '2'] },
      { dataset: 'stores', field: 'city', op: 'GTE', value: 'K' },
      { dataset: 'stores', field: 'region', op: 'IS_NOT_NULL' },
    ]);
  });

  const failing =
    (...path: RequestPath) =>
    () =>
      withRuntimeFilters(request, [{ field: 'stores.city', op: 'EQ', values: ['x'] }], () => {
        throw ValidationError.at(path, 'no number', ['y']);
      });

  test('a mistake in an added condition is reported at the filter', () => {
    expect(failing('filters', 1, 'value')).toThrow(expect.objectContaining({ field: 'filter', message: 'no number' }));
  });

  test("a mistake in the author's own request keeps its place", () => {
    expect(failing('filters', 0, 'value')).toThrow(expect.objectContaining({ field: 'filters[0].value' }));
    expect(failing('rows', 1, 'field')).toThrow(expect.objectContaining({ field: 'rows[1].field' }));
  });
});
