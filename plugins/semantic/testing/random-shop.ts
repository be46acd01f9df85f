/** Random small shops and random requests to them, as fast-check arbitraries, with the model of the shops. */
import fc from 'fast-check';
import {
  bruteForce,
  type DatasetName,
  METRICS,
  type OracleFilter,
  type OracleQuery,
  RELATIONSHIPS,
  type Reference,
  type Row,
  type Shop,
  type Value,
} from './brute-force.ts';
import type { ColumnType, Table } from './tables.ts';

const COLUMNS: Readonly<Record<DatasetName, Readonly<Record<string, ColumnType>>>> = {
  regions: { id: 'integer', name: 'text', population: 'bigint' },
  stores: { id: 'integer', region_id: 'integer', name: 'text', size: 'integer' },
  products: { id: 'integer', category: 'text', price: 'money' },
  sales: {
    id: 'integer',
    store_id: 'integer',
    product_id: 'integer',
    quantity: 'integer',
    amount: 'money',
    day: 'date',
    ordered_on: 'integer',
    shipped_on: 'integer',
  },
  returns: { id: 'integer', product_id: 'integer', reason: 'text', cost: 'integer', returned_on: 'integer' },
  calendar: { id: 'integer', label: 'text', season_id: 'integer', fiscal_season_id: 'integer' },
  seasons: { id: 'integer', name: 'text' },
};
const DATASETS: readonly DatasetName[] = ['sales', 'returns', 'stores', 'regions', 'products', 'calendar', 'seasons'];

const field = (name: string) =>
  `{ name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
/** Conditions on the rows of some datasets, by role. */
export type Predicates = Partial<Readonly<Record<DatasetName, Readonly<Record<string, string>>>>>;

/** Viewer filters of some datasets. */
export type ShopViewerFilters = Partial<
  Readonly<Record<DatasetName, readonly { readonly field: string; readonly attribute: string }[]>>
>;

const dataset = (name: DatasetName, predicates: Predicates, filters: ShopViewerFilters) =>
  `{ name: ${name}, source: ${name}, primary_key: [id]${restriction(predicates[name], filters[name])}, fields: [${Object.keys(COLUMNS[name]).map(field).join(', ')}] }`;
const restriction = (
  byRole: Readonly<Record<string, string>> | undefined,
  viewer_filters: ShopViewerFilters['sales'],
) => {
  if (byRole === undefined && viewer_filters === undefined) return '';
  const data = { ...(byRole === undefined ? {} : { roles: { row_predicates: byRole } }), viewer_filters };
  return `, custom_extensions: [{ vendor_name: SERVICE, data: ${JSON.stringify(data)} }]`;
};
const metric = (name: string, sql: string) =>
  `{ name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${sql}" }] } }`;
const relationships = Object.entries(RELATIONSHIPS).map(
  ([name, [from, column, to]]) =>
    `{ name: ${name}, from: ${from}, to: ${to}, from_columns: [${column}], to_columns: [id] }`,
);

export const SHOP_DOCUMENT = shopDocument();

export function shopDocument(predicates: Predicates = {}, filters: ShopViewerFilters = {}): string {
  return `
version: 0.1.1
semantic_model:
  - name: shop
    datasets: [${DATASETS.map((name) => dataset(name, predicates, filters)).join(', ')}]
    relationships: [${relationships.join(', ')}]
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
      - ${metric('calendar_count', 'COUNT(calendar.id)')}
      - ${metric('return_rate', 'SUM(returns.cost) / SUM(sales.amount)')}
      - ${metric('sales_per_store', 'SUM(sales.amount) / COUNT(stores.id)')}
`;
}

/** Few keys and names, so that groups meet, keys are missing, null or orphaned, and values repeat. */
const key = fc.option(fc.integer({ min: 1, max: 6 }), { freq: 5 });
const text = fc.option(fc.constantFrom('a', 'B', "o'x", 'групп', '007', '7'), { freq: 5 });
const small = fc.option(fc.integer({ min: -3, max: 9 }), { freq: 6 });
/** Quarters, which doubles represent exactly: some engines have no decimals. */
const money = fc.option(
  fc.integer({ min: -20, max: 36 }).map((quarters) => quarters / 4),
  { freq: 6 },
);
const day = fc.option(fc.constantFrom('2024-02-28', '2024-02-29', '2024-03-01', '2025-01-01'), { freq: 6 });

const rows = (shape: Readonly<Record<string, fc.Arbitrary<Value>>>, maxLength: number): fc.Arbitrary<readonly Row[]> =>
  fc.array(fc.record(shape), { maxLength }).map((all) => all.map((row, index) => ({ id: index + 1, ...row })));

const anyShops: fc.Arbitrary<Shop> = fc.record({
  regions: rows({ name: text, population: small }, 4),
  stores: rows({ region_id: key, name: text, size: small }, 5),
  products: rows({ category: text, price: money }, 5),
  sales: rows(
    { store_id: key, product_id: key, quantity: small, amount: money, day, ordered_on: key, shipped_on: key },
    25,
  ),
  returns: rows({ product_id: key, reason: text, cost: small, returned_on: key }, 10),
  calendar: rows({ label: text, season_id: key, fiscal_season_id: key }, 5),
  seasons: rows({ name: text }, 3),
});

/** Some shops have some keys repaired, so that every row has its match and joins may be inner joins. */
export const shops: fc.Arbitrary<Shop> = fc
  .tuple(anyShops, fc.record({ store: fc.boolean(), product: fc.boolean(), region: fc.boolean() }))
  .map(([shop, repaired]) => ({
    ...shop,
    stores: repaired.region ? withMatches(shop.stores, 'region_id', shop.regions) : shop.stores,
    sales: [
      (sales: readonly Row[]) => (repaired.store ? withMatches(sales, 'store_id', shop.stores) : sales),
      (sales: readonly Row[]) => (repaired.product ? withMatches(sales, 'product_id', shop.products) : sales),
    ].reduce((sales, repair) => repair(sales), shop.sales),
  }));

function withMatches(all: readonly Row[], column: string, targets: readonly Row[]): readonly Row[] {
  if (targets.length === 0) return all;
  return all.map((row, index) => {
    const matches = targets.some(({ id }) => id === row[column]);
    return matches ? row : { ...row, [column]: targets[index % targets.length]?.id ?? null };
  });
}

const GROUPS: readonly Reference[] = [
  { dataset: 'regions', field: 'name' },
  { dataset: 'stores', field: 'name' },
  { dataset: 'stores', field: 'size' },
  { dataset: 'products', field: 'category' },
  { dataset: 'sales', field: 'day' },
  { dataset: 'sales', field: 'quantity' },
  { dataset: 'returns', field: 'reason' },
  { dataset: 'calendar', field: 'label' },
  { dataset: 'seasons', field: 'name' },
];

const FORKED: readonly DatasetName[] = ['calendar', 'seasons'];
const FACTS_TO_CALENDAR = ['ordered', 'shipped', 'returned'];
const CALENDAR_TO_SEASONS = ['season', 'fiscal_season'];

/**
 * A field with relationships that usually select one path; sometimes too few, too many, or relationships of other facts.
 */
const reference: fc.Arbitrary<Reference> = fc
  .record({
    group: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...GROUPS) },
      { weight: 1, arbitrary: fc.constantFrom(...GROUPS.filter(({ dataset }) => FORKED.includes(dataset))) },
    ),
    // A path each for sales and returns, for metrics of both.
    facts: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...FACTS_TO_CALENDAR).map((name) => [name]) },
      { weight: 1, arbitrary: fc.constantFrom('ordered', 'shipped').map((name) => [name, 'returned']) },
      { weight: 1, arbitrary: fc.constant([]) },
    ),
    seasons: fc.constantFrom(...CALENDAR_TO_SEASONS),
    any: fc.subarray(Object.keys(RELATIONSHIPS), { maxLength: 2 }),
    isAny: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
  })
  .map(({ group, facts, seasons, any, isAny }): Reference => {
    const meant = group.dataset === 'calendar' ? facts : group.dataset === 'seasons' ? [...facts, seasons] : [];
    const via = isAny ? any : meant;
    return via.length === 0 ? group : { ...group, via };
  });
const keyOfReference = ({ dataset, field, via = [] }: Reference) => `${dataset}.${field}@${via.join('/')}`;

const filter: fc.Arbitrary<OracleFilter> = fc
  .record({
    target: reference,
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

/** A random query: the first `down` groups are rows, the others columns. */
export interface Asked extends OracleQuery {
  readonly down: number;
  readonly sorts: readonly { readonly at: number; readonly direction: 'ASC' | 'DESC' }[];
  readonly limit: number | undefined;
}

export const randomQueries: fc.Arbitrary<Asked> = fc
  .record({
    groups: fc.uniqueArray(reference, { maxLength: 3, selector: keyOfReference }),
    share: fc.nat({ max: 3 }),
    metrics: fc.uniqueArray(fc.constantFrom(...Object.keys(METRICS)), { maxLength: 3 }),
    filters: fc.array(filter, { maxLength: 2 }),
    picks: fc.array(fc.record({ at: fc.nat({ max: 5 }), direction: fc.constantFrom('ASC', 'DESC') }), { maxLength: 2 }),
    limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 3 }),
  })
  .filter(({ groups, metrics }) => groups.length + metrics.length > 0)
  .map(({ share, picks, ...rest }): Asked => {
    const choices = rest.groups.length + rest.metrics.length;
    const sorts = picks.map(({ at, direction }) => ({ at: at % choices, direction }));
    return { ...rest, down: Math.min(share, rest.groups.length), sorts };
  });

/** Writes a reference with its relationships as one text or as a list. */
const written = <Item extends Reference>({ via, ...rest }: Item) => {
  if (via === undefined) return rest;
  return { ...rest, via: via.length % 2 === 0 ? via.join('/') : via };
};

/** Writes the query as a body of `/query`. */
export function requestOf({ groups, down, metrics, filters, sorts, limit }: Asked) {
  return {
    rows: groups.slice(0, down).map(written),
    columns: groups.slice(down).map(written),
    values: metrics.map((name) => ({ metric: name })),
    filters: filters.map(written),
    sorts: sorts.map(({ at, direction }) => {
      const group = groups[at];
      return group === undefined
        ? { metric: metrics[at - groups.length], direction }
        : direction === 'ASC' || group.via === undefined
          ? { field: keyOfReference(group).replace(/@$/, ''), direction }
          : { ...written(group), direction };
    }),
    ...(limit === undefined ? {} : { limit }),
  };
}

type Answer = readonly (readonly Value[])[];

/** Computes the answer in its order, cut to its limit; `undefined` where the query must be refused. */
export function expectedOf(query: Asked, shop: Shop): Answer | undefined {
  const all = bruteForce(query, shop);
  if (all === undefined) return undefined;
  const { groups, down, sorts, limit } = query;
  const ties = groups.map((_, at) => ({ at, direction: 'ASC' as const }));
  if (down === 0 || down === groups.length) return all.toSorted(by([...sorts, ...ties])).slice(0, limit);

  // With rows and columns a limit keeps whole rows, and a metric sorts by the row's own total.
  const isAcross = ({ at }: { readonly at: number }) => at >= down && at < groups.length;
  const toTotal = ({ at, direction }: Asked['sorts'][number]) => ({
    at: at < down ? at : at - groups.length + down,
    direction,
  });
  const totals = bruteForce({ ...query, groupedBy: down }, shop) ?? [];
  const order = [...sorts.filter((sort) => !isAcross(sort)).map(toTotal), ...ties.slice(0, down)];
  const kept = new Map(
    totals
      .toSorted(by(order))
      .slice(0, limit)
      .map((row) => [JSON.stringify(row.slice(0, down)), row.slice(down)]),
  );
  // Cells are sorted by the request's sorts, with their row's totals in place of their metrics.
  return all
    .flatMap((cell) => {
      const rowTotals = kept.get(JSON.stringify(cell.slice(0, down)));
      return rowTotals === undefined ? [] : [{ cell, sorted: [...cell.slice(0, groups.length), ...rowTotals] }];
    })
    .toSorted((left, right) => by([...sorts, ...ties])(left.sorted, right.sorted))
    .map(({ cell }) => cell);
}

function by(sorts: Asked['sorts']) {
  return (left: readonly Value[], right: readonly Value[]): number => {
    for (const { at, direction } of sorts) {
      const order = compareValues(rounded(left[at] ?? null), rounded(right[at] ?? null), direction);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function compareValues(left: Value, right: Value, direction: 'ASC' | 'DESC'): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
  const order = left < right ? -1 : left > right ? 1 : 0;
  return direction === 'ASC' ? order : -order;
}

/** Rounds means and ratios, which differ between engines in their last bits. */
export function rounded(value: unknown): Value {
  if (typeof value === 'number') return Math.round(value * 1e6) / 1e6 + 0;
  return typeof value === 'string' ? value : null;
}

export function shopTables(shop: Shop): readonly Table[] {
  return DATASETS.map((name) => {
    const columns = Object.entries(COLUMNS[name]);
    return { name, columns, rows: shop[name].map((row) => columns.map(([column]) => row[column] ?? null)) };
  });
}
