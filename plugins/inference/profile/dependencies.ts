/** Functional dependencies between the columns that may make hierarchies: does a city lie in one state only? */
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import { viewOf } from '../detect/columns.ts';
import { dependencyCandidates } from '../detect/hierarchies.ts';
import type { Table } from '../schemas.ts';
import type { Ask } from './keys.ts';

const MAX_COLUMNS = 10;
/** A few cities of one name in two states do not keep cities from lying in states. */
const NEARLY = 1.1;
const MAX_ROWS = 1_000_000;

/** Returns what each column determines, in one statement; nothing of tables without candidates. */
export async function dependenciesOf(
  ask: Ask,
  dialect: Dialect,
  name: string,
  table: Table,
): Promise<NonNullable<Table['dependencies']> | undefined> {
  const [view] = viewOf({ tables: [table] });
  const columns = view === undefined ? [] : dependencyCandidates(view).slice(0, MAX_COLUMNS);
  if (columns.length < 2 || table.rowCount > MAX_ROWS) return undefined;
  const pairs = columns.flatMap((finer) =>
    columns
      .filter((coarser) => coarser !== finer && coarser.column.distinctApprox <= finer.column.distinctApprox)
      .map((coarser) => ({ finer, coarser })),
  );
  const distinct = (...names: readonly string[]): string => {
    const quoted = names.map((each) => dialect.identifier(each));
    return `(SELECT COUNT(*) FROM (SELECT DISTINCT ${quoted.join(', ')} FROM ${name} WHERE ${quoted[0]} IS NOT NULL) d)`;
  };
  const selected = pairs.flatMap(({ finer, coarser }, index) => [
    `${distinct(finer.name)} AS a${index}`,
    `${distinct(finer.name, coarser.name)} AS b${index}`,
  ]);
  const values = await ask(`SELECT ${selected.join(', ')}`);
  return columns.map(({ name: column }) => ({
    column,
    determines: pairs
      .filter(
        ({ finer }, index) =>
          finer.name === column && Number(values[2 * index + 1]?.[0]) <= NEARLY * Number(values[2 * index]?.[0]),
      )
      .map(({ coarser }) => coarser.name),
  }));
}
