/** Looks up the values of possible foreign keys in the referenced tables. */
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import { WarehouseError } from '../../../router/errors.ts';
import type { KeyPair, KeySide } from '../detect/foreign-keys/pair-places.ts';
import { MAX_REFERENCED_ROWS, REFERENCE_VALUES, REFERRING_ROWS } from '../limits.ts';
import type { Reference, Table } from '../schemas.ts';
import type { Ask } from './ask.ts';
import { tableSql } from './table-sql.ts';

/** Pairs that one statement looks up. */
const PAIRS_OF_A_STATEMENT = 40;

/**
 * Returns the coverage of each pair that has values, many pairs a statement: first pairs with similar names, then the
 * rest for columns without a result.
 *
 * @param pairs positions in `tables`
 */
export async function findReferences(
  ask: Ask,
  dialect: Dialect,
  tables: readonly Table[],
  pairs: readonly KeyPair[],
): Promise<Reference[]> {
  const references: Reference[] = [];
  const declared = pairs.filter(({ isDeclared }) => isDeclared);
  const settled = new Set<string>();
  for (const { from } of declared) settled.add(JSON.stringify(from));
  const lookedUp = new Set<KeyPair>();
  const isSmall = ({ to }: KeyPair): boolean => (tables[to.table]?.rowCount ?? 0) <= MAX_REFERENCED_ROWS;
  for (const round of [
    declared.filter(isSmall),
    pairs.filter(({ settles, isDeclared }) => settles !== undefined && !isDeclared),
    pairs.filter(({ settles }) => settles === undefined),
  ]) {
    const open = round.filter(({ from, isDeclared }) => isDeclared || !settled.has(JSON.stringify(from)));
    for (const statement of splitStatements(tables, open)) {
      for (const { pair, reference } of await lookUpAny(ask, dialect, statement)) {
        references.push(reference);
        lookedUp.add(pair);
        if (pair.settles !== undefined && reference.coverage >= pair.settles) settled.add(JSON.stringify(pair.from));
      }
    }
  }
  return [
    ...references,
    ...referencesAsDeclared(
      tables,
      declared.filter((pair) => !lookedUp.has(pair)),
    ),
  ];
}

/** Returns the references of declared keys that are not looked up: of columns without values, or to a table that is too large for it. */
export function referencesAsDeclared(tables: readonly Table[], pairs: readonly KeyPair[]): Reference[] {
  return placePairs(tables, pairs).map((pair) => makeReference(pair, 1));
}

/** Returns the pairs of each statement, whatever tables they refer from. */
function splitStatements(tables: readonly Table[], pairs: readonly KeyPair[]): readonly (readonly Pair[])[] {
  const placed = placePairs(tables, pairs);
  return Array.from({ length: Math.ceil(placed.length / PAIRS_OF_A_STATEMENT) }, (_, part) =>
    placed.slice(part * PAIRS_OF_A_STATEMENT, (part + 1) * PAIRS_OF_A_STATEMENT),
  );
}

function placePairs(tables: readonly Table[], pairs: readonly KeyPair[]): readonly Pair[] {
  return pairs.flatMap((pair): Pair[] => {
    const [from, to] = [placeSide(tables, pair.from), placeSide(tables, pair.to)];
    return from === undefined || to === undefined ? [] : [{ pair, from, to }];
  });
}

interface Place {
  readonly table: Table;
  readonly columns: readonly string[];
}

interface Pair {
  readonly pair: KeyPair;
  readonly from: Place;
  readonly to: Place;
}

function placeSide(tables: readonly Table[], side: KeySide): Place | undefined {
  const table = tables[side.table];
  if (table === undefined) return undefined;
  return { table, columns: side.columns.flatMap((column) => table.columns[column]?.name ?? []) };
}

/**
 * Looks up as many pairs as possible: an engine that cannot compare two columns refuses the whole statement, which is
 * then split into halves.
 */
async function lookUpAny(ask: Ask, dialect: Dialect, pairs: readonly Pair[]): Promise<readonly LookedUp[]> {
  try {
    return await lookUp(ask, dialect, pairs);
  } catch (error) {
    if (!(error instanceof WarehouseError)) throw error;
    if (pairs.length === 1) return [];
    const half = pairs.length >> 1;
    return [
      ...(await lookUpAny(ask, dialect, pairs.slice(0, half))),
      ...(await lookUpAny(ask, dialect, pairs.slice(half))),
    ];
  }
}

interface LookedUp {
  readonly pair: KeyPair;
  readonly reference: Reference;
}

async function lookUp(ask: Ask, dialect: Dialect, pairs: readonly Pair[]): Promise<readonly LookedUp[]> {
  const statements = pairs.map(({ from, to }, index) => {
    const keys = from.columns.map((_, at) => `k${at}`);
    const values = from.columns.map((name, at) => `${dialect.identifier(name)} AS ${keys[at]}`).join(', ');
    const present = from.columns.map((name) => `${dialect.identifier(name)} IS NOT NULL`).join(' AND ');
    const names = to.columns.map((name, at) => `${dialect.identifier(name)} AS ${keys[at]}`).join(', ');
    const on = keys.map((key) => `s.${key} = r.${key}`).join(' AND ');
    const distinct = `SELECT DISTINCT ${values} FROM ${fromItem(dialect, from.table)} WHERE ${present} ${dialect.limit(REFERENCE_VALUES)}`;
    return `SELECT ${index} AS i, COUNT(*) AS n, COUNT(r.k0) AS m FROM (${distinct}) s LEFT JOIN (SELECT DISTINCT ${names} FROM ${tableSql(dialect, to.table)}) r ON ${on}`;
  });
  const answer = await ask(statements.join(' UNION ALL '));
  const [indexes, counts, matches] = [answer.column('i'), answer.column('n'), answer.column('m')];
  return indexes.flatMap((index, row) => {
    const placed = pairs[Number(index)];
    const values = Number(counts[row]);
    if (placed === undefined || values === 0) return [];
    return [{ pair: placed.pair, reference: makeReference(placed, Number(matches[row]) / values) }];
  });
}

function makeReference({ pair, from, to }: Pair, coverage: number): Reference {
  return {
    schema: from.table.schema,
    table: from.table.name,
    columns: [...from.columns],
    refSchema: to.table.schema,
    refTable: to.table.name,
    refColumns: [...to.columns],
    coverage,
    ...(pair.isDeclared ? { declared: true } : {}),
  };
}

/** Writes the FROM item of a table; some rows of a large one. */
function fromItem(dialect: Dialect, table: Table): string {
  const name = tableSql(dialect, table);
  if (table.rowCount <= 10 * REFERRING_ROWS) return name;
  return `(SELECT * FROM ${name} ${dialect.limit(REFERRING_ROWS)}) p`;
}
