import { expect, it } from 'vitest';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { CatalogOptions } from '../index.ts';
import { openSchema } from '../testing/open-schema.ts';
import { recorded } from '../testing/recorded.ts';

const SCHEMA = `<Schema name="Ratios">
  <Cube name="C">
    <Table name="fact"/>
    <Dimension name="Item">
      <Hierarchy hasAll="true"><Level name="Item" column="item" uniqueMembers="true"/></Hierarchy>
    </Dimension>
    <Measure name="A" column="a" aggregator="sum"/>
    <Measure name="B" column="b" aggregator="sum"/>
    <CalculatedMember name="Ratio" dimension="Measures" formula="[Measures].[A] / [Measures].[B]"/>
    <CalculatedMember name="Difference" dimension="Measures" formula="[Measures].[A] - [Measures].[B]"/>
    <CalculatedMember name="Bounded" dimension="Measures" formula="IIf([Measures].[B] = 0, 0, [Measures].[A] / [Measures].[B])"/>
  </Cube>
</Schema>`;

/** A and B of items. A divisor that is 0 or empty gives infinity, an empty dividend nothing. Doubles make `tie1` and `tie2` almost equal. */
const ROWS = [
  ['five', '10', '2'],
  ['zero', '1', '0'],
  ['none', '3', 'NULL'],
  ['empty', 'NULL', '5'],
  ['four', '8', '2'],
  ['minus', '-6', '2'],
  ['tie1', '0.3', '0.1'],
  ['tie1', '0', '0.2'],
  ['tie2', '0.1', '0.1'],
  ['tie2', '0.2', '0.2'],
] as const;

const opened = async (
  check: (query: (mdx: string) => Promise<readonly string[]>, statements: readonly string[]) => Promise<void>,
) => {
  const started = await startWarehouse('duckdb', [
    'CREATE TABLE fact (item VARCHAR, a DOUBLE, b DOUBLE)',
    `INSERT INTO fact VALUES ${ROWS.map(([item, a, b]) => `('${item}', ${a}, ${b})`).join(', ')}`,
  ]);
  try {
    const record = recorded(started.warehouse);
    const open = (options: Partial<CatalogOptions>) => openSchema(SCHEMA, record.warehouse, options);
    const [pushing, plain] = [open({ largeLevel: 0 }), open({ pushdown: false, largeLevel: 1_000 })];
    const names = async (catalog: typeof plain, set: string) => {
      const { axes } = await catalog.query(`SELECT ${set} ON 0 FROM C`);
      return (axes[0]?.tuples ?? []).map((tuple) => tuple.map(({ name }) => name).join());
    };
    await check(async (set) => {
      const found = await names(pushing, set);
      expect(found, set).toEqual(await names(plain, set));
      return found;
    }, record.statements);
    await Promise.all([pushing.close(), plain.close()]);
  } finally {
    await started.stop();
  }
};

it('ranks by quotients as the engine does where a divisor is 0 or empty', () =>
  opened(async (query, statements) => {
    expect(await query('TopCount([Item].[Item].Members, 3, [Measures].[Ratio])')).toEqual(['none', 'zero', 'five']);
    expect(statements.some((sql) => sql.includes('ROW_NUMBER()'))).toBe(true);
    // The item whose quotient is empty comes last.
    expect(await query('TopCount([Item].[Item].Members, 8, [Measures].[Ratio])')).toEqual([
      'none',
      'zero',
      'five',
      'four',
      'tie2', // 0.1 + 0.2 by the same
      'tie1', // 0.3 by 0.1 + 0.2, a bit more
      'minus',
      'empty',
    ]);
    const some = 'Filter([Item].[Item].Members, [Measures].[A] < 100)';
    expect(await query(`BottomCount(${some}, 1, [Measures].[Ratio])`)).toEqual(['minus']);
    expect(await query(`BottomCount(${some}, 1, -[Measures].[Ratio] * 2)`)).toEqual(['none']);
  }));

it('ranks by differences, which doubles round', () =>
  opened(async (query) => {
    // 0.3 less 0.30000000000000004 on both, in whatever order the warehouse adds; then by the order of the hierarchy.
    const least = await query('TopCount([Item].[Item].Members, 6, [Measures].[Difference])');
    expect(least.slice(0, 4)).toEqual(['five', 'four', 'none', 'zero']);
    expect(least.slice(4).toSorted()).toEqual(['tie1', 'tie2']);
    expect(await query('Head(Order([Item].[Item].Members, [Measures].[A] * 2 - [Measures].[B], BDESC), 2)')).toEqual([
      'five',
      'four',
    ]);
  }));

it('leaves other formulas to the engine', () =>
  opened(async (query, statements) => {
    expect(await query('TopCount([Item].[Item].Members, 2, [Measures].[Bounded])')).toEqual(['none', 'five']);
    expect(await query('TopCount([Item].[Item].Members, 2, [Measures].[A] + 1)')).toEqual(['five', 'four']);
    expect(await query('TopCount([Item].[Item].Members, 2, [Measures].[A] / 0)')).toHaveLength(2);
    expect(statements.filter((sql) => sql.includes('ROW_NUMBER()'))).toEqual([]);
  }));
