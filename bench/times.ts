/** Measures work in this process. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Times {
  /** Milliseconds of the clock. */
  readonly clock: number;
  /** Milliseconds of the processor, all threads of this process together. */
  readonly processor: number;
}

export async function timesOf(work: () => Promise<unknown>): Promise<Times> {
  const [begun, at] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(begun);
  return { clock: performance.now() - at, processor: (user + system) / 1_000 };
}

/** Returns the bytes of JavaScript's objects that are in use, after collecting what is not. */
export function usedHeapBytes(): number {
  setFlagsFromString('--expose_gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
