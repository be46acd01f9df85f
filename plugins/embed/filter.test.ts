import { describe, expect, it } from 'vitest';
import { ValidationError } from '../../router/errors.ts';
import { parseRuntimeFilters } from './filter.ts';

describe('the filter of a host page by a period counted to today', () => {
  const parse = (values: unknown) =>
    parseRuntimeFilters(JSON.stringify([{ field: 'sales.date.month', op: 'RELATIVE', values }]), ['sales.date.month']);

  it('names the period and how many', () => {
    expect(parse(['last_n_months', 3])).toEqual([
      { field: 'sales.date.month', op: 'RELATIVE', values: ['last_n_months', '3'] },
    ]);
    expect(parse(['ytd'])).toEqual([{ field: 'sales.date.month', op: 'RELATIVE', values: ['ytd'] }]);
  });

  it.each([[[]], [['last_n_months', 'three']], [['last_n_months', 3, 4]], [['last_n_months', 0]], [[3]]])(
    '%j is refused',
    (values) => {
      expect(() => parse(values)).toThrow(ValidationError);
    },
  );
});
