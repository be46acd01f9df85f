/**
 * Reads documents in worker threads: the parser of YAML takes seconds for a large text, and longer for a hostile one, and the parser of SQL needs
 * memory that only the end of a thread gives back.
 */
import type { WorkerPool } from '../../router/capabilities/worker-pool.ts';
import { inlineSqlTexts, type SqlTextPool } from '../query-surface/index.ts';
import { DOCUMENT_TIMEOUT_MS, SQL_TIMEOUT_MS } from './limits.ts';
import { readSql, type SqlResult, type SqlTask } from './model/sql-task.ts';
import { readYaml, type YamlResult } from './model/yaml-text.ts';

/** The threads that read documents. */
export interface DocumentPools {
  readonly yaml: WorkerPool<string, YamlResult>;
  readonly sql: WorkerPool<SqlTask, SqlResult>;
  readonly sqlTexts: SqlTextPool;
}

export interface DocumentReader {
  readonly yaml: (text: string) => YamlResult | Promise<YamlResult>;
  readonly sql: (task: SqlTask) => Promise<SqlResult>;
  /** Finds the columns behind sources that are queries. */
  readonly sqlTexts: SqlTextPool;
}

/** Reads documents in the calling thread: for commands, which have no other work, and for tests. */
export const inlineReader: DocumentReader = { yaml: readYaml, sql: readSql, sqlTexts: inlineSqlTexts };

/** Returns a reader that runs in the pools. A text that takes too long is a problem of the document. */
export function pooledReader(
  pools: DocumentPools,
  { yamlMs = DOCUMENT_TIMEOUT_MS, sqlMs = SQL_TIMEOUT_MS }: { readonly yamlMs?: number; readonly sqlMs?: number } = {},
): DocumentReader {
  return {
    yaml: (text) =>
      inTime(pools.yaml, text, yamlMs, () => ({
        problems: [{ message: `The document takes longer than ${yamlMs / 1000} s to read.`, severity: 'error' }],
      })),
    async sql(task) {
      if (task.expressions.length + task.sources.length === 0) return { expressions: [], sources: [] };
      return inTime(pools.sql, task, sqlMs, () => ({
        expressions: task.expressions.map(() => ({ refused: 'is not read in time' })),
        sources: task.sources.map(() => true),
        problem: `The expressions of the document take longer than ${sqlMs / 1000} s to read.`,
      }));
    },
    sqlTexts: pools.sqlTexts,
  };
}

/** Runs a task within a time limit. */
async function inTime<Task, Result>(
  pool: WorkerPool<Task, Result>,
  task: Task,
  timeoutMs: number,
  late: () => Result,
): Promise<Result> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    return await pool.run(task, limit);
  } catch (error) {
    if (!limit.aborted) throw error;
    return late();
  }
}

/** Returns a reader that reads each text once. */
export function rememberingReader(reader: DocumentReader): DocumentReader {
  return {
    yaml: rememberedBy(reader.yaml, (text) => text),
    sql: rememberedBy(reader.sql, (task) => JSON.stringify(task)),
    sqlTexts: reader.sqlTexts,
  };
}

function rememberedBy<Task, Result>(read: (task: Task) => Result, keyOf: (task: Task) => string) {
  const results = new Map<string, Result>();
  return (task: Task): Result => {
    const key = keyOf(task);
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = read(task);
    results.set(key, result);
    return result;
  };
}
