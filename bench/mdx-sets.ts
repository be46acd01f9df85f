/** MDX over sets of a million tuples, beside the one statement that a bare client would send. */

import { openSchema } from '../plugins/cube/mdx/testing/open-schema.ts';
import { startWarehouse } from '../server/warehouse/testing/engines.ts';
import { head, median, row } from './print.ts';

const SALES = 3_000_000;
const RUNS = 5;

const SCHEMA = `<Schema name="Sales"><Cube name="Sales">
  <Table name="sale"/>
  <Dimension name="Day"><Hierarchy hasAll="true"><Level name="Day" column="day" uniqueMembers="true"/></Hierarchy></Dimension>
  <Dimension name="Product"><Hierarchy hasAll="true"><Level name="Product" column="product" type="Numeric" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Amount" column="amount" aggregator="sum"/>
  <Measure name="Cost" column="cost" aggregator="sum"/>
  <CalculatedMember name="Margin" dimension="Measures" formula="[Measures].[Amount] - [Measures].[Cost]"/>
  <CalculatedMember name="Rate" dimension="Measures" formula="[Measures].[Margin] / [Measures].[Amount]"/>
</Cube></Schema>`;

/** 1,096 days and 1,000 products, of which nearly every pair has a sale. */
const TABLE = `CREATE TABLE sale AS SELECT strftime(DATE '2023-01-01' + (hash(i) % 1096)::INTEGER, '%Y-%m-%d') AS day, (hash(i * 7 + 1) % 1000)::INTEGER AS product,
  ((hash(i * 3) % 10000) / 100.0)::DECIMAL(10,2) AS amount, ((hash(i * 5) % 9000) / 100.0)::DECIMAL(10,2) AS cost FROM range(${SALES}) t(i)`;

const PAIRS = '[Day].[Day].Members * [Product].[Product].Members';
const ASKED = [
  {
    name: '`Head(Order(days × products, Margin, BDESC), 10)`',
    mdx: `SELECT [Measures].[Margin] ON 0, Head(Order(${PAIRS}, [Measures].[Margin], BDESC), 10) ON 1 FROM Sales`,
    sql: 'SELECT day, product, SUM(amount) - SUM(cost) AS by_this FROM sale GROUP BY day, product ORDER BY by_this DESC LIMIT 10',
  },
  {
    name: '`TopCount(days × products, 10, Rate)`',
    mdx: `SELECT [Measures].[Rate] ON 0, TopCount(${PAIRS}, 10, [Measures].[Rate]) ON 1 FROM Sales`,
    sql: 'SELECT day, product, (SUM(amount) - SUM(cost)) / SUM(amount) AS by_this FROM sale GROUP BY day, product HAVING SUM(amount) <> 0 ORDER BY by_this DESC LIMIT 10',
  },
] as const;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export async function mdxSetsPart(): Promise<void> {
  const { warehouse, stop } = await startWarehouse('duckdb', [TABLE]);
  try {
    head(`MDX over ${SALES.toLocaleString('en')} sales, cold`, 'MDX', 'one statement of SQL', 'ratio');
    for (const { name, mdx, sql } of ASKED) {
      const ours: number[] = [];
      const plain: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        plain.push(await timed(() => warehouse.query({ sql, parameters: [] }, { maxRows: 100 })));
        const catalog = openSchema(SCHEMA, warehouse);
        ours.push(await timed(() => catalog.query(mdx)));
        await catalog.close();
      }
      row(
        name,
        `${median(ours).toFixed(0)} ms`,
        `${median(plain).toFixed(0)} ms`,
        (median(ours) / median(plain)).toFixed(2),
      );
    }
  } finally {
    await stop();
  }
}
