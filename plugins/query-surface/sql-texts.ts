/** Reads SQL texts of cube schemas and of sources with the SQL parser, in a thread of its own where there is a pool. */
import type { PersonalColumn } from '../../router/capabilities/personal-data.ts';
import type { WorkerPool } from '../../router/capabilities/worker-pool.ts';
import { InternalError } from '../../router/errors.ts';
import { personalColumnsBehind } from './source-columns.ts';
import { loadSqlLibrary } from './sql-library.ts';
import { translateSql } from './translate-sql.ts';

/** A text that is translated from the SQL of one engine to another's; see `translateSql`. */
export interface TextToTranslate {
  readonly text: string;
  readonly from: string;
  readonly to: string;
}

/** Result columns of a query, of which the columns of tables are found; see `personalColumnsBehind`. */
export interface ResultColumns {
  readonly sql: string;
  readonly columns: readonly string[];
  readonly dialect: string;
}

export type SqlTextTask =
  | { readonly kind: 'translations'; readonly texts: readonly TextToTranslate[] }
  | { readonly kind: 'columns'; readonly results: readonly ResultColumns[] };

export type SqlTextResult =
  | { readonly kind: 'translations'; readonly texts: readonly (string | undefined)[] }
  | { readonly kind: 'columns'; readonly columns: readonly (readonly PersonalColumn[])[] };

export type SqlTextPool = WorkerPool<SqlTextTask, SqlTextResult>;

/** Does a task in this thread. */
export async function readSqlTexts(task: SqlTextTask): Promise<SqlTextResult> {
  await loadSqlLibrary();
  switch (task.kind) {
    case 'translations':
      return { kind: task.kind, texts: task.texts.map(({ text, from, to }) => translateSql(text, from, to)) };
    case 'columns':
      return {
        kind: task.kind,
        columns: task.results.map(({ sql, columns, dialect }) => personalColumnsBehind(sql, new Set(columns), dialect)),
      };
  }
}

/** Reads texts in the calling thread: for commands, which have no other work, and for tests. */
export const inlineSqlTexts: SqlTextPool = { size: 1, run: readSqlTexts };

/** Translates texts, in their order; `undefined` for a text that cannot be translated. Starts no thread where there is none. */
export async function translateTexts(
  texts: readonly TextToTranslate[],
  pool: SqlTextPool,
): Promise<readonly (string | undefined)[]> {
  if (texts.length === 0) return [];
  const result = await pool.run({ kind: 'translations', texts });
  return result.kind === 'translations' ? result.texts : mismatch();
}

/** Finds the columns of tables behind result columns, in their order. */
export async function columnsBehind(
  results: readonly ResultColumns[],
  pool: SqlTextPool,
): Promise<readonly (readonly PersonalColumn[])[]> {
  const asked = results.filter(({ columns }) => columns.length > 0);
  if (asked.length === 0) return results.map(() => []);
  const result = await pool.run({ kind: 'columns', results: asked });
  if (result.kind !== 'columns') return mismatch();
  const found = new Map(asked.map((each, index) => [each, result.columns[index] ?? []] as const));
  return results.map((each) => found.get(each) ?? []);
}

function mismatch(): never {
  throw new InternalError('A worker has answered another task.');
}
