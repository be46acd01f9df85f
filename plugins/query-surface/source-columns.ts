/** Finds the columns of tables that a query's result column is computed from, for marks of personal data on the result. */
import { analyzeQuery } from '@polyglot-sql/sdk';
import type { PersonalColumn } from '../../router/capabilities/personal-data.ts';

/**
 * Returns the columns of tables that the given result columns of a query are computed from. Where the query cannot be
 * read that far, every column of each table that it may read is one of them.
 *
 * @param dialect the parser library's name of the query's dialect
 */
export function personalColumnsBehind(
  sql: string,
  columns: ReadonlySet<string>,
  dialect: string,
): readonly PersonalColumn[] {
  if (columns.size === 0) return [];
  const { success, analysis } = analyzeQuery(sql, dialect);
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

/** Marks every table with a name that is a word of a text. */
function tablesNamed(sql: string): readonly PersonalColumn[] {
  return wordsOf(sql).map((name) => ({ table: { name }, name: undefined }));
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Returns the words of a piece of SQL, its names among them, each once. */
export function wordsOf(sql: string): readonly string[] {
  return [...new Set(sql.match(/[\p{L}_][\p{L}\p{N}_$]*/gu))];
}
