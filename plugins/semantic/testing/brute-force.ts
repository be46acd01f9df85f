/**
 * An independent answer to queries over one small shop: loops over rows in memory, no SQL, no plan. It knows the
 * shop's relationships by heart and shares no code with what it checks.
 *
 *     sales → stores → regions        returns → products
 *     sales → products                returns → calendar
 *     sales ⇉ calendar (ordered, shipped)    calendar ⇉ seasons (season, fiscal_season)
 */
export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;
export type DatasetName = 'sales' | 'returns' | 'stores' | 'regions' | 'products' | 'calendar' | 'seasons';
export type Shop = Readonly<Record<DatasetName, readonly Row[]>>;

export interface Reference {
  readonly dataset: DatasetName;
  readonly field: string;
  /** Names of relationships that the way to the dataset goes along. */
  readonly via?: readonly string[] | undefined;
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
  /** Computes the metric from the joined rows of each base; `undefined` of a base: the group does not occur in it. */
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
  calendar_count: { bases: ['calendar'], of: (rows) => rows?.length ?? null },
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

/** Relationships: rows of the first dataset name, in a column, the `id` of a row of the other. */
export const RELATIONSHIPS = {
  sales_stores: ['sales', 'store_id', 'stores'],
  sales_products: ['sales', 'product_id', 'products'],
  stores_regions: ['stores', 'region_id', 'regions'],
  returns_products: ['returns', 'product_id', 'products'],
  ordered: ['sales', 'ordered_on', 'calendar'],
  shipped: ['sales', 'shipped_on', 'calendar'],
  returned: ['returns', 'returned_on', 'calendar'],
  season: ['calendar', 'season_id', 'seasons'],
  fiscal_season: ['calendar', 'fiscal_season_id', 'seasons'],
} as const satisfies Readonly<Record<string, readonly [DatasetName, string, DatasetName]>>;
type RelationshipName = keyof typeof RELATIONSHIPS;
const NAMES = Object.keys(RELATIONSHIPS) as readonly RelationshipName[];
const DATASETS: readonly DatasetName[] = ['sales', 'returns', 'stores', 'regions', 'products', 'calendar', 'seasons'];

type Walk = readonly RelationshipName[];

/** Lists every walk from the many side to the one side; the empty one from a dataset to itself. */
function walks(from: DatasetName, to: DatasetName): readonly Walk[] {
  if (from === to) return [[]];
  return NAMES.flatMap((name) => {
    const [source, , target] = RELATIONSHIPS[name];
    return source === from ? walks(target, to).map((rest): Walk => [name, ...rest]) : [];
  });
}

const reaches = (from: DatasetName, to: DatasetName) => walks(from, to).length > 0;

/** Picks of these datasets those from which no other one of them is reached. */
function nearest(datasets: readonly DatasetName[]): readonly DatasetName[] {
  return datasets.filter((one) => !datasets.some((other) => other !== one && reaches(one, other)));
}

/** Lists the nearest datasets that reach all of these. */
function meetings(datasets: readonly DatasetName[]): readonly DatasetName[] {
  return nearest(DATASETS.filter((one) => datasets.every((dataset) => reaches(one, dataset))));
}

/** From the rows of a base: back to rows that lead to them, and on from there. */
interface Way {
  readonly turn: DatasetName;
  readonly back: Walk;
  readonly on: Walk;
}

function waysOver(turn: DatasetName, base: DatasetName, dataset: DatasetName): readonly Way[] {
  return walks(turn, base).flatMap((back) => walks(turn, dataset).map((on) => ({ turn, back, on })));
}

function waysTo(base: DatasetName, dataset: DatasetName): readonly Way[] {
  if (reaches(base, dataset)) return walks(base, dataset).map((on) => ({ turn: base, back: [], on }));
  return meetings([base, dataset]).flatMap((turn) => waysOver(turn, base, dataset));
}

/**
 * Returns what `via` leaves of ways, and those of its names that are on any of them: the others speak of other facts.
 */
function leftBy(ways: readonly Way[], via: readonly string[] = []) {
  const namesOf = ({ back, on }: Way): readonly string[] => [...back, ...on];
  const said = via.filter((name) => ways.some((way) => namesOf(way).includes(name)));
  const along = ways.filter((way) => said.every((name) => namesOf(way).includes(name)));
  const exact = along.filter((way) => namesOf(way).length === said.length);
  return { ways: along.length > 1 && exact.length === 1 ? exact : along, said };
}

const bridgeOf = ({ turn, back }: Way) => JSON.stringify([turn, back]);

/** Returns the row that a walk ends at. */
function follow(row: Row | undefined, walk: Walk, shop: Shop): Row | undefined {
  return walk.reduce<Row | undefined>((at, name) => {
    const [, column, target] = RELATIONSHIPS[name];
    const key = at?.[column] ?? null;
    return key === null ? undefined : shop[target].find(({ id }) => id === key);
  }, row);
}

/** Joins a row with the rows that one walk alone leads to. */
function joined(dataset: DatasetName, row: Row, shop: Shop): Joined {
  const single = DATASETS.filter((target) => walks(dataset, target).length === 1);
  return Object.fromEntries(single.map((target) => [target, follow(row, walks(dataset, target)[0] ?? [], shop)]));
}

function passes({ op, value, values }: OracleFilter, actual: Value): boolean {
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

/** Which way each reference goes from the rows of a base. */
interface Ways {
  readonly ways: ReadonlyMap<Reference, Way>;
  /** Where groups turn that the base does not reach. */
  readonly bridge: Way | undefined;
  /** Filters that select rows of the base by rows that lead to it. */
  readonly selecting: readonly OracleFilter[];
  readonly said: ReadonlyMap<Reference, readonly string[]>;
}

/** Finds the way of each reference; `undefined` where one has none, or several. */
function waysFrom(base: DatasetName, { groups, filters }: OracleQuery): Ways | undefined {
  const ways = new Map<Reference, Way>();
  const said = new Map<Reference, readonly string[]>();
  const settle = (reference: Reference, left: readonly Way[], names: readonly string[]): boolean => {
    const [way] = left;
    if (way === undefined || left.length > 1) return false;
    ways.set(reference, way);
    said.set(reference, names);
    return true;
  };
  const isStraight = ({ dataset }: Reference) => reaches(base, dataset);
  for (const reference of [...groups, ...filters].filter(isStraight)) {
    const left = leftBy(waysTo(base, reference.dataset), reference.via);
    if (!settle(reference, left.ways, left.said)) return undefined;
  }
  const beyond = groups.filter((group) => !isStraight(group));
  const turns = beyond.length === 0 ? [] : meetings([base, ...beyond.map(({ dataset }) => dataset)]);
  const choices = beyond.map((group) => ({
    group,
    ...leftBy(
      turns.flatMap((turn) => waysOver(turn, base, group.dataset)),
      group.via,
    ),
  }));
  for (const { group, ways: left, said: names } of choices) {
    const shared = left.filter((way) =>
      choices.every((other) => other.ways.some((one) => bridgeOf(one) === bridgeOf(way))),
    );
    if (!settle(group, shared, names)) return undefined;
  }
  const [first] = beyond;
  const bridge = first === undefined ? undefined : ways.get(first);
  const selecting: OracleFilter[] = [];
  for (const filter of filters.filter((each) => !isStraight(each))) {
    const over = bridge === undefined ? [] : waysOver(bridge.turn, base, filter.dataset);
    const onBridge = leftBy(
      over.filter((way) => bridge !== undefined && bridgeOf(way) === bridgeOf(bridge)),
      filter.via,
    );
    const anywhere = leftBy(waysTo(base, filter.dataset), filter.via);
    const isOnBridge = over.length > 0 && onBridge.said.length >= anywhere.said.length;
    const left = isOnBridge ? onBridge : anywhere;
    if (!settle(filter, left.ways, left.said)) return undefined;
    if (!isOnBridge) selecting.push(filter);
  }
  return { ways, bridge, selecting, said };
}

/** Groups rows of `base`. */
function grouped(
  base: DatasetName,
  { groups, filters, groupedBy }: OracleQuery,
  { ways, bridge, selecting }: Ways,
  shop: Shop,
): ReadonlyMap<string, readonly Joined[]> {
  const direct = filters.filter((filter) => !selecting.includes(filter));
  function wayOf(reference: Reference): Way {
    const way = ways.get(reference);
    if (way === undefined) throw new Error('a reference has no way');
    return way;
  }
  const selections = [...new Set(selecting.map((filter) => bridgeOf(wayOf(filter))))].map((bridgeKey) =>
    selecting.filter((filter) => bridgeOf(wayOf(filter)) === bridgeKey),
  );
  const leadsTo = (row: Row, { turn, back }: Way) => shop[turn].filter((other) => follow(other, back, shop) === row);

  const result = new Map<string, Map<Row, Joined>>();
  for (const row of shop[base]) {
    // Filters along one way back are about one and the same row.
    const isSelected = selections.every((tests) =>
      tests
        .slice(0, 1)
        .some((first) =>
          leadsTo(row, wayOf(first)).some((other) =>
            tests.every((test) => passes(test, follow(other, wayOf(test).on, shop)?.[test.field] ?? null)),
          ),
        ),
    );
    if (!isSelected) continue;
    const meeting: readonly (Row | undefined)[] = bridge === undefined ? [] : leadsTo(row, bridge);
    for (const other of meeting.length === 0 ? [undefined] : meeting) {
      const cellOf = (reference: Reference): Value => {
        const { back, on, turn } = wayOf(reference);
        const isOwn = turn === base && back.length === 0;
        return follow(isOwn ? row : other, on, shop)?.[reference.field] ?? null;
      };
      if (!direct.every((filter) => passes(filter, cellOf(filter)))) continue;
      const key = keyOf(groups.slice(0, groupedBy).map(cellOf));
      const rows = result.get(key) ?? new Map<Row, Joined>();
      rows.set(row, joined(base, row, shop));
      result.set(key, rows);
    }
  }
  return new Map([...result].map(([key, rows]) => [key, [...rows.values()]]));
}

/** Finds where fields alone meet: the nearest dataset that reaches each along its `via`. */
function rootOf(groups: readonly Reference[]): DatasetName | undefined {
  const along = DATASETS.filter((one) =>
    groups.every(({ dataset, via = [] }) =>
      walks(one, dataset).some((walk) => via.every((name) => walk.some((each) => each === name))),
    ),
  );
  const [root, ...others] = nearest(along);
  return others.length === 0 ? root : undefined;
}

/** Computes the answer's rows (groups, then metrics) in no order; `undefined` where the question must be refused. */
export function bruteForce(query: OracleQuery, shop: Shop): readonly (readonly Value[])[] | undefined {
  const metrics = query.metrics.map((name) => METRICS[name]).filter((metric) => metric !== undefined);
  const bases = metrics.length > 0 ? [...new Set(metrics.flatMap((metric) => metric.bases))] : [rootOf(query.groups)];
  const blocks = new Map<DatasetName, ReadonlyMap<string, readonly Joined[]>>();
  const said = new Map<Reference, string[]>();
  for (const base of bases) {
    const ways = base === undefined ? undefined : waysFrom(base, query);
    if (base === undefined || ways === undefined) return undefined;
    blocks.set(base, grouped(base, query, ways, shop));
    for (const [reference, names] of ways.said) said.set(reference, [...(said.get(reference) ?? []), ...names]);
  }
  // A name that no part of the question goes along was meant to decide something.
  for (const [reference, names] of said) if (reference.via?.some((name) => !names.includes(name))) return undefined;
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
