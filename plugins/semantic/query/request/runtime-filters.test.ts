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
  test('the dimensions of a request are those of its rows and columns', () => {
    expect(dimensionsOf(request)).toEqual(['a.b.c', 'stores.region']);
  });

  test('adds conditions behind those of the author, naming a shown field as the author named it', () => {
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

  test('what is wrong with an added condition is told of the filter', () => {
    expect(failing('filters', 1, 'value')).toThrow(expect.objectContaining({ field: 'filter', message: 'no number' }));
  });

  test("what is wrong with the author's own request stays where it is", () => {
    expect(failing('filters', 0, 'value')).toThrow(expect.objectContaining({ field: 'filters[0].value' }));
    expect(failing('rows', 1, 'field')).toThrow(expect.objectContaining({ field: 'rows[1].field' }));
  });
});
