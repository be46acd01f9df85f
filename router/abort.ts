import { setMaxListeners } from 'node:events';

/**
 * Calls `stop` once when the signal is aborted. One signal may stop any number of works at a time, each of which leaves
 * it when it ends: Node's warning of a leak at eleven listeners is switched off for it.
 *
 * @returns how to leave the signal
 */
export function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal === undefined) return () => {};
  setMaxListeners(0, signal);
  signal.addEventListener('abort', stop, { once: true });
  return () => signal.removeEventListener('abort', stop);
}

/** Waits for work that others may wait for, too, until the signal is aborted: throws `reason()` then. */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  reason: () => Error,
): Promise<T> {
  if (signal === undefined) return work;
  if (signal.aborted) {
    work.catch(() => {});
    throw reason();
  }
  let leave = (): void => undefined;
  const left = new Promise<never>((_resolve, reject) => {
    leave = onAbort(signal, () => reject(reason()));
  });
  try {
    return await Promise.race([work, left]);
  } finally {
    leave();
  }
}
