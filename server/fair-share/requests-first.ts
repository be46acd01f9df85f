import { readdirSync } from 'node:fs';
import { yieldTheProcessor } from './yield-the-processor.ts';

/** Time between two looks for new threads, in milliseconds. */
const LOOK_MS = 500;
const THREADS = '/proc/self/task';
/** Where `service.cjs` keeps the threads that the process begins with. */
const FIRST_THREADS = Symbol.for('service.firstThreads');

/**
 * Gives each thread that begins later a lower priority than the thread of the requests: warehouses' engines, cubes and the pool of libuv have such
 * threads. On a busy machine the thread of the requests waits for a core as long as it works otherwise. The first threads stay: they collect its
 * garbage. Only Linux has priorities of threads; elsewhere it does nothing.
 *
 * @returns a function that ends it
 */
export function putRequestsFirst(firstThreads: readonly string[] = threadsOfStart()): () => void {
  if (firstThreads.length === 0) return () => undefined;
  const seen = new Set(firstThreads);
  const look = (): void => {
    for (const thread of threads()) {
      if (seen.has(thread)) continue;
      seen.add(thread);
      yieldTheProcessor(Number(thread));
    }
  };
  look();
  const timer = setInterval(look, LOOK_MS).unref();
  return () => clearInterval(timer);
}

function threadsOfStart(): readonly string[] {
  const kept: unknown = Reflect.get(globalThis, FIRST_THREADS);
  return Array.isArray(kept) ? kept.map(String) : [];
}

/** Returns the ids of the threads of this process; none where the system does not list them. */
export function threads(): readonly string[] {
  try {
    return readdirSync(THREADS);
  } catch {
    return [];
  }
}
