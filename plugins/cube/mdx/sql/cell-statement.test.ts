import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Statement, Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { openSchema } from '../testing/open-schema.ts';

const TABLES = [
  'CREATE TABLE shop (id INTEGER, city VARCHAR(20) NULL, street VARCHAR(20))',
  "INSERT INTO shop VALUES (1, 'Bonn', 'High'), (2, 'Bonn', 'Low'), (3, 'Ulm', 'High'), (4, NULL, 'Low'), (5, 'Rome', 'High')",
  'CREATE TABLE sale (shop INTEGER NULL, buyer INTEGER NULL, units INTEGER NULL, price DECIMAL(8,2) NULL)',
  `INSERT INTO sale VALUES (1, 7, 1, 1.50), (1, 7, 2, 2.50), (2, 7, 4, NULL), (2, 8, 8, 0.25), (2, NULL, 16, 3.00), (3, 8, 32, 5.00),
   (3, 8, NULL, 6.00), (4, 9, 64, 7.00), (4, NULL, 128, 8.00), (9, 10, 256, 9.00), (NULL, 11, 512, 1.00)`,
];

const SCHEMA = `<Schema name="S"><Cube name="Sales"><Table name="sale"/>
  <Dimension name="Shop" foreignKey="shop"><Hierarchy hasAll="true" primaryKey="id"><Table name="shop"/>
    <Level name="City" column="city" uniqueMembers="true"/><Level name="Street" column="street" uniqueMembers="false"/></Hierarchy></Dimension>
  <Measure name="Buyers" column="buyer" aggregator="distinct-count"/>
  <Measure name="Units" column="units" aggregator="sum"/>
  <Measure name="Counted" column="units" aggregator="count"/>
  <Measure name="Lowest" column="units" aggregator="min"/>
  <Measure name="Highest" column="units" aggregator="max"/>
  <Measure name="Revenue" column="price" aggregator="sum"/>
  <Measure name="Mean" column="price" aggregator="avg"/>
</Cube></Schema>`;

const COMBINED = ['Buyers', 'Units', 'Counted', 'Lowest', 'Highest', 'Revenue'];

/** For each city and for all: buyers, units, counted, lowest, highest, revenue. Shop 9 is in no city, a sale without a shop neither. */
const EXPECTED = {
  '#null': [1, 192, 2, 64, 128, 15],
  Bonn: [2, 31, 5, 1, 16, 7.25],
  Rome: [null, null, null, null, null, null],
  Ulm: [1, 32, 1, 32, 32, 11],
};

describeEngines('the statement of cells on $engine', (engine) => {
  let on: TestWarehouse;
  let sent: string[] = [];
  const warehouse = (): Warehouse =>
    new Proxy(on.warehouse, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (name !== 'query') return typeof member === 'function' ? member.bind(target) : member;
        return (statement: Statement, ...rest: unknown[]) => {
          sent.push(statement.sql);
          return Reflect.apply(target.query, target, [statement, ...rest]);
        };
      },
    });
  beforeAll(async () => {
    on = await startWarehouse(engine, TABLES);
  }, 60_000);
  afterAll(() => on?.stop());

  const answer = async (measures: readonly string[], set: string) => {
    const catalog = openSchema(SCHEMA, warehouse());
    const axis = measures.map((name) => `[Measures].[${name}]`).join(', ');
    const { axes, cells } = await catalog.query(`SELECT {${axis}} ON 0, ${set} ON 1 FROM Sales`);
    await catalog.close();
    const tuples = axes[1]?.tuples ?? [];
    return Object.fromEntries(
      tuples.map(([member], row) => [
        member?.name ?? '',
        measures.map((_, column) => cells[row * measures.length + column]?.value),
      ]),
    );
  };

  it('counts distinct values beside other measures, with nulls and without rows', async () => {
    expect(await answer(COMBINED, '[Shop].[City].Members')).toEqual(EXPECTED);
    expect(await answer(['Buyers'], '[Shop].[City].Members')).toEqual(
      Object.fromEntries(Object.entries(EXPECTED).map(([city, [buyers]]) => [city, [buyers]])),
    );
  });

  it('counts distinct values beside values, by group and of all rows', async () => {
    sent = [];
    expect(await answer(['Buyers', 'Counted'], '[Shop].[City].Members')).toEqual(
      Object.fromEntries(Object.entries(EXPECTED).map(([city, [buyers, , counted]]) => [city, [buyers, counted]])),
    );
    expect(await answer(['Buyers', 'Counted'], '{[Shop].[All Shops]}')).toEqual({ 'All Shops': [5, 10] });
    expect(sent.filter((sql) => sql.includes(' AS counted'))).toHaveLength(engine === 'postgresql' ? 2 : 0);
  });

  it('counts distinct values of all rows beside a sum', async () => {
    expect(await answer(['Buyers', 'Counted', 'Revenue'], '{[Shop].[All Shops]}')).toEqual({
      'All Shops': [5, 10, 43.25],
    });
  });

  it('counts distinct values beside a mean, which needs all rows', async () => {
    expect(await answer(['Buyers', 'Mean'], '{[Shop].[Ulm], [Shop].[Rome]}')).toEqual({
      Ulm: [1, 5.5],
      Rome: [null, null],
    });
  });

  it('lists no keys where all of a level are requested', async () => {
    sent = [];
    await answer(['Units'], '[Shop].[City].Members');
    expect(sent.filter((sql) => sql.includes('SUM(')).map((sql) => sql.includes('WHERE'))).toEqual([false]);
    sent = [];
    expect(await answer(['Units'], '[Shop].[Bonn].Children')).toEqual({ High: [3], Low: [28] });
    const cells = sent.filter((sql) => sql.includes('SUM('));
    expect(cells).toHaveLength(1);
    // Both streets are requested, but one city of four.
    const [, condition] = /WHERE (.*) GROUP BY/.exec(cells[0] ?? '') ?? [];
    expect(condition).toMatch(/city/);
    expect(condition).not.toMatch(/street/);
  });
});
