/** Random requests over random data, compared with loops over the rows in memory. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { ValidationError } from '../../../router/errors.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { ENGINES, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import {
  bruteForce,
  type DatasetName,
  METRICS,
  type OracleFilter,
  type OracleQuery,
  type Reference,
  type Row,
  type Shop,
  type Value,
} from '../testing/brute-force.ts';
import { Fixture } from '../testing/fixture.ts';

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const SHOPS = 3;
const REQUESTS = Number(process.env.REQUESTS ?? 80);

const COLUMNS: Readonly<Record<DatasetName, Readonly<Record<string, string>>>> = {
  regions: { id: 'INTEGER', name: 'VARCHAR', population: 'BIGINT' },
  stores: { id: 'INTEGER', region_id: 'INTEGER', name: 'VARCHAR', size: 'INTEGER' },
  products: { id: 'INTEGER', category: 'VARCHAR', price: 'DECIMAL(8,2)' },
  sales: {
    id: 'INTEGER',
    store_id: 'INTEGER',
    product_id: 'INTEGER',
    quantity: 'INTEGER',
    amount: 'DECIMAL(10,2)',
    day: 'DATE',
  },
  returns: { id: 'INTEGER', product_id: 'INTEGER', reason: 'VARCHAR', cost: 'INTEGER' },
};

const field = (name: string) =>
  `{ name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const dataset = (name: DatasetName) =>
  `{ name: ${name}, source: ${name}, primary_key: [id], fields: [${Object.keys(COLUMNS[name]).map(field).join(', ')}] }`;
const metric = (name: string, sql: string) =>
  `{ name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${sql}" }] } }`;
const relationship = (from: DatasetName, to: DatasetName, column: string) =>
  `{ name: ${from}_${to}, from: ${from}, to: ${to}, from_columns: [${column}], to_columns: [id] }`;

const DOCUMENT = `
version: 0.1.1
semantic_model:
  - name: shop
    datasets: [${['sales', 'returns', 'stores', 'regions', 'products'].map((name) => dataset(name as DatasetName)).join(', ')}]
    relationships:
      - ${relationship('sales', 'stores', 'store_id')}
      - ${relationship('sales', 'products', 'product_id')}
      - ${relationship('stores', 'regions', 'region_id')}
      - ${relationship('returns', 'products', 'product_id')}
    metrics:
      - ${metric('sales_amount', 'SUM(sales.amount)')}
      - ${metric('sale_count', 'COUNT(*)')}
      - ${metric('average_quantity', 'AVG(sales.quantity)')}
      - ${metric('days', 'COUNT(DISTINCT sales.day)')}
      - ${metric('last_day', 'MAX(sales.day)')}
      - ${metric('list_value', 'SUM(sales.quantity * products.price)')}
      - ${metric('return_cost', 'SUM(returns.cost)')}
      - ${metric('return_count', 'COUNT(returns.id)')}
      - ${metric('store_size', 'SUM(stores.size)')}
      - ${metric('store_count', 'COUNT(stores.id)')}
      - ${metric('population', 'SUM(regions.population)')}
      - ${metric('product_count', 'COUNT(products.id)')}
      - ${metric('return_rate', 'SUM(returns.cost) / SUM(sales.amount)')}
      - ${metric('sales_per_store', 'SUM(sales.amount) / COUNT(stores.id)')}
`;

/** Few keys and names, so that groups meet, keys are missing, null or orphaned, and values repeat. */
const key = fc.option(fc.integer({ min: 1, max: 6 }), { freq: 5 });
const text = fc.option(fc.constantFrom('a', 'B', "o'x", 'групп', '007', '7'), { freq: 5 });
const small = fc.option(fc.integer({ min: -3, max: 9 }), { freq: 6 });
const money = fc.option(
  fc.integer({ min: -500, max: 900 }).map((cents) => cents / 100),
  { freq: 6 },
);
const day = fc.option(fc.constantFrom('2024-02-28', '2024-02-29', '2024-03-01', '2025-01-01'), { freq: 6 });

const rows = (shape: Readonly<Record<string, fc.Arbitrary<Value>>>, maxLength: number): fc.Arbitrary<readonly Row[]> =>
  fc.array(fc.record(shape), { maxLength }).map((all) => all.map((row, index) => ({ id: index + 1, ...row })));

const shops: fc.Arbitrary<Shop> = fc.record({
  regions: rows({ name: text, population: small }, 4),
  stores: rows({ region_id: key, name: text, size: small }, 5),
  products: rows({ category: text, price: money }, 5),
  sales: rows({ store_id: key, product_id: key, quantity: small, amount: money, day }, 25),
  returns: rows({ product_id: key, reason: text, cost: small }, 10),
});

const GROUPS: readonly Reference[] = [
  { dataset: 'regions', field: 'name' },
  { dataset: 'stores', field: 'name' },
  { dataset: 'stores', field: 'size' },
  { dataset: 'products', field: 'category' },
  { dataset: 'sales', field: 'day' },
  { dataset: 'sales', field: 'quantity' },
  { dataset: 'returns', field: 'reason' },
];

const filter: fc.Arbitrary<OracleFilter> = fc
  .record({
    target: fc.constantFrom(...GROUPS),
    op: fc.constantFrom('EQ', 'NEQ', 'LT', 'GTE', 'IN', 'BETWEEN', 'IS_NULL', 'IS_NOT_NULL'),
    picks: fc.array(fc.nat({ max: 5 }), { minLength: 2, maxLength: 4 }),
    none: fc.boolean(),
  })
  .map(({ target, op, picks, none }): OracleFilter => {
    const domains: Readonly<Record<string, readonly string[]>> = {
      day: ['2024-02-28', '2024-02-29', '2024-03-01', '2025-01-01', '2023-01-01', '2024-03-01'],
      size: ['0', '1', '2', '5', '8', '-1'],
      quantity: ['0', '1', '2', '5', '8', '-1'],
    };
    const domain = domains[target.field] ?? ['a', 'B', "o'x", 'групп', '007', '7'];
    const values = picks.map((pick) => domain[pick] ?? '');
    const [first = '', second = ''] = values;
    if (op === 'IN') return { ...target, op, values: none && picks[0] === 0 ? [] : values };
    if (op === 'BETWEEN') return { ...target, op, values: [first, second] };
    return op.startsWith('IS') ? { ...target, op } : { ...target, op, value: first };
  });

interface Asked extends OracleQuery {
  readonly sorts: readonly { readonly at: number; readonly direction: 'ASC' | 'DESC' }[];
  readonly limit: number | undefined;
}

const asked: fc.Arbitrary<Asked> = fc
  .record({
    groups: fc.uniqueArray(fc.constantFrom(...GROUPS), { maxLength: 3 }),
    metrics: fc.uniqueArray(fc.constantFrom(...Object.keys(METRICS)), { maxLength: 3 }),
    filters: fc.array(filter, { maxLength: 2 }),
    sorts: fc.array(fc.record({ at: fc.nat({ max: 5 }), direction: fc.constantFrom('ASC', 'DESC') }), { maxLength: 2 }),
    limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 3 }),
  })
  .filter(({ groups, metrics }) => groups.length + metrics.length > 0);

function requestOf({ groups, metrics, filters, sorts, limit }: Asked) {
  const half = Math.ceil(groups.length / 2);
  return {
    rows: groups.slice(0, half),
    columns: groups.slice(half),
    values: metrics.map((name) => ({ metric: name })),
    filters,
    sorts: sorts.map(({ at, direction }) => {
      const index = at % (groups.length + metrics.length);
      const group = groups[index];
      return group === undefined
        ? { metric: metrics[index - groups.length], direction }
        : { field: `${group.dataset}.${group.field}`, direction };
    }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function compareValues(left: Value, right: Value, direction: 'ASC' | 'DESC'): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
  const order = left < right ? -1 : left > right ? 1 : 0;
  return direction === 'ASC' ? order : -order;
}

function ordered(all: readonly (readonly Value[])[], { groups, metrics, sorts, limit }: Asked) {
  const keys = [
    ...sorts.map(({ at, direction }) => ({ index: at % (groups.length + metrics.length), direction })),
    ...groups.map((_, index) => ({ index, direction: 'ASC' as const })),
  ];
  const sorted = all.toSorted((left, right) => {
    for (const { index, direction } of keys) {
      const order = compareValues(rounded(left[index] ?? null), rounded(right[index] ?? null), direction);
      if (order !== 0) return order;
    }
    return 0;
  });
  return sorted.slice(0, limit);
}

/** Sums of cents in doubles differ in their last bits. */
function rounded(value: unknown): Value {
  if (typeof value === 'number') return Math.round(value * 1e6) / 1e6 + 0;
  return typeof value === 'string' ? value : null;
}

function tableSql(name: DatasetName, shop: Shop): readonly string[] {
  const columns = Object.entries(COLUMNS[name]);
  const literal = (value: Value) =>
    value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
  const tuples = shop[name].map((row) => `(${columns.map(([column]) => literal(row[column] ?? null)).join(', ')})`);
  return [
    `CREATE TABLE ${name} (${columns.map((column) => column.join(' ')).join(', ')})`,
    ...(tuples.length === 0 ? [] : [`INSERT INTO ${name} VALUES ${tuples.join(', ')}`]),
  ];
}

describe.each(ENGINES)(`random requests on %s (SEED=${seed})`, (engine) => {
  const fixtures: Fixture[] = [];
  afterAll(async () => {
    for (const fixture of fixtures) await fixture.close();
  });

  fc.sample(shops, { seed, numRuns: SHOPS }).forEach((shop, index) => {
    it(`give what loops over the rows of shop ${index + 1} give`, { timeout: 120_000 }, async () => {
      const names: readonly DatasetName[] = ['regions', 'stores', 'products', 'sales', 'returns'];
      const sql = names.flatMap((name) => tableSql(name, shop));
      const warehouse = await startWarehouse(engine, sql, { poolSize: 2 });
      const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
      const fixture = await Fixture.open({ warehouse, cache, document: DOCUMENT });
      fixtures.push(fixture);
      expect(fixture.problems).toEqual([]);
      let answered = 0;
      await fc.assert(
        fc.asyncProperty(asked, async (query) => {
          const expected = bruteForce(query, shop);
          if (expected === undefined) {
            await expect(fixture.run(requestOf(query))).rejects.toBeInstanceOf(ValidationError);
            return;
          }
          answered += 1;
          const table = await fixture.table(requestOf(query));
          expect(table.map((row) => row.map(rounded))).toEqual(ordered(expected, query).map((row) => row.map(rounded)));
        }),
        { seed: seed + index, numRuns: REQUESTS },
      );
      expect(answered).toBeGreaterThan(REQUESTS / 4);
    });
  });
});
