/** Keeps the draft of a model in this tab of the browser, so that a reload does not lose it. */
import { isObject } from '../api-client/json.ts';
import type { Edit } from './draft.ts';

/** The unsaved changes: edits, or the whole document. */
export interface StoredDraft {
  /** The version of the document that they were made from. */
  readonly version: string;
  readonly edits: readonly Edit[];
  readonly text: string | undefined;
}

const key = (id: string): string => `service.model-draft.${id}`;

export function keepDraft(id: string, draft: StoredDraft): void {
  try {
    if (draft.edits.length === 0 && draft.text === undefined) sessionStorage.removeItem(key(id));
    else sessionStorage.setItem(key(id), JSON.stringify(draft));
  } catch {
    // Storage may be forbidden or full: the draft then lasts until the page closes.
  }
}

export function readDraft(id: string): StoredDraft | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key(id)) ?? 'null');
    if (!isObject(stored) || typeof stored.version !== 'string' || !Array.isArray(stored.edits)) return undefined;
    return {
      version: stored.version,
      edits: stored.edits.filter(isEdit),
      text: typeof stored.text === 'string' ? stored.text : undefined,
    };
  } catch {
    return undefined;
  }
}

/** This page has written the edits itself; the server checks them again. */
function isEdit(value: unknown): value is Edit {
  return isObject(value) && typeof value.op === 'string';
}
