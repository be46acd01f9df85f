import { AsyncLocalStorage } from 'node:async_hooks';

/** The viewer of an embed that a request reads for; it follows the request through everything that the request awaits. */
const present = new AsyncLocalStorage<{ id: string | undefined }>();

/** Runs the work of one request, which may name its viewer once the embed's token is read. */
export function withViewer<T>(work: () => T): T {
  return present.run({ id: undefined }, work);
}

/** Names the viewer of the present request. */
export function noteViewer(id: string | undefined): void {
  const store = present.getStore();
  if (store !== undefined) store.id = id;
}

const MAX_COMMENT_LENGTH = 100;

/**
 * Returns the comment for statements of the present request, `/* viewer: u-17 *\/`; `undefined` without a viewer. Letters
 * that could end a comment, or mean something to an engine within one, are left out.
 */
export function viewerComment(): string | undefined {
  const id = present.getStore()?.id;
  if (id === undefined) return undefined;
  return `/* viewer: ${id.replaceAll(/[^A-Za-z0-9_.@:-]/g, '_').slice(0, MAX_COMMENT_LENGTH)} */`;
}
