import type { PersonalColumn, ServedMarks } from '../../../router/capabilities/personal-data.ts';
import { columnsBehind, type SqlTextPool } from '../../query-surface/index.ts';
import type { BoundDataset } from './bound-dataset.ts';

/** The columns that a model marks as personal data, in the tables and views of its warehouse. */
export type ModelMarks = Omit<ServedMarks, 'warehouse'>;

/**
 * Returns the columns of the warehouse that the marked fields of a model read, and the tables that the model names.
 *
 * @param dialect the parser library's name of the warehouse's dialect
 */
export async function personalMarksOf(
  datasets: readonly BoundDataset[],
  dialect: string,
  pool: SqlTextPool,
): Promise<ModelMarks> {
  const behind = await columnsBehind(
    datasets.flatMap(({ draft: { source }, personalColumns }) =>
      source.kind === 'query' ? [{ sql: source.sql, columns: [...personalColumns], dialect }] : [],
    ),
    pool,
  );
  const inTables = datasets.flatMap(({ draft: { source }, personalColumns }): readonly PersonalColumn[] =>
    source.kind === 'table' ? [...personalColumns].map((name) => ({ table: source.table, name })) : [],
  );
  const tables = datasets.flatMap(({ draft: { source } }) => (source.kind === 'table' ? [source.table] : []));
  return { personal: [...inTables, ...behind.flat()], tables };
}
