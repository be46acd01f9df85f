import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { type MdxCatalog, MdxError } from '../index.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';

/** What is refused, though something could be made of it. */

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
  // a named set is a set
  ['set S as [Store].[North]', 'S', "Set expression 'S' must be a set, not <Member>."],
  ['set S as ([Store].[North], [Time].[2024])', 'S', "Set expression 'S' must be a set, not <Tuple>."],
  ['set S as [Store]', 'S', "Set expression 'S' must be a set"],
  ['set S as [Store].[Region]', 'S', "Set expression 'S' must be a set, not <Level>."],
  ['set S as 1', 'S', "Set expression 'S' must be a set"],
  // nothing is defined by itself
  ['set S as Head(S)', 'S', 'is defined by itself'],
  ['set S as Head(T) set T as Tail(S)', 'S', 'is defined by itself'],
  ['member Measures.X as Count(S) set S as Filter([Store].[Region].Members, Measures.X > 1)', 'S', 'Infinite loop'],
  ['member Measures.X as Parameter("P", NUMERIC, ParamRef("P"))', '{Measures.X}', "Unknown parameter 'P'"],
  // parameters
  ['member Measures.X as Parameter("P", NUMERIC, 1) + Parameter("p", NUMERIC, 1)', '{Measures.X}', 'more than once'],
  ['member Measures.X as Parameter("P", NUMERIC, Parameter("P", NUMERIC, 1))', '{Measures.X}', 'more than once'],
  ['member Measures.X as Parameter("P", NUMERIC, "a")', '{Measures.X}', 'not consistent with the parameter type'],
  ['member Measures.X as Parameter("P", STRING, 1)', '{Measures.X}', 'not consistent with the parameter type'],
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
  // levels are no members
  ['', '([Store].[Region], [Time].[2024])', "No function matches signature '(<Level>, <Member>)'"],
  ['', 'Crossjoin([Store].[Region], [Time].[Year].Members)', 'No function matches signature'],
  ['member Measures.X as [Store].[Region]', '{Measures.X}', 'must be a value or a member, not <Level>'],
  ['member Measures.X as ([Store].[Region], Measures.Units)', '{Measures.X}', 'No function matches signature'],
  // places of calculated members
  ['member [Store].[X] as 1 member [Store].[X].[Y] as 2', NORTH, "its parent '[Store].[X]' is calculated itself"],
  ['member [Store].[North].[X] as 1 member [Store].[North].[X].[Y] as 2', NORTH, 'is calculated itself'],
  ['member Measures.X as 1 member Measures.X.Y as 2', NORTH, 'is calculated itself'],
  ['member [Measures].[Units].[X] as 1', NORTH, 'its parent is at the lowest level in the [Measures] hierarchy'],
  ['member [Store].[North].[Oslo].[X] as 1', NORTH, 'its parent is at the lowest level in the [Store] hierarchy'],
  // Extract
  ['', `Extract(${PAIRS}, [Customer])`, 'The set has no members of hierarchy [Customer].'],
  ['', `Extract(${PAIRS}, [Store], [Store])`, 'The hierarchy [Store] is extracted more than once.'],
  ['', 'Extract({}, [Store])', 'The set has no members of hierarchy [Store].'],
  ['', `Extract(${PAIRS}, [Nowhere])`, "MDX object '[Nowhere]' not found"],
  // Ancestors of another hierarchy
  ['', 'Ancestors([Store].[North], [Time].[Year])', 'must be of the same hierarchy'],
])('%s %s', async (given, axis, message) => {
  const asked = shop.query(`${given === '' ? '' : `with ${given}`} select ${axis} on 0 from Sales`);
  await expect(asked).rejects.toThrow(MdxError);
  await expect(asked).rejects.toThrow(message);
});

it('a text that declares a parameter may be evaluated again and again', async () => {
  const query = `with member Measures.X as StrToValue("Parameter(""P"", NUMERIC, 2)") * 1
    select {Measures.X} on 0, [Store].[Region].Members on 1 from Sales`;
  expect((await shop.query(query)).cells.map(({ value }) => value)).toEqual([2, 2]);
});

it('a pattern that cannot be matched is the value of the cell, not of the query', async () => {
  const query = 'with member Measures.X as IIf("a" MATCHES "(", 1, 0) select {Measures.X} on 0 from Sales';
  expect((await shop.query(query)).cells[0]?.error).toContain("The regular expression '(' cannot be matched");
});
