/** Reads cube schemas: in a thread of its own where there is one, because a large one takes a second or more. */
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type { WorkerPool } from '../../../router/capabilities/worker-pool.ts';
import { withFactCounts } from '../cube-metadata/fact-counts.ts';
import { MAX_LENGTH_READ_AT_ONCE, MAX_SCHEMA_LENGTH, SCHEMA_TIMEOUT_MS } from '../limits.ts';
import type { Schema } from '../schema/model.ts';
import { readSchema } from '../schema/read-schema.ts';
import { withoutBrokenFormulas } from './check-formulas.ts';

/** A schema as it is served. Plain data, so that it can be handed from thread to thread. */
export interface ServableSchema {
  /** Without formulas that are no MDX, with the counts that masking needs; `undefined` where it cannot be served. */
  readonly schema: Schema | undefined;
  /** Problems found while reading. */
  readonly problems: readonly DatasourceProblem[];
  /** One error for each formula that was left out. */
  readonly formulas: readonly DatasourceProblem[];
}

export type SchemaPool = WorkerPool<string, ServableSchema>;

export type SchemaReader = (text: string) => ServableSchema | Promise<ServableSchema>;

/** Reads the text of a schema and leaves out what cannot be served of it. */
export function readServable(text: string): ServableSchema {
  if (text.length > MAX_SCHEMA_LENGTH) {
    return unservable(`The schema has more than ${MAX_SCHEMA_LENGTH.toLocaleString('en-US')} characters.`);
  }
  const { schema: read, problems } = readSchema(text);
  if (read === undefined) return { schema: undefined, problems, formulas: [] };
  const { schema, problems: formulas } = withoutBrokenFormulas(read);
  return { schema: withFactCounts(schema), problems, formulas };
}

/** Returns a reader that hands large texts to the pool; one that takes too long becomes a problem of the schema. */
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
