import { setMaxListeners } from 'node:events';

/**
 * Calls `stop` once when the signal is aborted. One signal may stop any number of works at a time; each removes its listener when it ends. Node's
 * leak warning at eleven listeners is switched off for the signal.
 *
 * @returns a function that removes the listener
 */
export function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal === undefined) return () => {};
  setMaxListeners(0, signal);
  signal.addEventListener('abort', stop, { once: true });
  return () => signal.removeEventListener('abort', stop);
}

/** Waits for shared work until the signal is aborted, and then throws `reason()`. The work itself continues. */
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
