import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { State } from './capabilities/state.ts';
import type { Awaitable } from './steps.ts';

/** Makes the place of a text in a query that is compiled once. */
export type TextPlace<Name extends string> = (name: Name) => string;

/** Finds the first row of a query with the given texts: at once where the state can, which gives the same object again while the row is unchanged. */
export type RowFinder<Row, Name extends string> = (texts: Readonly<Record<Name, string>>) => Awaitable<Row | undefined>;

/** Rows that one query remembers. */
const MAX_ROWS = 1_000;

/**
 * Compiles a query once, when it is first executed: for frequent queries, whose compilation takes longer than SQLite needs
 * to read the row. Returns a function that finds the first row. It never sees what an unfinished transaction has written,
 * so it is not for use within one.
 *
 * @example
 * const byName = compiledOnce(state, (tables: Kysely<Tables>, text: TextPlace<'name'>) =>
 *   tables.selectFrom('users').selectAll().where('name', '=', text('name')));
 * const ann = await byName({ name: 'ann' });
 */
export function compiledOnce<Tables, Row, Name extends string>(
  state: Pick<State, 'tables' | 'committed'>,
  build: (tables: Kysely<Tables>, text: TextPlace<Name>) => Compilable<Row>,
): RowFinder<Row, Name> {
  const tables = state.tables<Tables>();
  const places = new Map<unknown, Name>();
  let compiled: CompiledQuery<Row> | undefined;
  const queryWith = (texts: Readonly<Record<Name, string>>): CompiledQuery<Row> => {
    compiled ??= build(tables, (name) => {
      const place = `\u0001${name}`;
      places.set(place, name);
      return place;
    }).compile();
    const parameters = compiled.parameters.map((parameter) => {
      const name = places.get(parameter);
      return name === undefined ? parameter : texts[name];
    });
    return { ...compiled, parameters };
  };
  const { committed } = state;
  const find = async (texts: Readonly<Record<Name, string>>) =>
    (await tables.executeQuery<Row>(queryWith(texts))).rows[0];
  if (committed === undefined) return find;

  const kept = new LRUCache<string, { readonly version: number; readonly row: Row | undefined }>({ max: MAX_ROWS });
  const findCommitted = (texts: Readonly<Record<Name, string>>): Row | undefined => {
    // The version is read first: what is committed between the two reads makes the row outdated at the next one.
    const version = committed.version();
    const key = JSON.stringify(texts);
    const before = kept.get(key);
    if (before?.version === version) return before.row;
    const [read] = committed.rows(queryWith(texts));
    const row = areEqual(before?.row, read) ? before?.row : read;
    kept.set(key, { version, row });
    return row;
  };
  return (texts) => {
    try {
      return findCommitted(texts);
    } catch {
      // Such as a locked file: the other way waits for it, and reports what lasts.
      return find(texts);
    }
  };
}

/** Returns whether two rows of one query have the same values. */
function areEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  const values = Object.values(Object(other));
  return Object.values(Object(one)).every((value, i) => Object.is(value, values[i]));
}
