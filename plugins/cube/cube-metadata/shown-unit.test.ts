import { expect, it } from 'vitest';
import { shownUnit } from './shown-unit.ts';

it.each([
  ['$1,234.50', 'USD'],
  ['-$3', 'USD'],
  ['USD 5', 'USD'],
  ['£12', 'GBP'],
  ['12,00 €', 'EUR'],
  ['¥900', 'JPY'],
  ['46.3%', '%'],
  ['1,234', null],
  ['', null],
])('the unit of %s is %s', (formatted, unit) => {
  expect(shownUnit(formatted)).toBe(unit);
});
