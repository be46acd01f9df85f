/** Twelve queries of MDX on FoodMart in PostgreSQL, in turns with Mondrian on the same database. */
import { join } from 'node:path';
import { openSchema } from '../../plugins/cube/mdx/testing/open-schema.ts';
import {
  foodmartDirectory,
  foodmartMissing,
  foodmartSchema,
  foodmartTables,
} from '../../plugins/cube/testing/foodmart.ts';
import type { Warehouse } from '../../router/capabilities/warehouse.ts';
import { startWarehouse } from '../../server/warehouse/testing/engines.ts';
import { head, median, row } from '../print.ts';
import { type MdxPeer, type PeerAnswer, startMondrian } from './peer.ts';

const WARM_UPS = 5;
const RUNS = 15;
/** Warm answers of each catalog. */
const AGAIN = 10;
/** Sums of doubles depend on the order of the rows. */
const SAME_WITHIN = 1e-9;

const QUERIES: Readonly<Record<string, string>> = {
  quarters: 'SELECT {[Measures].[Unit Sales], [Measures].[Store Sales]} ON 0, [Time].[1997].Children ON 1 FROM Sales',
  'categories of products':
    'SELECT {[Measures].[Unit Sales], [Measures].[Store Cost]} ON 0, [Product].[Product Category].Members ON 1 FROM Sales',
  'cities × gender × months':
    'SELECT {[Measures].[Unit Sales]} ON 0, NON EMPTY [Customers].[City].Members * [Gender].[Gender].Members * [Time].[Month].Members ON 1 FROM Sales',
  'ten best products':
    'SELECT {[Measures].[Store Sales]} ON 0, TopCount([Product].[Product Name].Members, 10, [Measures].[Store Sales]) ON 1 FROM Sales WHERE [Time].[1997]',
  'subcategories by profit':
    "WITH MEMBER [Measures].[Gain] AS '[Measures].[Store Sales] - [Measures].[Store Cost]' SELECT {[Measures].[Gain]} ON 0, Order([Product].[Product Subcategory].Members, [Measures].[Gain], BDESC) ON 1 FROM Sales WHERE [Time].[1997]",
  'growth by month':
    "WITH MEMBER [Measures].[Growth] AS '[Measures].[Unit Sales] / ([Measures].[Unit Sales], [Time].PrevMember)', FORMAT_STRING = '0.00%' SELECT {[Measures].[Unit Sales], [Measures].[Growth]} ON 0, [Time].[Month].Members * [Store].[Store State].Members ON 1 FROM Sales",
  'year to date':
    "WITH MEMBER [Measures].[To Date] AS 'Sum(YTD(), [Measures].[Store Sales])' SELECT {[Measures].[To Date]} ON 0, Descendants([Time].[1997], [Time].[Month]) * [Product].[Product Family].Members ON 1 FROM Sales",
  'cities above a value':
    'SELECT {[Measures].[Unit Sales]} ON 0, Filter([Customers].[City].Members, [Measures].[Unit Sales] > 3000) ON 1 FROM Sales WHERE [Time].[1997]',
  'media × departments by state':
    'SELECT NON EMPTY [Store].[Store State].Members ON 0, NON EMPTY [Promotion Media].[Media Type].Members * [Product].[Product Department].Members ON 1 FROM Sales WHERE ([Measures].[Store Sales], [Time].[1997])',
  'distinct customers':
    'SELECT {[Measures].[Customer Count]} ON 0, [Time].[1997].Children * [Product].[Product Family].Members ON 1 FROM Sales',
  'two facts':
    'SELECT {[Measures].[Store Sales], [Measures].[Warehouse Cost]} ON 0, NON EMPTY [Product].[Product Department].Members * [Time].[1997].Children ON 1 FROM [Warehouse and Sales]',
  'salaries of a hierarchy':
    'SELECT {[Measures].[Org Salary], [Measures].[Count]} ON 0, [Employees].Members ON 1 FROM HR WHERE [Time].[1997]',
};

type Temperature = 'cold' | 'warm';
type Times = Record<Temperature, number[]>;

/** Our engine in this process. A cold answer reads the schema, the members and the cells anew. */
function ourEngine(schema: string, warehouse: Warehouse): MdxPeer {
  let catalog = openSchema(schema, warehouse);
  return {
    async answer(mdx, how) {
      if (how === 'cold') await catalog.close();
      const begun = performance.now();
      if (how === 'cold') catalog = openSchema(schema, warehouse);
      const { cells, columns } = await catalog.query(mdx);
      const milliseconds = performance.now() - begun;
      const values = columns?.values ?? cells.map(({ value }) => value);
      const sum = values.reduce((all: number, value) => (typeof value === 'number' ? all + value : all), 0);
      return { milliseconds, cells: values.length, sum };
    },
    stop: () => catalog.close(),
  };
}

export async function mondrianPart(): Promise<void> {
  const directory = foodmartDirectory();
  if (directory === undefined) return console.log(`Nothing beside Mondrian: ${foodmartMissing()}.`);
  const { warehouse, address, stop } = await startWarehouse('postgresql', foodmartTables(directory));
  const credentials = new URLSearchParams({ user: address.username ?? '', password: address.password ?? '' });
  const engines: MdxPeer[] = [ourEngine(foodmartSchema(directory), warehouse)];
  try {
    engines.push(await startMondrian(`${address.jdbcUrl}?${credentials}`, join(directory, 'FoodMart.xml')));
    head('FoodMart in PostgreSQL', 'cells', 'cold', 'Mondrian', 'ratio', 'warm', 'Mondrian', 'ratio');
    const ratios: Times = { cold: [], warm: [] };
    for (const [name, mdx] of Object.entries(QUERIES)) {
      const times = engines.map((): Times => ({ cold: [], warm: [] }));
      let cells = 0;
      for (let run = -WARM_UPS; run < RUNS; run++) {
        const answers: PeerAnswer[] = [];
        for (const [at, engine] of engines.entries()) {
          const asked: readonly Temperature[] = ['cold', ...Array.from({ length: AGAIN }, () => 'warm' as const)];
          for (const how of asked) {
            const answer = await engine.answer(mdx, how);
            answers.push(answer);
            if (run >= 0) times[at]?.[how].push(answer.milliseconds);
          }
        }
        cells = sameCells(name, answers);
      }
      const columns = (['cold', 'warm'] as const).flatMap((how) => {
        const [ours, theirs] = times.map((each) => median(each[how]));
        const ratio = (ours ?? Number.NaN) / (theirs ?? Number.NaN);
        ratios[how].push(ratio);
        return [`${ours?.toFixed(1)} ms`, `${theirs?.toFixed(1)} ms`, ratio.toFixed(2)];
      });
      row(name, String(cells), ...columns);
    }
    for (const [how, each] of Object.entries(ratios))
      console.log(`Ratio ${how}: ${median(each).toFixed(2)} in the median, ${Math.max(...each).toFixed(2)} at worst.`);
  } finally {
    for (const engine of engines) await engine.stop();
    await stop();
  }
}

/**
 * Returns the number of cells of answers to one query.
 *
 * @throws Error if the answers differ
 */
function sameCells(name: string, [first, ...others]: readonly PeerAnswer[]): number {
  for (const other of others) {
    const isSameSum =
      other.sum === first?.sum || // Infinity, where a cell divides by nothing.
      Math.abs(other.sum - (first?.sum ?? 0)) <= Math.max(0.001, Math.abs(other.sum) * SAME_WITHIN);
    if (other.cells !== first?.cells || !isSameSum)
      throw new Error(`${name}: ${first?.cells} cells, sum ${first?.sum}; and ${other.cells}, ${other.sum}.`);
  }
  return first?.cells ?? 0;
}
