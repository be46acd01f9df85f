/** Looks up in the referenced tables what columns that may be foreign keys hold. */
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { KeyPair, KeySide } from '../detect/key-pairs.ts';
import { REFERENCE_VALUES, SAMPLE_ROWS } from '../limits.ts';
import type { Reference, Table } from '../schemas.ts';
import type { Ask } from './keys.ts';
import { tableSql } from './sql.ts';

/** Pairs that one statement looks up. */
const PAIRS_OF_A_STATEMENT = 40;

/**
 * Returns the coverage of each pair that has values, a statement or two for each referring table.
 *
 * @param pairs places in `tables`
 */
export async function referencesOf(
  ask: Ask,
  dialect: Dialect,
  tables: readonly Table[],
  pairs: readonly KeyPair[],
): Promise<Reference[]> {
  const byTable = new Map<number, Pair[]>();
  for (const { from, to } of pairs) {
    const [own, other] = [placeOf(tables, from), placeOf(tables, to)];
    if (own === undefined || other === undefined) continue;
    const known = byTable.get(from.table);
    if (known === undefined) byTable.set(from.table, [{ from: own, to: other }]);
    else known.push({ from: own, to: other });
  }
  const found: Reference[] = [];
  for (const own of byTable.values()) {
    for (let start = 0; start < own.length; start += PAIRS_OF_A_STATEMENT)
      found.push(...(await lookUp(ask, dialect, own.slice(start, start + PAIRS_OF_A_STATEMENT))));
  }
  return found;
}

interface Place {
  readonly table: Table;
  readonly columns: readonly string[];
}

interface Pair {
  readonly from: Place;
  readonly to: Place;
}

function placeOf(tables: readonly Table[], side: KeySide): Place | undefined {
  const table = tables[side.table];
  if (table === undefined) return undefined;
  return { table, columns: side.columns.flatMap((column) => table.columns[column]?.name ?? []) };
}

async function lookUp(ask: Ask, dialect: Dialect, pairs: readonly Pair[]): Promise<Reference[]> {
  const statements = pairs.map(({ from, to }, index) => {
    const keys = from.columns.map((_, at) => `k${at}`);
    const values = from.columns.map((name, at) => `${dialect.identifier(name)} AS ${keys[at]}`).join(', ');
    const present = from.columns.map((name) => `${dialect.identifier(name)} IS NOT NULL`).join(' AND ');
    const names = to.columns.map((name, at) => `${dialect.identifier(name)} AS ${keys[at]}`).join(', ');
    const on = keys.map((key) => `s.${key} = r.${key}`).join(' AND ');
    const distinct = `SELECT DISTINCT ${values} FROM ${sourceOf(dialect, from.table)} WHERE ${present} ${dialect.limit(REFERENCE_VALUES)}`;
    return `SELECT ${index} AS i, COUNT(*) AS n, COUNT(r.k0) AS m FROM (${distinct}) s LEFT JOIN (SELECT DISTINCT ${names} FROM ${tableSql(dialect, to.table)}) r ON ${on}`;
  });
  const [indexes = [], asked = [], covered = []] = await ask(statements.join(' UNION ALL '));
  return indexes.flatMap((index, row): Reference[] => {
    const pair = pairs[Number(index)];
    const values = Number(asked[row]);
    if (pair === undefined || values === 0) return [];
    const { from, to } = pair;
    return [
      {
        schema: from.table.schema,
        table: from.table.name,
        columns: [...from.columns],
        refSchema: to.table.schema,
        refTable: to.table.name,
        refColumns: [...to.columns],
        coverage: Number(covered[row]) / values,
      },
    ];
  });
}

/** Of a large table, some rows. */
function sourceOf(dialect: Dialect, table: Table): string {
  const name = tableSql(dialect, table);
  if (table.rowCount <= 10 * SAMPLE_ROWS) return name;
  return `(SELECT * FROM ${name} ${dialect.limit(SAMPLE_ROWS)}) p`;
}
