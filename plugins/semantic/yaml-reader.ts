/** Reads YAML in a worker thread: its parser takes seconds for a large text, and longer for a hostile one. */
import type { WorkerPool } from '../../router/capabilities/worker-pool.ts';
import { DOCUMENT_TIMEOUT_MS } from './limits.ts';
import type { YamlResult } from './model/yaml-text.ts';

export type YamlPool = WorkerPool<string, YamlResult>;

export type YamlReader = (text: string) => YamlResult | Promise<YamlResult>;

/** Returns a reader that runs in the pool. A text that takes too long is a problem of the document. */
export function pooledReader(pool: YamlPool, timeoutMs = DOCUMENT_TIMEOUT_MS): YamlReader {
  return async (text) => {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await pool.run(text, limit);
    } catch (error) {
      if (!limit.aborted) throw error;
      const message = `The document takes longer than ${timeoutMs / 1000} s to read.`;
      return { problems: [{ message, severity: 'error' }] };
    }
  };
}
