import { expect, test } from 'vitest';
import { fieldsFromAddress, fieldsToAddress, toFilter } from './filter-address.ts';

test('a filter survives the way through the address', () => {
  const fields = fieldsFromAddress('?kind=QUERY&user=ann&to=2026-11-26&other=1');
  expect(fields).toEqual({ kind: 'QUERY', user: 'ann', action: '', outcome: '', from: '', to: '2026-11-26' });
  expect(fieldsFromAddress(fieldsToAddress(fields))).toEqual(fields);
});

test('the last day is included, and what is no kind or no day does not limit', () => {
  const { from, to } = toFilter(fieldsFromAddress('?from=2026-11-30&to=2026-11-30'));
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(86_400_000);
  expect(toFilter(fieldsFromAddress('?kind=NONE&from=yesterday'))).toEqual({});
});
