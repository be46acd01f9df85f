/**
 * Finds the columns of tables from which a query's result columns are computed, for marks of personal data on the result.
 */
import type { PersonalColumn } from '../../router/capabilities/personal-data.ts';
import { sqlLibrary } from './sql-library.ts';

/**
 * Returns the columns of tables from which some result columns of a query are computed. If the query cannot be analysed,
 * every column of each table that it may read counts.
 *
 * @param dialect the parser library's name of the query's dialect
 */
export function personalColumnsBehind(
  sql: string,
  columns: ReadonlySet<string>,
  dialect: string,
): readonly PersonalColumn[] {
  if (columns.size === 0) return [];
  const { success, analysis } = sqlLibrary().analyzeQuery(sql, dialect);
  if (!success || analysis === undefined) return tablesNamed(sql);
  const { projections, baseTables } = analysis;
  return [...columns].flatMap((column): readonly PersonalColumn[] => {
    const shown = projections.filter(({ name }) => name?.toLowerCase() === column.toLowerCase());
    // A star gives columns of the tables under their own names.
    if (shown.length === 0 && projections.some(({ isStar }) => isStar) && baseTables.length > 0)
      return baseTables.map(({ name }) => ({ table: { name: lastPart(name) }, name: column }));
    const upstream = shown.flatMap((projection) => projection.upstream);
    if (
      upstream.length === 0 ||
      upstream.some(({ sourceKind, table }) => sourceKind !== 'table' || table === undefined)
    )
      return tablesNamed(sql);
    return upstream.map((source) => ({
      table: { name: lastPart(source.table ?? '') },
      name: source.column === '*' ? column : source.column,
    }));
  });
}

/** Marks every table whose name is a word of a text. */
function tablesNamed(sql: string): readonly PersonalColumn[] {
  return wordsOf(sql).map((name) => ({ table: { name }, name: undefined }));
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Returns the words of a piece of SQL, each once; they include its names. */
export function wordsOf(sql: string): readonly string[] {
  return [...new Set(sql.match(/[\p{L}_][\p{L}\p{N}_$]*/gu))];
}
