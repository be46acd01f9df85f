/** Reads cube schemas, large ones in a worker thread, because they take a second or more. */
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type { WorkerPool } from '../../../router/capabilities/worker-pool.ts';
import { withFactCounts } from '../cube-metadata/fact-counts.ts';
import { MAX_LENGTH_READ_AT_ONCE, MAX_SCHEMA_LENGTH, SCHEMA_TIMEOUT_MS } from '../limits.ts';
import type { Schema } from '../schema/model.ts';
import { readSchema } from '../schema/read-schema.ts';
import { withoutBrokenFormulas } from './broken-formulas.ts';

/** A schema as it is served: plain data that can pass between threads. */
export interface ServableSchema {
  /** The schema without broken formulas, with the counts that masking needs; `undefined` if it cannot be served. */
  readonly schema: Schema | undefined;
  /** Problems found while reading. */
  readonly problems: readonly DatasourceProblem[];
  /** One error for each formula that was left out. */
  readonly formulas: readonly DatasourceProblem[];
}

export type SchemaPool = WorkerPool<string, ServableSchema>;

export type SchemaReader = (text: string) => ServableSchema | Promise<ServableSchema>;

/** Reads the text of a schema and removes what cannot be served. */
export function readServable(text: string): ServableSchema {
  if (text.length > MAX_SCHEMA_LENGTH) {
    return unservable(`The schema has more than ${MAX_SCHEMA_LENGTH.toLocaleString('en-US')} characters.`);
  }
  const { schema: read, problems } = readSchema(text);
  if (read === undefined) return { schema: undefined, problems, formulas: [] };
  const { schema, problems: formulas } = withoutBrokenFormulas(read);
  return { schema: withFactCounts(schema), problems, formulas };
}

/** Returns a reader that passes large texts to the pool. A text that takes too long becomes a problem of the schema. */
export function pooledSchemaReader(pool: SchemaPool, timeoutMs = SCHEMA_TIMEOUT_MS): SchemaReader {
  return async (text) => {
    if (text.length <= MAX_LENGTH_READ_AT_ONCE) return readServable(text);
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await pool.run(text, limit);
    } catch (error) {
      if (!limit.aborted) throw error;
      return unservable(`The schema takes longer than ${timeoutMs / 1000} s to read.`);
    }
  };
}

function unservable(message: string): ServableSchema {
  return { schema: undefined, problems: [{ severity: 'error', message }], formulas: [] };
}
