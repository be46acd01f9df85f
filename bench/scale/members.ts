/** MDX over a level of a thousand to a million members. */
import { openSchema } from '../../plugins/cube/mdx/testing/open-schema.ts';
import type { Warehouse } from '../../router/capabilities/warehouse.ts';
import { TimeoutError } from '../../router/errors.ts';
import { startWarehouse } from '../../server/warehouse/testing/engines.ts';
import { head, median, mib, row } from '../print.ts';
import { timesOf, usedHeapBytes } from '../times.ts';

const SIZES = [1_000, 10_000, 100_000, 1_000_000] as const;
const RUNS = 3;

const CUBE = `<Schema name="Large"><Cube name="Bought"><Table name="bought"/>
  <Dimension name="Customer" foreignKey="customer"><Hierarchy hasAll="true" primaryKey="id"><Table name="customer"/>
    <Level name="Customer" column="id" type="Numeric" nameColumn="name" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Amount" column="amount" aggregator="sum"/></Cube></Schema>`;
const LEVEL = '[Customer].[Customer].Members';
const ASKED = {
  'the first ten': `SELECT [Measures].[Amount] ON 0, Head(${LEVEL}, 10) ON 1 FROM Bought`,
  'the top ten': `SELECT [Measures].[Amount] ON 0, TopCount(${LEVEL}, 10, [Measures].[Amount]) ON 1 FROM Bought`,
  'their number': `WITH MEMBER [Measures].[N] AS Count(${LEVEL}) SELECT [Measures].[N] ON 0 FROM Bought`,
  'one by name': 'SELECT [Measures].[Amount] ON 0, [Customer].[Customer 0000007] ON 1 FROM Bought',
} as const;

export async function scaleMembersPart(): Promise<void> {
  head('members', 'asked for', 'cold, processor time', 'warm', 'memory after it');
  for (const size of SIZES) {
    const { warehouse, stop } = await startWarehouse('duckdb', [
      `CREATE TABLE customer AS SELECT i AS id, 'Customer ' || lpad(i::VARCHAR, 7, '0') AS name FROM range(${size}) t(i)`,
      `CREATE TABLE bought AS SELECT i AS customer, (i % 97)::INTEGER AS amount FROM range(${size}) t(i)`,
    ]);
    try {
      for (const [name, mdx] of Object.entries(ASKED)) {
        const figures = await measured(warehouse, mdx).catch(refusalOf);
        row(size.toLocaleString('en'), name, ...figures);
      }
    } finally {
      await stop();
    }
  }
}

async function measured(warehouse: Warehouse, mdx: string): Promise<readonly string[]> {
  const [cold, warm]: [number[], number[]] = [[], []];
  let heap = 0;
  for (let run = 0; run < RUNS; run++) {
    const before = usedHeapBytes();
    const catalog = openSchema(CUBE, warehouse);
    try {
      cold.push((await timesOf(() => catalog.query(mdx))).processor);
      warm.push((await timesOf(() => catalog.query(mdx))).processor);
      heap = Math.max(0, usedHeapBytes() - before);
    } finally {
      await catalog.close();
    }
  }
  return [`${median(cold).toFixed(0)} ms`, `${median(warm).toFixed(1)} ms`, mib(heap)];
}

function refusalOf(error: unknown): readonly string[] {
  if (!(error instanceof TimeoutError)) throw error;
  return ['ended by the time limit', '', ''];
}
