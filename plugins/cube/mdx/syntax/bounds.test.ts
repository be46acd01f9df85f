import { describe, expect, it } from 'vitest';
import { MAX_ARGUMENTS, MAX_AXES, MAX_NAME_PARTS, MAX_NESTING, MAX_OPERATIONS } from '../limits.ts';
import { MdxError, MdxLimitError } from './errors.ts';
import { parseExpressionText, parseStatement } from './parse-statement.ts';

const chain = (link: string, times: number) => link.repeat(times);

describe('an expression that is too long or too deep is refused in every form', () => {
  it.each([
    ['parts of a name', `[a]${chain('.[a]', 50_000)}`],
    ['properties of a name', `[a]${chain('.Parent', 200_000)}`],
    ['properties of a call', `f(a)${chain('.Parent', 200_000)}`],
    ['methods', `[a]${chain('.Lag(1)', 100_000)}`],
    ['keys', `[a]${chain('.&[1]', 100_000)}`],
    ['parts of a key', `[a].&[1]${chain('&[1]', 100_000)}`],
    ['terms', `1${chain(' + 1', 200_000)}`],
    ['factors', `1${chain(' * 1', 200_000)}`],
    ['conditions', `1${chain(' AND 1', 200_000)}`],
    ['alternatives', `1${chain(' OR 1', 200_000)}`],
    ['comparisons', `1${chain(' = 1', 200_000)}`],
    ['NULL tests', `1${chain(' IS NULL', 200_000)}`],
    ['negations', `${chain('NOT ', 200_000)}1`],
    ['signs', `${chain('- ', 200_000)}1`],
    ['brackets', chain('(', 200_000)],
    ['braces', chain('{', 200_000)],
    ['casts', chain('CAST(', 200_000)],
    ['cases', chain('CASE WHEN ', 200_000)],
    ['arguments', `f(1${chain(', 1', 150_000)})`],
  ])('%s', (_what, text) => {
    expect(() => parseExpressionText(text)).toThrow(MdxLimitError);
  });

  it('a name without an end is a syntax error on its line', () => {
    const fail = () => parseExpressionText(chain('[', 1_500_000));
    expect(fail).toThrow(MdxError);
    expect(fail).toThrow(/^.{0,300}$/);
  });

  it('too many axes are refused', () => {
    const axes = Array.from({ length: MAX_AXES + 1 }, (_, index) => `{} ON ${index}`).join(', ');
    expect(() => parseStatement(`SELECT ${axes} FROM c`)).toThrow(MdxLimitError);
  });
});

it('texts within the bounds are parsed', () => {
  expect(parseExpressionText(`[a]${chain('.[a]', MAX_NAME_PARTS - 1)}`)).toMatchObject({ kind: 'identifier' });
  expect(parseExpressionText(`1${chain(' + 1', MAX_OPERATIONS)}`)).toMatchObject({ kind: 'call' });
  expect(parseExpressionText(`${chain('(', MAX_NESTING - 1)}1${chain(')', MAX_NESTING - 1)}`)).toBeDefined();
  expect(parseExpressionText(`f(1${chain(', 1', MAX_ARGUMENTS - 1)})`)).toBeDefined();
  // A set may be long, because large filters list many members.
  expect(parseExpressionText(`{1${chain(', 1', 20_000)}}`)).toBeDefined();
});
