/** Finds functional dependencies between the columns of possible hierarchies: does a city lie in one state only? */
import { viewTables } from '../detect/column-views.ts';
import { dependencyCandidates, tolerance } from '../detect/hierarchies.ts';
import type { Table } from '../schemas.ts';
import type { CountDistinct } from './distinct.ts';
import type { Effort } from './effort.ts';

const MAX_COLUMNS = 10;

/** Returns the columns that each column determines, in one statement; `undefined` of tables without candidates. */
export async function findDependencies(
  distinct: CountDistinct,
  table: Table,
  effort: Effort,
): Promise<NonNullable<Table['dependencies']> | undefined> {
  const [view] = viewTables({ tables: [table] });
  const columns = view === undefined ? [] : dependencyCandidates(view).slice(0, MAX_COLUMNS);
  if (columns.length < 2 || table.rowCount > effort.dependencyRows) return undefined;
  const pairs = columns.flatMap((finer) =>
    columns
      .filter((coarser) => coarser !== finer && coarser.column.distinctApprox <= finer.column.distinctApprox)
      .map((coarser) => ({ finer, coarser })),
  );
  if (pairs.length === 0) return undefined;
  const alone = columns.map(({ name }) => [name]);
  const { counts } = await distinct([...alone, ...pairs.map(({ finer, coarser }) => [finer.name, coarser.name])]);
  return columns.map((column, place) => ({
    column: column.name,
    determines: pairs
      .filter(
        ({ finer, coarser }, index) =>
          finer === column && (counts[columns.length + index] ?? 0) <= tolerance(finer, coarser) * (counts[place] ?? 0),
      )
      .map(({ coarser }) => coarser.name),
  }));
}
