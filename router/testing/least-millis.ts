const ATTEMPTS = 4;

/**
 * Returns the least milliseconds of some attempts to `measure`, of which the first below `limit` is the last: what takes
 * longer than it may does so each time, and a busy machine only now and then.
 */
export async function leastMillis(limit: number, measure: () => Promise<number>): Promise<number> {
  let least = await measure();
  for (let attempt = 1; attempt < ATTEMPTS && least >= limit; attempt++) least = Math.min(least, await measure());
  return least;
}
