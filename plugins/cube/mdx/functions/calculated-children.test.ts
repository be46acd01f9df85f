import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { names } from '../testing/ask.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';

/** With INCLUDE_CALC_MEMBERS, drill functions add calculated members after the stored children. */

let started: TestWarehouse;
let shop: MdxCatalog;
beforeAll(async () => {
  started = await startWarehouse('duckdb', SHOP_TABLES);
  shop = openShop(started.warehouse);
});
afterAll(() => started.stop());

const WITH = `with member [Store].[Region].[Both] as [Store].[North] + [Store].[South]
  member [Store].[North].[Twice] as [Store].[North].[Oslo] * 2
  member [Store].[Else] as 1`;

it.each([
  ['DrilldownLevel({[Store].[All Stores]},,,INCLUDE_CALC_MEMBERS)', 'All Stores North South Both'],
  ['DrilldownLevel({[Store].[All Stores]})', 'All Stores North South'],
  [
    'DrilldownLevel({[Store].[North], [Store].[South]},,,INCLUDE_CALC_MEMBERS)',
    'North North.Bergen North.Oslo North.Twice South South.Rome',
  ],
  [
    'DrilldownLevel({[Store].[North]}, [Store].[Region],,INCLUDE_CALC_MEMBERS)',
    'North North.Bergen North.Oslo North.Twice',
  ],
  [
    'DrilldownLevel({([Time].[2024], [Store].[North])},,1,INCLUDE_CALC_MEMBERS)',
    '(2024 North) (2024 North.Bergen) (2024 North.Oslo) (2024 North.Twice)',
  ],
  [
    'DrilldownMember({[Store].[North]}, {[Store].[North]},,,INCLUDE_CALC_MEMBERS)',
    'North North.Bergen North.Oslo North.Twice',
  ],
  [
    'DrilldownMember({[Store]}, {[Store], [Store].[North]}, RECURSIVE, INCLUDE_CALC_MEMBERS)',
    'All Stores North North.Bergen North.Oslo North.Twice South Both',
  ],
  [
    'DrilldownMember({{DrilldownLevel({[Store].[All Stores]},,,INCLUDE_CALC_MEMBERS)}}, {[Store].[North]},,,INCLUDE_CALC_MEMBERS)',
    'All Stores North North.Bergen North.Oslo North.Twice South Both',
  ],
  [
    'DrilldownLevelTop({[Store].[North]}, 2,, [Measures].[Units], INCLUDE_CALC_MEMBERS)',
    'North North.Twice North.Oslo',
  ],
  ['DrilldownLevelTop({[Store].[North]}, 2,, [Measures].[Units])', 'North North.Oslo North.Bergen'],
  ['DrilldownLevelBottom({[Store].[North]}, 1,,, INCLUDE_CALC_MEMBERS)', 'North North.Bergen'],
  [
    'DrilldownMemberTop({[Store].[North]}, {[Store].[North]}, 1, [Measures].[Units],, INCLUDE_CALC_MEMBERS)',
    'North North.Twice',
  ],
  [
    'DrilldownMemberBottom({[Store].[North]}, {[Store].[North]}, 3, [Measures].[Units], [Store], INCLUDE_CALC_MEMBERS)',
    'North North.Bergen North.Oslo North.Twice',
  ],
  ['AddCalculatedMembers([Store].[Region].Members)', 'North South Both'],
  ['AddCalculatedMembers({DrilldownLevel({[Store].[North]})})', 'North North.Bergen North.Oslo Both North.Twice'],
])('%s', async (set, expected) => {
  const where = 'where [Time].[2023]';
  const slicer = set.includes('[Time]') ? '' : where;
  expect(names(await shop.query(`${WITH} select {${set}} on 0 from Sales ${slicer}`))).toBe(expected);
});

it('an unknown symbol in place of the flag is refused', async () => {
  await expect(shop.query('select DrilldownLevel({[Store]},,,INCLUDE_ALL) on 0 from Sales')).rejects.toThrow(
    /INCLUDE_ALL/,
  );
});
