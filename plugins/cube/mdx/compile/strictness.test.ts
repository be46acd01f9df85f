import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { type MdxCatalog, MdxError } from '../index.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';

/** Expressions that the engine refuses although it could interpret them. */

let started: TestWarehouse;
let shop: MdxCatalog;
beforeAll(async () => {
  started = await startWarehouse('duckdb', SHOP_TABLES);
  shop = openShop(started.warehouse);
});
afterAll(() => started.stop());

const NORTH = '{[Store].[North]}';
const PAIRS = 'Crossjoin([Store].[Region].Members, [Time].[Year].Members)';

it.each([
  // A named set must be a set.
  ['set S as [Store].[North]', 'S', "Set expression 'S' must be a set, not <Member>."],
  ['set S as ([Store].[North], [Time].[2024])', 'S', "Set expression 'S' must be a set, not <Tuple>."],
  ['set S as [Store]', 'S', "Set expression 'S' must be a set"],
  ['set S as [Store].[Region]', 'S', "Set expression 'S' must be a set, not <Level>."],
  ['set S as 1', 'S', "Set expression 'S' must be a set"],
  // Nothing may refer to itself.
  ['set S as Head(S)', 'S', 'is defined by itself'],
  ['set S as Head(T) set T as Tail(S)', 'S', 'is defined by itself'],
  ['member Measures.X as Count(S) set S as Filter([Store].[Region].Members, Measures.X > 1)', 'S', 'Infinite loop'],
  ['member Measures.X as Parameter("P", NUMERIC, ParamRef("P"))', '{Measures.X}', "Unknown parameter 'P'"],
  // Parameters.
  ['member Measures.X as Parameter("P", NUMERIC, 1) + Parameter("p", NUMERIC, 1)', '{Measures.X}', 'more than once'],
  ['member Measures.X as Parameter("P", NUMERIC, Parameter("P", NUMERIC, 1))', '{Measures.X}', 'more than once'],
  ['member Measures.X as Parameter("P", NUMERIC, "a")', '{Measures.X}', 'not consistent with the parameter type'],
  ['member Measures.X as Parameter("P", STRING, 1)', '{Measures.X}', 'not consistent with the parameter type'],
  [
    'member Measures.X as Parameter("P", INTEGER, 1.5)',
    '{Measures.X}',
    "not consistent with the parameter type 'INTEGER'",
  ],
  [
    'member Measures.X as Parameter("P", NUMERIC, 1 = 1)',
    '{Measures.X}',
    "not consistent with the parameter type 'NUMERIC'",
  ],
  [
    'member Measures.X as Parameter("P", DATETIME, "now")',
    '{Measures.X}',
    "not consistent with the parameter type 'DATETIME'",
  ],
  [
    'member Measures.X as Parameter("P", NUMERIC, [Store].[North])',
    '{Measures.X}',
    'not consistent with the parameter type',
  ],
  [
    'member Measures.X as Parameter("P", NUMERIC, Measures.Units)',
    '{Measures.X}',
    'not consistent with the parameter type',
  ],
  ['member Measures.X as Parameter("P", STRING, [Store])', '{Measures.X}', 'not consistent with the parameter type'],
  ['', '{Parameter("P", [Store].[Region], [Store].[South].FirstChild)}', 'it is [Store].[South].[Rome]'],
  [
    'member Measures.X as Parameter("P", [Store].[Name], [Store].[North]).Name',
    '{Measures.X}',
    'MemberType<level=[Store].[Name]>',
  ],
  [
    'member Measures.X as Parameter("P", [Store], [Store].[Name]).Name',
    '{Measures.X}',
    'MemberType<hierarchy=[Store]>',
  ],
  [
    'member Measures.X as Parameter("P", [Store], {[Store].[North]}).Name',
    '{Measures.X}',
    'MemberType<hierarchy=[Store]>',
  ],
  ['member Measures.X as Parameter("P", [Store].[North], [Store].[North]).Name', '{Measures.X}', 'Invalid type'],
  // A level is not a member.
  ['', '([Store].[Region], [Time].[2024])', "No function matches signature '(<Level>, <Member>)'"],
  ['', 'Crossjoin([Store].[Region], [Time].[Year].Members)', 'No function matches signature'],
  ['member Measures.X as [Store].[Region]', '{Measures.X}', 'must be a value or a member, not <Level>'],
  ['member Measures.X as ([Store].[Region], Measures.Units)', '{Measures.X}', 'No function matches signature'],
  // Parents of calculated members.
  ['member [Store].[X] as 1 member [Store].[X].[Y] as 2', NORTH, "its parent '[Store].[X]' is calculated itself"],
  ['member [Store].[North].[X] as 1 member [Store].[North].[X].[Y] as 2', NORTH, 'is calculated itself'],
  ['member Measures.X as 1 member Measures.X.Y as 2', NORTH, 'is calculated itself'],
  ['member [Measures].[Units].[X] as 1', NORTH, 'its parent is at the lowest level in the [Measures] hierarchy'],
  ['member [Store].[North].[Oslo].[X] as 1', NORTH, 'its parent is at the lowest level in the [Store] hierarchy'],
  // Extract.
  ['', `Extract(${PAIRS}, [Customer])`, 'The set has no members of hierarchy [Customer].'],
  ['', `Extract(${PAIRS}, [Store], [Store])`, 'The hierarchy [Store] is extracted more than once.'],
  ['', 'Extract({}, [Store])', 'The set has no members of hierarchy [Store].'],
  ['', `Extract(${PAIRS}, [Nowhere])`, "MDX object '[Nowhere]' not found"],
  // Ancestors of another hierarchy.
  ['', 'Ancestors([Store].[North], [Time].[Year])', 'must be from the same hierarchy'],
  // The level or member must be of the hierarchy of the argument.
  ['', '{Ancestor([Store].[North].[Oslo], [Time].[Year])}', 'must be from the same hierarchy'],
  ['', 'Descendants([Store].[North], [Time].[Quarter])', 'must be from the same hierarchy'],
  ['', 'Descendants([Store].[Region].Members, [Time].[Quarter], SELF_AND_AFTER)', 'must be from the same hierarchy'],
  ['', '{Cousin([Store].[North], [Time].[2024])}', 'must be from the same hierarchy'],
  ['', 'PeriodsToDate([Time].[Year], [Store].[North])', 'must be from the same hierarchy'],
  ['', '{ParallelPeriod([Time].[Year], 1, [Store].[North])}', 'must be from the same hierarchy'],
  ['', '{OpeningPeriod([Time].[Quarter], [Store].[North])}', 'must be from the same hierarchy'],
])('%s %s', async (definitions, axis, message) => {
  const result = shop.query(`${definitions === '' ? '' : `with ${definitions}`} select ${axis} on 0 from Sales`);
  await expect(result).rejects.toThrow(MdxError);
  await expect(result).rejects.toThrow(message);
});

it('a text that declares a parameter may be evaluated repeatedly', async () => {
  const query = `with member Measures.X as StrToValue("Parameter(""P"", NUMERIC, 2)") * 1
    select {Measures.X} on 0, [Store].[Region].Members on 1 from Sales`;
  expect((await shop.query(query)).cells.map(({ value }) => value)).toEqual([2, 2]);
});

it('a pattern that cannot be matched is an error of the cell, not of the query', async () => {
  const query = 'with member Measures.X as IIf("a" MATCHES "(", 1, 0) select {Measures.X} on 0 from Sales';
  expect((await shop.query(query)).cells[0]?.error).toContain("The regular expression '(' cannot be matched");
});

it.each([
  ['Parameter("P", NUMERIC, [Store].[North].[Oslo].Properties("Name"))', {}, "type 'NUMERIC': it is 'Oslo'"],
  ['Parameter("P", STRING, [Store].[North].[Oslo].Properties("Size"))', {}, "type 'STRING': it is '300"],
  ['Parameter("P", INTEGER, 1)', { P: '3 / 2' }, "type 'INTEGER': it is '1.5'"],
])('a value of %s that only evaluation can determine is checked then', async (formula, parameters, message) => {
  const query = `with member Measures.X as ${formula} select {Measures.X} on 0 from Sales`;
  expect((await shop.query(query, { parameters })).cells[0]?.error).toContain(message);
});

it.each([
  ['NUMERIC, 1', '"5"', "Value of parameter 'P' is not consistent with the parameter type 'NUMERIC'"],
  ['STRING, "a"', '5', "Value of parameter 'P' is not consistent with the parameter type 'STRING'"],
  ['INTEGER, 1', '1.5', "Value of parameter 'P' is not consistent with the parameter type 'INTEGER'"],
  ['[Store], [Store].[North]', '[Time].[2023]', 'MemberType<hierarchy=[Store]>'],
  ['[Store], [Store].[North]', '{[Store].[South]}', 'MemberType<hierarchy=[Store]>'],
  ['[Store].[Region], [Store].[North]', '[Store].[South].[Rome]', 'MemberType<level=[Store].[Region]>'],
])('a parameter of %s does not take %s', async (declared, parameter, message) => {
  const query = `with member Measures.X as Parameter("P", ${declared}) select {Measures.X} on 0 from Sales`;
  const result = shop.query(query, { parameters: { P: parameter } });
  await expect(result).rejects.toThrow(MdxError);
  await expect(result).rejects.toThrow(message);
});

it.each([
  ['NUMERIC, 1', '-2.5', -2.5],
  ['INTEGER, 1', '-3', -3],
  ['STRING, NULL', '"b"', 'b'],
  ['[Store].[Region], [Store].[North]', '[Store].[South]', 7],
  ['[Store].[Region], [Store].[North]', '[Store].[South].[Rome].Parent', 7],
])('a parameter of %s takes %s', async (declared, parameter, value) => {
  const query = `with member Measures.X as Parameter("P", ${declared}) select {Measures.X} on 0 from Sales`;
  expect((await shop.query(query, { parameters: { P: parameter } })).cells[0]?.value).toBe(value);
});
