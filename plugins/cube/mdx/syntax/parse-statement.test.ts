import { describe, expect, it } from 'vitest';
import { MdxError } from './errors.ts';
import { parseExpressionText, parseStatement } from './parse-statement.ts';
import { unparse } from './unparse.ts';

describe('expressions', () => {
  it.each([
    ['1 + 2 * 3', '(1 + (2 * 3))'],
    ['a or b and not c', '(a OR (b AND (NOT c)))'],
    ['[A].[x]:[A].[y]', '([A].[x] : [A].[y])'],
    ['x is null', '(x IS NULL)'],
    ['x not in {y}', '(NOT (x IN {y}))'],
    ['f(a,, b)', 'f(a, , b)'],
    ['[a]]b].&[1]&[2].Children.Item(0)', '[a]]b].&[1]&[2].Children.Item(0)'],
    ['cast(1 as string)', 'CAST(1 AS string)'],
    ['{a, b} as t', '({a, b} AS [t])'],
    ['case x when 1 then "a" else "b" end', 'CASE x WHEN 1 THEN "a" ELSE "b" END'],
    ["'it''s'", '"it\'s"'],
    ['a /* b */ -- c\n + 1', '(a + 1)'],
  ])('%s', (text, expected) => {
    expect(unparse(parseExpressionText(text))).toBe(expected);
    expect(unparse(parseExpressionText(expected))).toBe(expected);
  });
});

describe('statements', () => {
  it('reads axes in any order, formulas and the slicer', () => {
    const query = parseStatement(
      `with member [Measures].[x] as '1 + 1', solve_order = 2 set s as {a}
       select non empty {b} dimension properties p on rows, {c} on columns from [Cube] where (d) cell properties VALUE`,
    );
    if (query.kind !== 'select') throw new Error('no select');
    expect(query.axes.map(({ ordinal, nonEmpty }) => [ordinal, nonEmpty])).toEqual([
      [0, false],
      [1, true],
    ]);
    expect(query.formulas.map(({ kind, value }) => [kind, unparse(value)])).toEqual([
      ['member', '(1 + 1)'],
      ['set', '{a}'],
    ]);
    expect(query.cube).toBe('Cube');
  });

  it('reads DRILLTHROUGH', () => {
    expect(parseStatement('drillthrough maxrows 10 firstrowset 5 select from c return a, [b].[c]')).toMatchObject({
      kind: 'drillthrough',
      maxRows: 10,
      firstRowset: 5,
      returns: [{}, {}],
    });
  });

  it.each([
    ['select {a} on foobar from c', 1, 15],
    ['select {a}\non 0 frum c', 2, 6],
    ["with member x as '1 +' select from c", 1, 22],
    ['select {a} on 0, {b} on 2 from c', 1, 25],
    ['/* never ends', 1, 1],
  ])('reports the position of the mistake in %j', (text, line, column) => {
    const fail = () => parseStatement(text);
    expect(fail).toThrow(MdxError);
    expect(fail).toThrow(`line ${line}, column ${column}`);
  });
});
