import { expect, it } from 'vitest';
import { plainDecimal } from './plain-decimal.ts';

it.each([
  ['1.5e-7', '0.00000015', 1, 8],
  ['1.5E+3', '1500', 4, 0],
  ['1e21', '1000000000000000000000', 22, 0],
  ['-12.30', '-12.30', 2, 2],
  ['007', '7', 1, 0],
  ['.5', '0.5', 1, 1],
  ['0', '0', 1, 0],
  ['12345678901234567890.12', '12345678901234567890.12', 20, 2],
])('%s is written as %s', (text, plain, before, after) => {
  expect(plainDecimal(text)).toEqual({ text: plain, before, after });
});

it.each(['NaN', 'Infinity', '', '.', '1e', "1'; DROP", '1e9999999999'])('%j is no decimal', (text) => {
  expect(plainDecimal(text)).toBeUndefined();
});
