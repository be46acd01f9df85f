/** MDX over sets of a million tuples, beside the one statement that a bare client would send. */

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { openSchema } from '../plugins/cube/mdx/testing/open-schema.ts';
import { startWarehouse } from '../server/warehouse/testing/engines.ts';
import { head, median, row } from './print.ts';

const SALES = 3_000_000;
const RUNS = 5;

/** Rows of a smaller table, of which the pairs are few enough for the cells of one query. */
const FEW_SALES = 400_000;

const cube = (name: string, table: string): string => `<Cube name="${name}">
  <Table name="${table}"/>
  <Dimension name="Day"><Hierarchy hasAll="true"><Level name="Day" column="day" uniqueMembers="true"/></Hierarchy></Dimension>
  <Dimension name="Product"><Hierarchy hasAll="true"><Level name="Product" column="product" type="Numeric" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Amount" column="amount" aggregator="sum"/>
  <Measure name="Cost" column="cost" aggregator="sum"/>
  <CalculatedMember name="Margin" dimension="Measures" formula="[Measures].[Amount] - [Measures].[Cost]"/>
  <CalculatedMember name="Rate" dimension="Measures" formula="[Measures].[Margin] / [Measures].[Amount]"/>
</Cube>`;
export const SALES_SCHEMA = `<Schema name="Sales">${cube('Sales', 'sale')}${cube('Few', 'few')}</Schema>`;

/** Returns the statement of a table with 1,096 days and 1,000 products. */
export const salesTable = (name: string, rows: number): string =>
  `CREATE TABLE ${name} AS SELECT strftime(DATE '2023-01-01' + (hash(i) % 1096)::INTEGER, '%Y-%m-%d') AS day, (hash(i * 7 + 1) % 1000)::INTEGER AS product,
  ((hash(i * 3) % 10000) / 100.0)::DECIMAL(10,2) AS amount, ((hash(i * 5) % 9000) / 100.0)::DECIMAL(10,2) AS cost FROM range(${rows}) t(i)`;

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

/** All pairs that have a sale, as cells with their texts. */
export const CROSSTAB = {
  mdx: `SELECT [Measures].[Amount] ON 0, NON EMPTY ${PAIRS} ON 1 FROM Few`,
  sql: 'SELECT day, product, SUM(amount) FROM few GROUP BY day, product ORDER BY day, product',
};

/** Opens DuckDB with the smaller table, and reads it by its library alone. */
async function bareClient(): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(salesTable('few', FEW_SALES));
  return connection;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export async function mdxSetsPart(): Promise<void> {
  const { warehouse, stop } = await startWarehouse('duckdb', [salesTable('sale', SALES), salesTable('few', FEW_SALES)]);
  try {
    head(`MDX over ${SALES.toLocaleString('en')} sales, cold`, 'MDX', 'one statement of SQL', 'ratio');
    for (const { name, mdx, sql } of ASKED) {
      const ours: number[] = [];
      const plain: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        plain.push(await timed(() => warehouse.query({ sql, parameters: [] }, { maxRows: 100 })));
        const catalog = openSchema(SALES_SCHEMA, warehouse);
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
    head(`All pairs of ${FEW_SALES.toLocaleString('en')} sales`, 'MDX', 'bare client', 'ratio', 'our reader', 'ratio');
    const bare = await bareClient();
    const [cold, warm, plain, read]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let run = 0; run < RUNS; run++) {
      plain.push(await timed(async () => (await bare.runAndReadAll(CROSSTAB.sql)).getRowsJS()));
      read.push(await timed(() => warehouse.query({ sql: CROSSTAB.sql, parameters: [] }, { maxRows: FEW_SALES })));
      const catalog = openSchema(SALES_SCHEMA, warehouse);
      cold.push(await timed(() => catalog.query(CROSSTAB.mdx)));
      warm.push(await timed(() => catalog.query(CROSSTAB.mdx)));
      await catalog.close();
    }
    for (const [name, times] of Object.entries({ cold, 'again, from the cells in memory': warm }))
      row(
        name,
        `${median(times).toFixed(0)} ms`,
        ...[plain, read].flatMap((each) => [
          `${median(each).toFixed(0)} ms`,
          (median(times) / median(each)).toFixed(2),
        ]),
      );
    bare.closeSync();
  } finally {
    await stop();
  }
}
