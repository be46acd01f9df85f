import { expect, test } from 'vitest';
import { MalformedBodyError, ValidationError } from './errors.ts';
import { readJson } from './json.ts';
import { MAX_JSON_DEPTH, MAX_JSON_NUMBER_LENGTH, MAX_JSON_VALUES } from './limits.ts';

test('a number that a double represents exactly is a number', () => {
  const text =
    '[0, -1, 9007199254740991, 0.1, 0.30000000000000004, 1.50, 3.0000000000000000000, 0.0000000000000000000000250000000, 1.7976931348623157e+308, 1e5, 1E22, 1.5e-10, -0]';
  expect(readJson(text)).toEqual([
    0, -1, 9007199254740991, 0.1, 0.30000000000000004, 1.5, 3, 2.5e-23, 1.7976931348623157e308, 1e5, 1e22, 1.5e-10, -0,
  ]);
});

test.each([
  '9007199254740993',
  '-9007199254740993',
  '9007199254740992',
  '123456789012345678901234567890.5',
  '0.12345678901234567891',
  '1e400',
  '123456789012345678901234567890123456789',
  `0.${'0'.repeat(40)}123456789012345678`,
  '-1234567890.12345678901234567890e-5',
])('%s, which no double represents exactly, is a text of its digits', (number) => {
  expect(readJson(`{"a": [1, ${number}], "b":${number}}`)).toEqual({ a: [1, number], b: number });
});

test('digits inside a text stay unchanged', () => {
  const value = { 'a"9007199254740993': '\\"9007199254740993', b: 'x\\' };
  expect(readJson(JSON.stringify(value))).toEqual(value);
});

test('depth and number of values are bounded, and characters inside texts do not count', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  expect(() => readJson(nested(MAX_JSON_DEPTH))).not.toThrow();
  expect(() => readJson(nested(MAX_JSON_DEPTH + 1))).toThrow(MalformedBodyError);
  expect(() => readJson('['.repeat(2_000_000))).toThrow(MalformedBodyError);
  expect(() => readJson(JSON.stringify(Array(MAX_JSON_VALUES - 2).fill(1)))).not.toThrow();
  expect(() => readJson(JSON.stringify(Array(MAX_JSON_VALUES).fill(1)))).toThrow(MalformedBodyError);
  expect(readJson(JSON.stringify('[{,:'.repeat(MAX_JSON_VALUES)))).toHaveLength(4 * MAX_JSON_VALUES);
});

test('a number has at most as many characters as the limit', () => {
  const digits = '7'.repeat(MAX_JSON_NUMBER_LENGTH);
  expect(readJson(`[${digits}, 1]`)).toEqual([digits, 1]);
  expect(() => readJson(`[${digits}7, 1]`)).toThrow(MalformedBodyError);
});

test('a quote ends a text after an even number of backslashes', () => {
  for (let backslashes = 0; backslashes < 6; backslashes++) {
    const value = [`${'\\'.repeat(backslashes)}"`, '\\'.repeat(backslashes), true, false, null, ' [ '];
    expect(readJson(JSON.stringify(value))).toEqual(value);
    expect(readJson(JSON.stringify(value, null, '\t'))).toEqual(value);
  }
});

test.each([
  '{',
  '{"a":01}',
  ']',
  '{}}',
  'x',
  '[tru]',
  '[truefalse]',
  '\ufeff[]',
  '\u00a0[]',
  '\v[]',
  '[漢]',
  '[1.2.3.4.5.6.7.8]',
  '"open',
  '[1e5e5e5e5e5e5e5e5]',
  '',
  '[--123456789012345678]',
])('%j is refused as invalid JSON', (text) => {
  expect(() => readJson(text)).toThrow(MalformedBodyError);
});

test.each([
  ['{"__proto__": {"a": 1}}', '__proto__'],
  ['{"a": [{"\\u005f_proto__": 1}]}', 'a[0].__proto__'],
])('a member __proto__ is refused with its place: %s', (text, field) => {
  expect(() => readJson(text)).toThrow(ValidationError);
  expect(() => readJson(text)).toThrow(expect.objectContaining({ field }));
});

test('"__proto__" and "constructor" are allowed as values', () => {
  expect(readJson('["__proto__", "constructor"]')).toEqual(['__proto__', 'constructor']);
});

test('an object with more members than any operation takes is refused at any place, and several smaller objects are not', () => {
  const object = (count: number) => `{${Array.from({ length: count }, (_, n) => `"m${n}":0`).join(',')}}`;
  expect(() => readJson(`{"a":[${object(10_001)}]}`, 1_000_000)).toThrow('more than 10000 members');
  expect(readJson(`[${object(9_000)},${object(9_000)}]`, 1_000_000)).toHaveLength(2);
});
