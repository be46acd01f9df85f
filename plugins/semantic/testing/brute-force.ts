/**
 * Answers queries over one small shop independently: by loops over rows in memory, without SQL and without a plan. It has
 * the shop's relationships as constants and shares no code with what it checks.
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
  /** Names of relationships on the path to the dataset. */
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
  /**
   * The number of groups, from the first, that rows are grouped by; all groups decide which rows are joined. Default: all.
   */
  readonly groupedBy?: number | undefined;
}

/** A metric is a function of a group's rows, of one or two datasets. */
interface OracleMetric {
  readonly bases: readonly DatasetName[];
  /** Computes the metric from the joined rows of each base; `undefined` for a base in which the group does not occur. */
  readonly of: (...rows: readonly (readonly Joined[] | undefined)[]) => Value;
}
/** A row with the rows that it leads to. */
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

/** Relationships: rows of the first dataset have, in a column, the `id` of a row of the other. */
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

/** Lists every walk from the many side to the one side; the walk from a dataset to itself is empty. */
function walks(from: DatasetName, to: DatasetName): readonly Walk[] {
  if (from === to) return [[]];
  return NAMES.flatMap((name) => {
    const [source, , target] = RELATIONSHIPS[name];
    return source === from ? walks(target, to).map((rest): Walk => [name, ...rest]) : [];
  });
}

const reaches = (from: DatasetName, to: DatasetName) => walks(from, to).length > 0;

/** Returns the datasets that reach no other one of the list. */
function nearest(datasets: readonly DatasetName[]): readonly DatasetName[] {
  return datasets.filter((one) => !datasets.some((other) => other !== one && reaches(one, other)));
}

/** Lists the nearest datasets that reach all of `datasets`. */
function meetings(datasets: readonly DatasetName[]): readonly DatasetName[] {
  return nearest(DATASETS.filter((one) => datasets.every((dataset) => reaches(one, dataset))));
}

/** A path from the rows of a base: back to rows that lead to them, and onward from there. */
interface JoinPath {
  readonly turn: DatasetName;
  readonly back: Walk;
  readonly on: Walk;
}

function joinPathsOver(turn: DatasetName, base: DatasetName, dataset: DatasetName): readonly JoinPath[] {
  return walks(turn, base).flatMap((back) => walks(turn, dataset).map((on) => ({ turn, back, on })));
}

function joinPathsTo(base: DatasetName, dataset: DatasetName): readonly JoinPath[] {
  if (reaches(base, dataset)) return walks(base, dataset).map((on) => ({ turn: base, back: [], on }));
  return meetings([base, dataset]).flatMap((turn) => joinPathsOver(turn, base, dataset));
}

/**
 * Returns the paths that a `via` selects, and its names that are on any of the paths; the other names belong to other
 * facts.
 */
function leftBy(joinPaths: readonly JoinPath[], via: readonly string[] = []) {
  const namesOf = ({ back, on }: JoinPath): readonly string[] => [...back, ...on];
  const said = via.filter((name) => joinPaths.some((joinPath) => namesOf(joinPath).includes(name)));
  const along = joinPaths.filter((joinPath) => said.every((name) => namesOf(joinPath).includes(name)));
  const exact = along.filter((joinPath) => namesOf(joinPath).length === said.length);
  return { joinPaths: along.length > 1 && exact.length === 1 ? exact : along, said };
}

const bridgeOf = ({ turn, back }: JoinPath) => JSON.stringify([turn, back]);

/** Returns the row that a walk ends at. */
function follow(row: Row | undefined, walk: Walk, shop: Shop): Row | undefined {
  return walk.reduce<Row | undefined>((at, name) => {
    const [, column, target] = RELATIONSHIPS[name];
    const key = at?.[column] ?? null;
    return key === null ? undefined : shop[target].find(({ id }) => id === key);
  }, row);
}

/** Joins a row with the rows of datasets that exactly one walk reaches. */
function joined(dataset: DatasetName, row: Row, shop: Shop): Joined {
  const single = DATASETS.filter((target) => walks(dataset, target).length === 1);
  return Object.fromEntries(single.map((target) => [target, follow(row, walks(dataset, target)[0] ?? [], shop)]));
}

function passes({ op, value, values }: OracleFilter, actual: Value): boolean {
  if (op === 'IS_NULL') return actual === null;
  if (actual === null) return false;
  const as = (literal: string | number) => (typeof actual === 'number' ? Number(literal) : String(literal));
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

const groupKey = (values: readonly Value[]) => JSON.stringify(values);

/** The path of each reference from the rows of a base. */
interface Ways {
  readonly joinPaths: ReadonlyMap<Reference, JoinPath>;
  /** The path to the dataset at which the paths of groups turn that the base does not reach. */
  readonly bridge: JoinPath | undefined;
  /** Filters that select rows of the base by rows that lead to it. */
  readonly selecting: readonly OracleFilter[];
  readonly said: ReadonlyMap<Reference, readonly string[]>;
}

/** Finds the path of each reference; `undefined` where one has none or several. */
function waysFrom(base: DatasetName, { groups, filters }: OracleQuery): Ways | undefined {
  const joinPaths = new Map<Reference, JoinPath>();
  const said = new Map<Reference, readonly string[]>();
  const settle = (reference: Reference, left: readonly JoinPath[], names: readonly string[]): boolean => {
    const [joinPath] = left;
    if (joinPath === undefined || left.length > 1) return false;
    joinPaths.set(reference, joinPath);
    said.set(reference, names);
    return true;
  };
  const isStraight = ({ dataset }: Reference) => reaches(base, dataset);
  for (const reference of [...groups, ...filters].filter(isStraight)) {
    const left = leftBy(joinPathsTo(base, reference.dataset), reference.via);
    if (!settle(reference, left.joinPaths, left.said)) return undefined;
  }
  const beyond = groups.filter((group) => !isStraight(group));
  const turns = beyond.length === 0 ? [] : meetings([base, ...beyond.map(({ dataset }) => dataset)]);
  const choices = beyond.map((group) => ({
    group,
    ...leftBy(
      turns.flatMap((turn) => joinPathsOver(turn, base, group.dataset)),
      group.via,
    ),
  }));
  for (const { group, joinPaths: left, said: names } of choices) {
    const shared = left.filter((joinPath) =>
      choices.every((other) => other.joinPaths.some((one) => bridgeOf(one) === bridgeOf(joinPath))),
    );
    if (!settle(group, shared, names)) return undefined;
  }
  const [first] = beyond;
  const bridge = first === undefined ? undefined : joinPaths.get(first);
  const selecting: OracleFilter[] = [];
  for (const filter of filters.filter((each) => !isStraight(each))) {
    const over = bridge === undefined ? [] : joinPathsOver(bridge.turn, base, filter.dataset);
    const onBridge = leftBy(
      over.filter((joinPath) => bridge !== undefined && bridgeOf(joinPath) === bridgeOf(bridge)),
      filter.via,
    );
    const anywhere = leftBy(joinPathsTo(base, filter.dataset), filter.via);
    const isOnBridge = over.length > 0 && onBridge.said.length >= anywhere.said.length;
    const left = isOnBridge ? onBridge : anywhere;
    if (!settle(filter, left.joinPaths, left.said)) return undefined;
    if (!isOnBridge) selecting.push(filter);
  }
  return { joinPaths, bridge, selecting, said };
}

/** Groups rows of `base`. */
function grouped(
  base: DatasetName,
  { groups, filters, groupedBy }: OracleQuery,
  { joinPaths, bridge, selecting }: Ways,
  shop: Shop,
): ReadonlyMap<string, readonly Joined[]> {
  const direct = filters.filter((filter) => !selecting.includes(filter));
  function wayOf(reference: Reference): JoinPath {
    const joinPath = joinPaths.get(reference);
    if (joinPath === undefined) throw new Error('a reference has no way');
    return joinPath;
  }
  const selections = [...new Set(selecting.map((filter) => bridgeOf(wayOf(filter))))].map((bridgeKey) =>
    selecting.filter((filter) => bridgeOf(wayOf(filter)) === bridgeKey),
  );
  const leadsTo = (row: Row, { turn, back }: JoinPath) =>
    shop[turn].filter((other) => follow(other, back, shop) === row);

  const result = new Map<string, Map<Row, Joined>>();
  for (const row of shop[base]) {
    // Filters along one path back test one and the same row.
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
      const key = groupKey(groups.slice(0, groupedBy).map(cellOf));
      const rows = result.get(key) ?? new Map<Row, Joined>();
      rows.set(row, joined(base, row, shop));
      result.set(key, rows);
    }
  }
  return new Map([...result].map(([key, rows]) => [key, [...rows.values()]]));
}

/** Finds the dataset of fields without metrics: the nearest that reaches each along its `via`. */
function rootOf(groups: readonly Reference[]): DatasetName | undefined {
  const along = DATASETS.filter((one) =>
    groups.every(({ dataset, via = [] }) =>
      walks(one, dataset).some((walk) => via.every((name) => walk.some((each) => each === name))),
    ),
  );
  const [root, ...others] = nearest(along);
  return others.length === 0 ? root : undefined;
}

/** Computes the answer's rows (groups, then metrics), unsorted; `undefined` where the query must be refused. */
export function bruteForce(query: OracleQuery, shop: Shop): readonly (readonly Value[])[] | undefined {
  const metrics = query.metrics.map((name) => METRICS[name]).filter((metric) => metric !== undefined);
  const bases = metrics.length > 0 ? [...new Set(metrics.flatMap((metric) => metric.bases))] : [rootOf(query.groups)];
  const blocks = new Map<DatasetName, ReadonlyMap<string, readonly Joined[]>>();
  const said = new Map<Reference, string[]>();
  for (const base of bases) {
    const joinPaths = base === undefined ? undefined : waysFrom(base, query);
    if (base === undefined || joinPaths === undefined) return undefined;
    blocks.set(base, grouped(base, query, joinPaths, shop));
    for (const [reference, names] of joinPaths.said) said.set(reference, [...(said.get(reference) ?? []), ...names]);
  }
  // A relationship that no part of the query uses must be refused.
  for (const [reference, names] of said) if (reference.via?.some((name) => !names.includes(name))) return undefined;
  const isTotal = query.groups.slice(0, query.groupedBy).length === 0;
  const keys = isTotal ? [groupKey([])] : [...new Set([...blocks.values()].flatMap((rows) => [...rows.keys()]))];
  return keys.map((key) => {
    const groups: readonly Value[] = JSON.parse(key);
    const values = metrics.map((metric) => {
      // Without groups there is always one group, which may be empty: a count of no rows is 0.
      const rows = metric.bases.map((base) => blocks.get(base)?.get(key) ?? (isTotal ? [] : undefined));
      return metric.of(...rows) ?? null;
    });
    return [...groups, ...values];
  });
}
