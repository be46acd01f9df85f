import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { evaluated, tuplesOf } from '../testing/ask.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';
import { ALL_FUNCTIONS } from './all-functions.ts';
import { SET_CASES } from './testing/set-cases.ts';
import { NAME_CASES, OPERATOR_CASES, SCALAR_CASES, STATISTIC_CASES } from './testing/value-cases.ts';

let started: TestWarehouse;
let shop: MdxCatalog;
beforeAll(async () => {
  started = await startWarehouse('duckdb', SHOP_TABLES);
  shop = openShop(started.warehouse, { clock: () => Date.UTC(2026, 10, 21, 10, 20, 30) });
});
afterAll(() => started.stop());

function withCube<T>([expression, expected, cube]: readonly [string, T, string?]): [string, T, string] {
  return [expression, expected, cube ?? 'Sales'];
}

describe('sets', () => {
  it.each(SET_CASES.map(withCube))('%s = %s', async (expression, expected, cube) => {
    expect(await tuplesOf(shop, expression, cube)).toBe(expected);
  });
});

describe.each([
  ['operators', OPERATOR_CASES],
  ['statistics', STATISTIC_CASES],
  ['scalars', SCALAR_CASES],
  ['names', NAME_CASES],
] as const)('%s', (_, cases) => {
  it.each(cases.map(withCube))('%s = %s', async (expression, expected, cube) => {
    const value = await evaluated(shop, expression, cube);
    if (typeof expected === 'number' && Number.isFinite(expected)) expect(Number(value)).toBeCloseTo(expected, 9);
    else if (expression.startsWith('Error(')) expect(value).toContain(expected);
    else expect(value).toBe(expected);
  });
});

it('UserName returns the calling user', async () => {
  const query = 'with member Measures.X as UserName() select {Measures.X} on 0 from Sales';
  expect((await shop.query(query, { user: 'ann' })).cells[0]?.value).toBe('ann');
});

describe('every function of the engine', () => {
  const expressions = [SET_CASES, OPERATOR_CASES, STATISTIC_CASES, SCALAR_CASES, NAME_CASES].flatMap((cases) =>
    cases.map(([expression]) => expression.toUpperCase()),
  );
  const pattern = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

  it.each([...new Set(ALL_FUNCTIONS.map(({ name, syntax }) => `${syntax} ${name.toUpperCase()}`))])(
    '%s has a case',
    (key) => {
      const [syntax = '', ...rest] = key.split(' ');
      const name = pattern(rest.join(' '));
      const forms: Readonly<Record<string, RegExp>> = {
        function: new RegExp(`(?<![\\w.])${name}\\(`),
        method: new RegExp(`\\.${name}\\(`),
        property: new RegExp(`\\.${name}(?![\\w(])`),
        infix: /^\w/.test(name) ? new RegExp(`\\s${name}\\s`) : new RegExp(`\\s${name}\\s`),
        prefix: new RegExp(`${name}\\s?[\\w(\\[]`),
        postfix: new RegExp(`\\s${name}\\b`),
      };
      expect(expressions.some((expression) => forms[syntax]?.test(expression))).toBe(true);
    },
  );
});
