/** Returns the milliseconds of processor time that this process spends in `work`. Other processes delay the work, but do not add to this time. */
export function cpuMillis(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
