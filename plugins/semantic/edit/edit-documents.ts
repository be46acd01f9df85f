/** Applies edits in a worker thread: each edit parses the YAML of the document, which takes long for a large one. */
import type { WorkerPool } from '../../../router/capabilities/worker-pool.ts';
import { type Problem, ValidationError } from '../../../router/errors.ts';
import { DOCUMENT_TIMEOUT_MS } from '../limits.ts';
import { type Applied, applyEdits, type EditedDocument } from './apply-edits.ts';
import type { Edit } from './edits.ts';

/** A message to the thread. */
export interface EditTask {
  readonly document: EditedDocument;
  readonly edits: readonly Edit[];
}

/** A message from the thread. Errors lose their class on the way, so that mistakes are data. */
export type EditResult = Applied | { readonly mistake: Problem };

export type EditPool = WorkerPool<EditTask, EditResult>;

export type DocumentEditor = (document: EditedDocument, edits: readonly Edit[]) => Promise<Applied>;

export async function editResult({ document, edits }: EditTask): Promise<EditResult> {
  try {
    return await applyEdits(document, edits);
  } catch (error) {
    if (error instanceof ValidationError) return { mistake: error.problems[0] };
    throw error;
  }
}

/** Returns an editor that runs in the pool. @throws ValidationError at `edits` for a document that takes too long */
export function pooledEditor(pool: EditPool, timeoutMs = DOCUMENT_TIMEOUT_MS): DocumentEditor {
  return async ({ text, schema, engine }, edits) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const { name, parserName } = engine;
    try {
      const result = await pool.run({ document: { text, schema, engine: { name, parserName } }, edits }, limit);
      if ('mistake' in result) throw new ValidationError([result.mistake]);
      return result;
    } catch (error) {
      if (!limit.aborted) throw error;
      const message = `The document takes longer than ${timeoutMs / 1000} s to edit. Send it whole, in \`text\`.`;
      throw ValidationError.at(['edits'], message);
    }
  };
}
