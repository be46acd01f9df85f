/** Looks up in the referenced tables what columns that may be foreign keys hold. */
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import { type ColumnView, type TableView, viewOf } from '../detect/columns.ts';
import { candidates, compositeCandidates, referenceOf } from '../detect/foreign-keys.ts';
import { MAX_REFERENCED_ROWS, MAX_REFERENCES, REFERENCE_VALUES, SAMPLE_ROWS } from '../limits.ts';
import type { Reference, Table } from '../schemas.ts';
import type { Ask } from './keys.ts';
import { tableSql } from './sql.ts';

/** Pairs that one statement looks up. */
const PAIRS_OF_A_STATEMENT = 40;

interface Pair {
  readonly from: readonly ColumnView[];
  readonly to: readonly ColumnView[];
}

/** Returns the coverage of every pair that is worth looking up, a statement or two for each referring table. */
export async function referencesOf(ask: Ask, dialect: Dialect, tables: readonly Table[]): Promise<Reference[]> {
  const views = viewOf({ tables });
  const pairs: readonly Pair[] = [
    ...compositeCandidates(views),
    // What names speak for first: of a large schema not everything is looked up.
    ...candidates(views, true)
      .toSorted((left, right) => right.nameEvidence - left.nameEvidence)
      .map(({ from, to }) => ({ from: [from], to: [to] })),
  ]
    .filter(({ to }) => (to[0]?.table.rows ?? 0) <= MAX_REFERENCED_ROWS)
    .slice(0, MAX_REFERENCES);
  const found: Reference[] = [];
  for (const table of views) {
    const own = pairs.filter(({ from }) => from[0]?.table === table);
    for (let start = 0; start < own.length; start += PAIRS_OF_A_STATEMENT)
      found.push(...(await lookUp(ask, dialect, own.slice(start, start + PAIRS_OF_A_STATEMENT))));
  }
  return found;
}

async function lookUp(ask: Ask, dialect: Dialect, pairs: readonly Pair[]): Promise<Reference[]> {
  const statements = pairs.map(({ from, to }, index) => {
    const [first, target] = [from[0], to[0]];
    if (first === undefined || target === undefined) return '';
    const keys = from.map((_, at) => `k${at}`);
    const values = from.map(({ name }, at) => `${dialect.identifier(name)} AS ${keys[at]}`).join(', ');
    const present = from.map(({ name }) => `${dialect.identifier(name)} IS NOT NULL`).join(' AND ');
    const names = to.map(({ name }, at) => `${dialect.identifier(name)} AS ${keys[at]}`).join(', ');
    const on = keys.map((key) => `s.${key} = r.${key}`).join(' AND ');
    const distinct = `SELECT DISTINCT ${values} FROM ${sourceOf(dialect, first.table)} WHERE ${present} ${dialect.limit(REFERENCE_VALUES)}`;
    return `SELECT ${index} AS i, COUNT(*) AS n, COUNT(r.k0) AS m FROM (${distinct}) s LEFT JOIN (SELECT DISTINCT ${names} FROM ${tableSql(dialect, target.table)}) r ON ${on}`;
  });
  const [indexes = [], asked = [], covered = []] = await ask(statements.join(' UNION ALL '));
  return indexes.flatMap((index, row): Reference[] => {
    const pair = pairs[Number(index)];
    const values = Number(asked[row]);
    return pair === undefined || values === 0 ? [] : [referenceOf(pair.from, pair.to, Number(covered[row]) / values)];
  });
}

/** Of a large table, some rows. */
function sourceOf(dialect: Dialect, { table }: TableView): string {
  const name = tableSql(dialect, table);
  if (table.rowCount <= 10 * SAMPLE_ROWS) return name;
  return `(SELECT * FROM ${name} ${dialect.limit(SAMPLE_ROWS)}) p`;
}
