/**
 * An independent answer to queries over one small shop: loops over rows in memory, no SQL, no plan. It knows the
 * shop's relationships by heart and shares no code with what it checks.
 *
 *     sales → stores → regions        returns → products
 *     sales → products
 */
export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;
export type DatasetName = 'sales' | 'returns' | 'stores' | 'regions' | 'products';
export type Shop = Readonly<Record<DatasetName, readonly Row[]>>;

export interface Reference {
  readonly dataset: DatasetName;
  readonly field: string;
}
export interface OracleFilter extends Reference {
  readonly op: string;
  readonly value?: string | number | undefined;
  readonly values?: readonly (string | number)[] | undefined;
}
export interface OracleQuery {
  readonly groups: readonly Reference[];
  readonly metrics: readonly string[];
  readonly filters: readonly OracleFilter[];
  /** Only the first so many groups are grouped by; all of them still decide which rows meet. Default: all. */
  readonly groupedBy?: number | undefined;
}

/** A metric is a function of the rows of one or two datasets that fall into a group. */
interface OracleMetric {
  readonly bases: readonly DatasetName[];
  /** `undefined` of a base: the group does not occur in it. */
  readonly of: (...rows: readonly (readonly Joined[] | undefined)[]) => Value;
}
/** A row with the rows it leads to. */
type Joined = Readonly<Partial<Record<DatasetName, Row | undefined>>>;

const numbers = (rows: readonly Joined[] | undefined, dataset: DatasetName, field: string): readonly number[] =>
  (rows ?? []).flatMap((row) => {
    const value = row[dataset]?.[field];
    return typeof value === 'number' ? [value] : [];
  });
const total = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((left, right) => left + right, 0);
const divide = (left: number | null, right: number | null): number | null =>
  left === null || right === null || right === 0 ? null : left / right;

export const METRICS: Readonly<Record<string, OracleMetric>> = {
  sales_amount: { bases: ['sales'], of: (rows) => total(numbers(rows, 'sales', 'amount')) },
  sale_count: { bases: ['sales'], of: (rows) => rows?.length ?? null },
  average_quantity: {
    bases: ['sales'],
    of: (rows) => {
      const values = numbers(rows, 'sales', 'quantity');
      return divide(total(values), values.length);
    },
  },
  days: {
    bases: ['sales'],
    of: (rows) =>
      rows === undefined ? null : new Set(rows.map((row) => row.sales?.day).filter((day) => day !== null)).size,
  },
  last_day: {
    bases: ['sales'],
    of: (rows) =>
      (rows ?? [])
        .flatMap((row) => row.sales?.day ?? [])
        .toSorted()
        .at(-1) ?? null,
  },
  list_value: {
    bases: ['sales'],
    of: (rows) =>
      total(
        (rows ?? []).flatMap((row) => {
          const [quantity, price] = [row.sales?.quantity, row.products?.price];
          return typeof quantity === 'number' && typeof price === 'number' ? [quantity * price] : [];
        }),
      ),
  },
  return_cost: { bases: ['returns'], of: (rows) => total(numbers(rows, 'returns', 'cost')) },
  return_count: { bases: ['returns'], of: (rows) => rows?.length ?? null },
  store_size: { bases: ['stores'], of: (rows) => total(numbers(rows, 'stores', 'size')) },
  store_count: { bases: ['stores'], of: (rows) => rows?.length ?? null },
  population: { bases: ['regions'], of: (rows) => total(numbers(rows, 'regions', 'population')) },
  product_count: { bases: ['products'], of: (rows) => rows?.length ?? null },
  return_rate: {
    bases: ['returns', 'sales'],
    of: (returns, sales) =>
      divide(total(numbers(returns, 'returns', 'cost')), total(numbers(sales, 'sales', 'amount'))),
  },
  sales_per_store: {
    bases: ['sales', 'stores'],
    of: (sales, stores) => divide(total(numbers(sales, 'sales', 'amount')), stores?.length ?? null),
  },
};

const LEADS: Readonly<Record<DatasetName, readonly (readonly [DatasetName, string, string])[]>> = {
  sales: [
    ['stores', 'store_id', 'id'],
    ['products', 'product_id', 'id'],
  ],
  returns: [['products', 'product_id', 'id']],
  stores: [['regions', 'region_id', 'id']],
  regions: [],
  products: [],
};
const REACHES: Readonly<Record<DatasetName, readonly DatasetName[]>> = {
  sales: ['sales', 'stores', 'regions', 'products'],
  returns: ['returns', 'products'],
  stores: ['stores', 'regions'],
  regions: ['regions'],
  products: ['products'],
};

/** Where datasets meet, by the drawing above; `undefined` where they do not. */
function meeting(datasets: readonly DatasetName[]): DatasetName | undefined {
  const has = (name: DatasetName) => datasets.includes(name);
  if (has('returns')) return has('sales') || has('stores') || has('regions') ? undefined : 'returns';
  if (datasets.every((name) => name === 'products')) return 'products';
  if (has('sales') || has('products')) return 'sales';
  return has('stores') ? 'stores' : 'regions';
}

function joined(dataset: DatasetName, row: Row, shop: Shop): Joined {
  let result: Joined = { [dataset]: row };
  for (const [target, column, key] of LEADS[dataset]) {
    const found = shop[target].find((other) => row[column] !== null && other[key] === row[column]);
    if (found !== undefined) result = { ...result, ...joined(target, found, shop) };
  }
  return result;
}

function passes({ dataset, field, op, value, values }: OracleFilter, row: Joined): boolean {
  const actual = row[dataset]?.[field] ?? null;
  if (op === 'IS_NULL') return actual === null;
  if (actual === null) return false;
  const as = (wanted: string | number) => (typeof actual === 'number' ? Number(wanted) : String(wanted));
  switch (op) {
    case 'IS_NOT_NULL':
      return true;
    case 'EQ':
      return actual === as(value ?? '');
    case 'NEQ':
      return actual !== as(value ?? '');
    case 'LT':
      return actual < as(value ?? '');
    case 'GTE':
      return actual >= as(value ?? '');
    case 'IN':
      return (values ?? []).some((one) => as(one) === actual);
    case 'BETWEEN':
      return actual >= as(values?.[0] ?? '') && actual <= as(values?.[1] ?? '');
    default:
      throw new Error(`the oracle does not know ${op}`);
  }
}

const keyOf = (values: readonly Value[]) => JSON.stringify(values);

/** Rows of `base` by group; `undefined` where the question has no answer. */
function grouped(
  base: DatasetName,
  { groups, filters, groupedBy }: OracleQuery,
  shop: Shop,
): ReadonlyMap<string, readonly Joined[]> | undefined {
  const beyond = groups.map(({ dataset }) => dataset).filter((dataset) => !REACHES[base].includes(dataset));
  const spine = beyond.length === 0 ? undefined : meeting([base, ...beyond]);
  if (beyond.length > 0 && spine === undefined) return undefined;
  const onSpine = (dataset: DatasetName) => spine !== undefined && REACHES[spine].includes(dataset);
  const direct = filters.filter(({ dataset }) => REACHES[base].includes(dataset) || onSpine(dataset));
  const selecting = filters.filter((filter) => !direct.includes(filter));
  const bySpine = new Map<DatasetName, OracleFilter[]>();
  for (const filter of selecting) {
    const through = meeting([base, filter.dataset]);
    if (through === undefined) return undefined;
    bySpine.set(through, [...(bySpine.get(through) ?? []), filter]);
  }

  const result = new Map<string, Map<Row, Joined>>();
  for (const row of shop[base]) {
    const own = joined(base, row, shop);
    const selected = [...bySpine].every(([through, tests]) =>
      shop[through].some((other) => {
        const wide = joined(through, other, shop);
        return wide[base] === row && tests.every((test) => passes(test, wide));
      }),
    );
    if (!selected) continue;
    const meetings =
      spine === undefined
        ? []
        : shop[spine].map((other) => joined(spine, other, shop)).filter((wide) => wide[base] === row);
    for (const meeting of meetings.length === 0 ? [own] : meetings) {
      const wide: Joined = { ...meeting, ...own };
      if (!direct.every((filter) => passes(filter, wide))) continue;
      const key = keyOf(groups.slice(0, groupedBy).map(({ dataset, field }) => wide[dataset]?.[field] ?? null));
      const rows = result.get(key) ?? new Map<Row, Joined>();
      rows.set(row, own);
      result.set(key, rows);
    }
  }
  return new Map([...result].map(([key, rows]) => [key, [...rows.values()]]));
}

/** The answer's rows (groups, then metrics) in no order; `undefined` where the question must be refused. */
export function bruteForce(query: OracleQuery, shop: Shop): readonly (readonly Value[])[] | undefined {
  const metrics = query.metrics.map((name) => METRICS[name]).filter((metric) => metric !== undefined);
  const needed = query.groups.map(({ dataset }) => dataset);
  const bases = metrics.length > 0 ? [...new Set(metrics.flatMap((metric) => metric.bases))] : [meeting(needed)];
  const blocks = new Map<DatasetName, ReadonlyMap<string, readonly Joined[]>>();
  for (const base of bases) {
    const rows = base === undefined ? undefined : grouped(base, query, shop);
    if (base === undefined || rows === undefined) return undefined;
    blocks.set(base, rows);
  }
  const isTotal = query.groups.slice(0, query.groupedBy).length === 0;
  const keys = isTotal ? [keyOf([])] : [...new Set([...blocks.values()].flatMap((rows) => [...rows.keys()]))];
  return keys.map((key) => {
    const groups: readonly Value[] = JSON.parse(key);
    const values = metrics.map((metric) => {
      // Without groups there is always one group, be it empty: a count of nothing is 0.
      const rows = metric.bases.map((base) => blocks.get(base)?.get(key) ?? (isTotal ? [] : undefined));
      return metric.of(...rows) ?? null;
    });
    return [...groups, ...values];
  });
}
