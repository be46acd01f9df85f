/**
 * Returns the milliseconds of processor time that this process spends in `work`: other processes of a busy machine make it
 * wait, and add nothing.
 */
export function cpuMillis(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
