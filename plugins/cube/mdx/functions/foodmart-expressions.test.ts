/**
 * Expressions over FoodMart's cube `Sales`. Expected values follow from the language, or were computed by hand or by
 * SQL.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { titleNeeding } from '../../../../router/testing/not-run.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { foodmartMissing } from '../../testing/foodmart.ts';
import { type OpenFoodmart, openFoodmart } from '../testing/open-foodmart.ts';

/** Formulas of a measure with their formatted values. */
const VALUES: readonly (readonly [expression: string, expected: string])[] = [
  ['IIf(([Store].[USA], [Gender].[F]) IS ([Gender].[F], [Store].[USA]), "y", "n")', 'y'],
  ['{[Store].[USA].[CA]}.Item(5).Name', '#null'],
  // 266,773 units. Where a value is expected, `*` is a product and not a cross join.
  ['[Measures].[Unit Sales] * [Measures].[Unit Sales]', '71,167,833,529'],
  ['([Measures].[Unit Sales]) * [Measures].[Unit Sales] / [Measures].[Unit Sales]', '266,773'],
  ['Replace("abcabcabc", "b", "X", 1, 2)', 'aXcaXcabc'],
  ['Cast(12.7 AS Integer)', '12'],
  ['Cast("12" AS Numeric) + 1', '13'],
  ['Rank([Store].[USA].[WA], {[Store].[USA].[CA], [Store].[USA].[OR], [Store].[USA].[WA]})', '3'],
  ['Count([Customers].[Name].Members)', '10,281'],
  ['Format(1.005, "0.00")', '1.01'],
  ['Format(0, "#,##0;(#,##0);zero;nil")', 'zero'],
  ['Format(NULL, "#,##0;(#,##0);zero;nil")', 'nil'],
  ['Format("Hello", "<")', 'hello'],
  ['Format("Hello", ">")', 'HELLO'],
  ['Format(-5, "#,##0;(#,##0)")', '(5)'],
  ['Format(0.1234, "0.0%")', '12.3%'],
  ['Format(12345.678, "Currency")', '$12,345.68'],
  ['Format(12345.678, "Scientific")', '1.23E+04'],
  ['Format(1, "Yes/No")', 'Yes'],
  ['Format(DateSerial(1997, 2, 3), "yyyy-mm-dd")', '1997-02-03'],
  ['Format(DateSerial(1997, 2, 3), "dddd, mmmm d, yyyy")', 'Monday, February 3, 1997'],
  ['"Hello" MATCHES "(?i)hel+o"', 'true'],
  ['"a.b" MATCHES "\\Qa.b\\E"', 'true'],
  ['"axb" MATCHES "\\Qa.b\\E"', 'false'],
  ['IIf("ab" NOT MATCHES "a", 1, 0)', '1'],
  ['InStr("hello world", "o w")', '5'],
  ['Mid("hello", 2, 3)', 'ell'],
  ['StrComp("a", "b")', '-1'],
  ['CInt(2.5)', '2'],
  ['CInt(3.5)', '4'],
  ['Fix(-2.7)', '-2'],
  ['Int(-2.7)', '-3'],
  ['DateDiff("d", DateSerial(1997, 1, 1), DateSerial(1997, 3, 1))', '59'],
  ['MonthName(2)', 'February'],
  ['LastPeriods(3, [Time].[1997].[Q2].[5]).Count', '3'],
  ['Avg([Time].[1997].Children, [Measures].[Unit Sales])', '66,693'],
  ['Max([Store].[USA].Children, [Measures].[Unit Sales])', '124,366'],
  // The units of the months, ascending: … 20,957 (3) 21,081 (4) … 23,763 (9) 25,270 (10) 26,796.
  ['FirstQ(Descendants([Time].[1997], [Time].[Month]), [Measures].[Unit Sales])', '21,019'],
  ['ThirdQ(Descendants([Time].[1997], [Time].[Month]), [Measures].[Unit Sales])', '24,517'],
  // The units of the quarters: 62,610 65,848 66,291 72,024.
  ['FirstQ([Time].[1997].Children, [Measures].[Unit Sales])', '66,070'],
  ['ThirdQ([Time].[1997].Children, [Measures].[Unit Sales])', '72,024'],
  ['CoalesceEmpty(NULL, 5)', '5'],
  ['IIf(IsEmpty(([Measures].[Unit Sales], [Time].[1998])), "empty", "not")', 'empty'],
  ['SetToStr({[Gender].[F], [Gender].[M]})', '{[Gender].[F], [Gender].[M]}'],
  ['TupleToStr(([Gender].[F], [Store].[USA]))', '([Gender].[F], [Store].[USA])'],
  ['Generate({[Gender].[F], [Gender].[M]}, [Gender].CurrentMember.Name, "-")', 'F-M'],
  ['[Gender].[F].Level.Ordinal', '1'],
  ['[Store].Levels(2).Name', 'Store State'],
  ['[Store].[USA].[CA].Lag(-1).Name', 'OR'],
  ['[Store].[Store Name].[Store 6].Properties("Store Type")', 'Gourmet Supermarket'],
  ['1 / 0', 'Infinity'],
  ['CASE [Gender].CurrentMember.Name WHEN "F" THEN 1 ELSE 2 END', '2'],
  ['[Measures].[Unit Sales] * 2', '533,546'],
  ['Parameter("p", NUMERIC, 3) + ParamRef("p")', '6'],
  ['ParamRef("p") + Parameter("p", NUMERIC, 3)', '6'],
  ['ParamRef("p").Name || Parameter("p", [Gender], [Gender].[F]).Name', 'FF'],
  ['FormatNumber(1234.5)', '1,234.50'],
  ['FormatNumber(1234.5, 0)', '1,235'],
  ['FormatCurrency(1234.5, 1)', '$1,234.5'],
  ['FormatPercent(0.1234, 1)', '12.3%'],
];

/** Sets with their members or tuples. */
const SETS: readonly (readonly [expression: string, expected: string])[] = [
  ['Ancestors([Store].[USA].[CA].[Los Angeles], 2)', '[Store].[USA].[CA] [Store].[USA]'],
  ['Union({[Gender].[F], [Gender].[M], [Gender].[F]}, {[Gender].[M]}, DISTINCT)', '[Gender].[F] [Gender].[M]'],
  [
    'BottomCount({[Store].[USA].[CA], [Store].[USA].[OR], [Store].[USA].[WA]}, 2)',
    '[Store].[USA].[OR] [Store].[USA].[WA]',
  ],
  ['LastPeriods(-2, [Time].[1997].[Q2].[5])', '[Time].[1997].[Q2].[5] [Time].[1997].[Q2].[6]'],
  ['Cousin([Time].[1997].[Q2].[5], [Time].[1997].[Q4])', '[Time].[1997].[Q4].[11]'],
  ['OpeningPeriod([Time].[Month], [Time].[1997].[Q3])', '[Time].[1997].[Q3].[7]'],
  ['Filter([Store].[USA].Children, [Measures].[Unit Sales] > 70000)', '[Store].[USA].[CA] [Store].[USA].[WA]'],
  [
    'Order([Store].[USA].Children, [Measures].[Unit Sales], BDESC)',
    '[Store].[USA].[WA] [Store].[USA].[CA] [Store].[USA].[OR]',
  ],
  ['Extract(CrossJoin({[Gender].[F]}, {[Store].[USA], [Store].[Canada]}), [Store])', '[Store].[USA] [Store].[Canada]'],
  ['Ascendants([Store].[USA].[CA])', '[Store].[USA].[CA] [Store].[USA] [Store].[All Stores]'],
  ['Qtd([Time].[1997].[Q2].[5])', '[Time].[1997].[Q2].[4] [Time].[1997].[Q2].[5]'],
];

/** Refused expressions, with the part of the message that gives the reason. */
const REFUSED: readonly (readonly [expression: string, message: RegExp])[] = [
  ['Extract({[Gender].[F]}, [Store])', /no members of hierarchy \[Store\]/],
  ['([Gender].[F], [Store].Levels(1))', /No function matches/],
  ['{ParamRef("q")}', /Unknown parameter 'q'/],
  ['{Parameter("q", [Gender], ParamRef("q"))}', /Unknown parameter 'q'/],
];

describe.skipIf(foodmartMissing() !== undefined)(titleNeeding('of FoodMart', foodmartMissing()), () => {
  let foodmart: OpenFoodmart;
  beforeAll(async () => {
    foodmart = await openFoodmart(startWarehouse);
  });
  afterAll(() => foodmart.stop());

  const membersOf = async (set: string) => {
    const { axes } = await foodmart.catalog.query(`SELECT {${set}} ON 0 FROM [Sales]`);
    return (axes[0]?.tuples ?? []).map((tuple) => tuple.map(({ uniqueName }) => uniqueName).join(' * ')).join(' ');
  };

  it.each(VALUES)('%s is %s', async (expression, expected) => {
    const formula = expression.replaceAll("'", "''");
    const { cells } = await foodmart.catalog.query(
      `WITH MEMBER [Measures].[Foo] AS '${formula}' SELECT {[Measures].[Foo]} ON 0 FROM [Sales]`,
    );
    expect(cells[0]?.formatted).toBe(expected);
  });
  it.each(SETS)('%s is %s', async (set, expected) => {
    expect(await membersOf(set)).toBe(expected);
  });
  it.each(REFUSED)('%s is refused', async (set, message) => {
    await expect(membersOf(set)).rejects.toThrow(message);
  });
});
