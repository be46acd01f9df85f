/**
 * Random typed requests to FoodMart's cube `Sales`, with their answers by plain SQL over its tables. The schema is not
 * read: this file repeats which columns belong to levels and measures.
 */
import fc from 'fast-check';
import type { CubeQueryRequest, FilterItem } from '../api/schemas.ts';

const FROM = `FROM sales_fact_1997 f JOIN store s ON s.store_id = f.store_id JOIN time_by_day t ON t.time_id = f.time_id
  JOIN product p ON p.product_id = f.product_id JOIN product_class c ON c.product_class_id = p.product_class_id
  JOIN customer u ON u.customer_id = f.customer_id JOIN promotion m ON m.promotion_id = f.promotion_id`;

const MEASURES = {
  'Unit Sales': 'SUM(f.unit_sales)',
  'Store Cost': 'SUM(f.store_cost)',
  'Store Sales': 'SUM(f.store_sales)',
  'Sales Count': 'COUNT(f.product_id)',
  'Customer Count': 'COUNT(DISTINCT f.customer_id)',
} as const;
const NAMES = ['Unit Sales', 'Store Cost', 'Store Sales', 'Sales Count', 'Customer Count'] as const;

/** The levels of each hierarchy from the topmost, with the columns of their members' names. */
const HIERARCHIES: Readonly<Record<string, readonly (readonly [level: string, column: string])[]>> = {
  Store: [
    ['Store Country', 's.store_country'],
    ['Store State', 's.store_state'],
    ['Store City', 's.store_city'],
    ['Store Name', 's.store_name'],
  ],
  Time: [
    ['Year', 't.the_year'],
    ['Quarter', 't.quarter'],
    ['Month', 't.month_of_year'],
  ],
  Product: [
    ['Product Family', 'c.product_family'],
    ['Product Department', 'c.product_department'],
    ['Product Category', 'c.product_category'],
    ['Product Subcategory', 'c.product_subcategory'],
  ],
  Customers: [
    ['Country', 'u.country'],
    ['State Province', 'u.state_province'],
    ['City', 'u.city'],
  ],
  Gender: [['Gender', 'u.gender']],
  'Marital Status': [['Marital Status', 'u.marital_status']],
  'Education Level': [['Education Level', 'u.education']],
  'Yearly Income': [['Yearly Income', 'u.yearly_income']],
  'Store Type': [['Store Type', 's.store_type']],
  'Promotion Media': [['Media Type', 'm.media_type']],
};

type Key = string | number;
type Path = readonly Key[];
export type RunSql = (statement: string) => Promise<readonly (readonly unknown[])[]>;

/** The shown levels of one hierarchy: the lowest level, and how many levels above it are shown. */
interface Selection {
  readonly dimension: string;
  readonly depth: number;
  readonly above: number;
}

interface DrawnFilter {
  readonly dimension: string;
  readonly depth: number;
  readonly op: 'in' | 'not_in' | 'between' | 'descendants_of';
  readonly picks: readonly number[];
}

export interface DrawnRequest {
  readonly rows: readonly Selection[];
  readonly columns: readonly Selection[];
  readonly measures: readonly (keyof typeof MEASURES)[];
  readonly filters: readonly DrawnFilter[];
  readonly order: readonly { readonly by: keyof typeof MEASURES; readonly direction: 'asc' | 'desc' }[];
  readonly limit: number | undefined;
}

const dimension = fc.constantFrom(...Object.keys(HIERARCHIES));
const depth = fc.nat({ max: 11 });

export const foodmartRequests: fc.Arbitrary<DrawnRequest> = fc
  .record({
    shown: fc.uniqueArray(fc.record({ dimension, depth, above: fc.nat({ max: 2 }) }), {
      maxLength: 3,
      selector: (each) => each.dimension,
    }),
    across: fc.nat({ max: 2 }),
    measures: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
    filters: fc.uniqueArray(
      fc.record({
        dimension,
        depth,
        op: fc.constantFrom('in', 'not_in', 'between', 'descendants_of'),
        picks: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
      }),
      { maxLength: 2, selector: (each) => each.dimension },
    ),
    order: fc.uniqueArray(fc.record({ by: fc.constantFrom(...NAMES), direction: fc.constantFrom('asc', 'desc') }), {
      maxLength: 2,
      selector: ({ by }) => by,
    }),
    limit: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  })
  .map(({ shown, across, order, limit, ...rest }) => {
    const bounded = shown.map((each) => ({ ...each, depth: each.depth % levelsOf(each).length }));
    const rows = bounded.slice(0, Math.max(0, bounded.length - across));
    // Without rows, there is nothing to sort.
    return { ...rest, rows, columns: bounded.slice(rows.length), order: rows.length === 0 ? [] : order, limit };
  });

function levelsOf({ dimension: of }: { readonly dimension: string }) {
  return HIERARCHIES[of] ?? [];
}

/** Lists the columns of the names from the topmost level to a level. */
function columnsTo(of: { readonly dimension: string }, to: number): readonly string[] {
  return levelsOf(of)
    .slice(0, to + 1)
    .map(([, column]) => column);
}

/** Returns a request with its filters, and their condition in SQL. */
export async function writtenOut(
  drawn: DrawnRequest,
  cube: string,
  sql: RunSql,
): Promise<{ readonly request: CubeQueryRequest; readonly where: string }> {
  const filters: FilterItem[] = [];
  const conditions: string[] = [];
  for (const { dimension: of, depth: at, op, picks } of drawn.filters) {
    const levels = levelsOf({ dimension: of });
    const to = at % levels.length;
    // The filter names members one level above the members that it selects, if there is such a level.
    const named = op === 'descendants_of' ? Math.max(0, to - 1) : to;
    const columns = columnsTo({ dimension: of }, named);
    const all = (await sql(`SELECT DISTINCT ${columns.join(', ')} ${FROM}`))
      .map((path) => path.map(asKey))
      .toSorted(comparePaths);
    const chosen = [...new Set(picks.map((pick) => pick % all.length))];
    const [low, high] = [Math.min(...chosen), Math.max(...chosen)];
    const written = op === 'between' ? [low, high] : chosen;
    const meant = op === 'between' ? all.slice(low, high + 1) : chosen.flatMap((index) => [all[index] ?? []]);
    filters.push({
      dimension: of,
      level: levels[to]?.[0],
      op,
      members: written.map((index) => `[${of}].${(all[index] ?? []).map((key) => `[${key}]`).join('.')}`),
    });
    const isMeant = meant.map(
      (path) => `(${path.map((key, index) => `${columns[index]} = ${literal(key)}`).join(' AND ')})`,
    );
    conditions.push(`${op === 'not_in' ? 'NOT ' : ''}(${isMeant.join(' OR ')})`);
  }
  const items = (selections: readonly Selection[]) =>
    selections.flatMap((each) => shownLevels(each).map(([level]) => ({ dimension: each.dimension, level })));
  return {
    where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    request: {
      cube,
      measures: drawn.measures.map((name) => ({ name })),
      ...(drawn.rows.length === 0 ? {} : { rows: items(drawn.rows) }),
      ...(drawn.columns.length === 0 ? {} : { columns: items(drawn.columns) }),
      ...(filters.length === 0 ? {} : { filters }),
      ...(drawn.order.length === 0 ? {} : { order: [...drawn.order] }),
      ...(drawn.limit === undefined ? {} : { limit: drawn.limit }),
    },
  };
}

function shownLevels(selection: Selection) {
  return levelsOf(selection).slice(Math.max(0, selection.depth - selection.above), selection.depth + 1);
}

/** Returns the expected records of a request in the order of the rows: captions of rows and columns, then measures. */
export async function recordsBySql(
  { rows, columns, measures, order, limit }: DrawnRequest,
  where: string,
  sql: RunSql,
): Promise<readonly (readonly unknown[])[]> {
  const pathsOf = (selections: readonly Selection[]) => selections.flatMap((each) => columnsTo(each, each.depth));
  const grouped = async (selections: readonly Selection[], of: readonly (keyof typeof MEASURES)[]) => {
    const by = pathsOf(selections);
    if (by.length + of.length === 0) return [{ path: [], values: [] }];
    const values = of.map((name) => MEASURES[name]);
    const list = (expressions: readonly string[]) =>
      expressions.map((each, index) => `${each} AS x${index}`).join(', ');
    const groups = by.length === 0 ? '' : `GROUP BY ${by.join(', ')}`;
    const rows = await sql(`SELECT ${list([...by, ...values])} ${FROM} ${where} ${groups}`);
    return rows.map((row) => ({ path: row.slice(0, by.length).map(asKey), values: row.slice(by.length) }));
  };
  const heads = (selections: readonly Selection[], path: Path) => {
    let from = 0;
    return selections.flatMap(({ depth: to, above }) => {
      const keys = path.slice(from, from + to + 1);
      from += to + 1;
      return keys.slice(Math.max(0, to - above)).map(String);
    });
  };
  const totals = (
    await grouped(
      rows,
      order.map(({ by }) => by),
    )
  ).toSorted((left, right) => {
    for (const [index, { direction }] of order.entries()) {
      const [a, b] = [rounded(left.values[index]), rounded(right.values[index])];
      if (a !== b) return direction === 'desc' ? b - a : a - b;
    }
    return comparePaths(left.path, right.path);
  });
  const cells = await grouped([...rows, ...columns], measures);
  // Sums over nothing are null, and counts are 0. A cell of a cube without facts is empty.
  if (rows.length + columns.length === 0)
    return (await sql(`SELECT COUNT(*) ${FROM} ${where}`))[0]?.[0] === 0
      ? [measures.map(() => null)]
      : cells.map(({ values }) => values);
  const width = pathsOf(rows).length;
  return totals.slice(0, limit).flatMap(({ path }) =>
    cells
      .filter((cell) => comparePaths(cell.path.slice(0, width), path) === 0)
      .toSorted((left, right) => comparePaths(left.path, right.path))
      .map((cell) => [...heads(rows, path), ...heads(columns, cell.path.slice(width)), ...cell.values]),
  );
}

function rounded(value: unknown): number {
  return Number(Number(value).toPrecision(12));
}

function asKey(value: unknown): Key {
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : String(value);
}

function literal(key: Key): string {
  return typeof key === 'number' ? String(key) : `'${key.replaceAll("'", "''")}'`;
}

/** Compares paths: numbers by value, texts in any letter case. */
function comparePaths(left: Path, right: Path): number {
  for (const [index, key] of left.entries()) {
    const other = right[index] ?? '';
    if (key === other) continue;
    if (typeof key === 'number' && typeof other === 'number') return key - other;
    const [a, b] = [String(key).toLowerCase(), String(other).toLowerCase()];
    return a < b || (a === b && key < other) ? -1 : 1;
  }
  return 0;
}
