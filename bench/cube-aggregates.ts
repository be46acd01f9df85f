/** Asks a cube over ten million sales the same questions from the facts and with aggregate tables. */
import { bindAggregates } from '../plugins/cube/catalog/bind-aggregates.ts';
import { openCatalog } from '../plugins/cube/mdx/index.ts';
import { readSchema } from '../plugins/cube/schema/read-schema.ts';
import { startWarehouse } from '../server/warehouse/testing/engines.ts';
import { head, median, row } from './print.ts';
import { type Times, timesOf } from './times.ts';

const SALES = 10_000_000;
const RUNS = 7;

/** 1,096 days and 1,000 products in 12 categories. One aggregate table has the months, the other one the products by year. */
const TABLES = [
  `CREATE TABLE sales AS SELECT (hash(i * 7 + 1) % 1000)::INTEGER AS product_id, (hash(i) % 1096)::INTEGER AS day_id,
    ((hash(i * 3) % 10000) / 100.0)::DECIMAL(12,2) AS amount FROM range(${SALES}) t(i)`,
  "CREATE TABLE products AS SELECT i::INTEGER AS id, 'category ' || (i % 12) AS category FROM range(1000) t(i)",
  `CREATE TABLE days AS SELECT i::INTEGER AS id, year(DATE '2023-01-01' + i::INTEGER)::INTEGER AS year,
    month(DATE '2023-01-01' + i::INTEGER)::INTEGER AS month FROM range(1096) t(i)`,
  `CREATE TABLE sales_by_month AS SELECT p.category, d.year, d.month, SUM(s.amount)::DECIMAL(18,2) AS amount, COUNT(*) AS n
    FROM sales AS s JOIN products AS p ON p.id = s.product_id JOIN days AS d ON d.id = s.day_id GROUP BY ALL`,
  `CREATE TABLE sales_by_product AS SELECT s.product_id, d.year, SUM(s.amount)::DECIMAL(18,2) AS amount, COUNT(*) AS n
    FROM sales AS s JOIN days AS d ON d.id = s.day_id GROUP BY ALL`,
];

const VALUES = `<AggFactCount column="n"/><AggMeasure name="[Measures].[Amount]" column="amount"/>
  <AggLevel name="[Time].[Year]" column="year"/>`;
const SCHEMA = `<Schema name="Shop"><Cube name="Sales"><Table name="sales">
  <AggName name="sales_by_month">${VALUES}<AggLevel name="[Time].[Month]" column="month"/><AggLevel name="[Product].[Category]" column="category"/></AggName>
  <AggName name="sales_by_product">${VALUES}<AggForeignKey factColumn="product_id" aggColumn="product_id"/></AggName></Table>
  <Dimension name="Time" foreignKey="day_id"><Hierarchy hasAll="true" primaryKey="id"><Table name="days"/>
    <Level name="Year" column="year" type="Integer" uniqueMembers="true"/><Level name="Month" column="month" type="Integer" uniqueMembers="false"/>
    <Level name="Day" column="id" type="Integer" uniqueMembers="true"/></Hierarchy></Dimension>
  <Dimension name="Product" foreignKey="product_id"><Hierarchy hasAll="true" primaryKey="id"><Table name="products"/>
    <Level name="Category" column="category" uniqueMembers="true"/><Level name="Product" column="id" type="Integer" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Amount" column="amount" aggregator="sum"/><Measure name="Sales" aggregator="count"/></Cube></Schema>`;

/** Reads all members and no cell. */
const MEMBERS = `WITH MEMBER [Measures].[Nothing] AS 1 SELECT {[Measures].[Nothing]} ON 0,
  [Product].[Product].Members ON 1, [Time].[Month].Members ON 2 FROM [Sales]`;
const ASKED = {
  'amount by category': 'SELECT {[Measures].[Amount]} ON 0, [Product].[Category].Members ON 1 FROM [Sales]',
  'amount and sales by month':
    'SELECT {[Measures].[Amount], [Measures].[Sales]} ON 0, [Time].[Month].Members ON 1 FROM [Sales]',
  'categories that sold, by month of a year':
    'SELECT [Product].[Category].Members ON 0, NON EMPTY [Time].[2024].Children ON 1 FROM [Sales]',
  'the ten best products of a year':
    'SELECT {[Measures].[Amount]} ON 0, TopCount([Product].[Product].Members, 10, [Measures].[Amount]) ON 1 FROM [Sales] WHERE [Time].[2024]',
} as const;

export async function cubeAggregatesPart(): Promise<void> {
  const { warehouse, stop } = await startWarehouse('duckdb', TABLES);
  try {
    const { schema: written, problems } = readSchema(SCHEMA);
    if (written === undefined) throw new Error(JSON.stringify(problems));
    const { schema } = await bindAggregates(written, warehouse);
    /** Asks a new catalog, which has no cells in memory. */
    const ask = async (
      mdx: string,
      aggregates: boolean,
    ): Promise<{ readonly times: Times; readonly cells: string }> => {
      const catalog = openCatalog({ schema, warehouse, aggregates });
      try {
        await catalog.query(MEMBERS);
        await catalog.aggregatesCompared();
        let cells = '';
        const times = await timesOf(async () => {
          cells = JSON.stringify((await catalog.query(mdx)).cells.map(({ value }) => value));
        });
        return { times, cells };
      } finally {
        await catalog.close();
      }
    };
    head(
      `${SALES.toLocaleString('en')} facts`,
      'from the facts',
      'from an aggregate table',
      'ratio',
      'processor time, facts',
      'aggregate table',
      'ratio',
    );
    for (const [name, mdx] of Object.entries(ASKED)) {
      const [facts, table]: [Times[], Times[]] = [[], []];
      const answers = new Set<string>();
      for (let run = 0; run < RUNS; run++)
        for (const [times, aggregates] of [[facts, false] as const, [table, true] as const]) {
          const asked = await ask(mdx, aggregates);
          times.push(asked.times);
          answers.add(asked.cells);
        }
      const figures = (['clock', 'processor'] as const).flatMap((kind) => {
        const [from = 0, to = 1] = [facts, table].map((each) => median(each.map((one) => one[kind])));
        return [`${from.toFixed(1)} ms`, `${to.toFixed(1)} ms`, `${(from / to).toFixed(0)}×`];
      });
      row(answers.size === 1 ? name : `${name}: THE ANSWERS DIFFER`, ...figures);
    }
  } finally {
    await stop();
  }
}
