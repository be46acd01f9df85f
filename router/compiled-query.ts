import type { Compilable, CompiledQuery, Kysely } from 'kysely';

/** Makes the place of a text in a query that is compiled once. */
export type TextPlace<Name extends string> = (name: Name) => string;

/**
 * Compiles a query once, when it is first executed: for frequent queries, whose compilation takes longer than SQLite needs
 * to read the row. Returns a function that executes it with the given texts, and returns the first row.
 *
 * @example
 * const byName = compiledOnce(tables, (text: TextPlace<'name'>) =>
 *   tables.selectFrom('users').selectAll().where('name', '=', text('name')));
 * const ann = await byName({ name: 'ann' });
 */
export function compiledOnce<Row, Name extends string>(
  database: Pick<Kysely<unknown>, 'executeQuery'>,
  build: (text: TextPlace<Name>) => Compilable<Row>,
): (texts: Readonly<Record<Name, string>>) => Promise<Row | undefined> {
  const names = new Map<unknown, Name>();
  let compiled: CompiledQuery<Row> | undefined;
  return async (texts) => {
    compiled ??= build((name) => {
      const place = `\u0001${name}`;
      names.set(place, name);
      return place;
    }).compile();
    const parameters = compiled.parameters.map((parameter) => {
      const name = names.get(parameter);
      return name === undefined ? parameter : texts[name];
    });
    const { rows } = await database.executeQuery<Row>({ ...compiled, parameters });
    return rows[0];
  };
}
