/** Limits of jobs: their number, the size of their results, and the delays of their states. */
export interface JobLimits {
  /** Jobs that one node runs at once; the others wait as PENDING. */
  readonly running: number;
  /** Running jobs of one user among these, so that no user's queue blocks others. */
  readonly runningOfUser: number;
  /** Jobs in flight (PENDING or RUNNING) of one user, over all nodes. */
  readonly inFlightOfUser: number;
  /** Jobs in flight of one tenant, over all nodes: fewer than `inFlight`, so that one tenant cannot use all. */
  readonly inFlightOfTenant: number;
  /** Jobs in flight of all users, over all nodes. */
  readonly inFlight: number;
  /** Maximum length of a result's JSON. */
  readonly resultSize: number;
  /** Total length of all results of one user; the oldest are deleted first. */
  readonly resultsOfUser: number;
  /** Retention time of an ended job, in milliseconds. */
  readonly keepMs: number;
  /** Interval in which a node reports that it is alive, and reads the cancels and the releases of other nodes, in milliseconds. */
  readonly heartbeatMs: number;
  /** Silence after which a node counts as dead, with its jobs, in milliseconds. */
  readonly silentMs: number;
  /** Maximum number of starts of a job whose nodes stop before it ends. */
  readonly attempts: number;
}

export const BINARY_MEGABYTE = 1024 * 1024;
/** Number of results of maximum size that are stored for one user. */
export const RESULTS_OF_USER = 4;

export const JOB_LIMITS: JobLimits = {
  running: 4,
  runningOfUser: 2,
  inFlightOfUser: 20,
  inFlightOfTenant: 400,
  inFlight: 500,
  resultSize: 32 * BINARY_MEGABYTE,
  resultsOfUser: RESULTS_OF_USER * 32 * BINARY_MEGABYTE,
  keepMs: 60 * 60_000,
  heartbeatMs: 1_000,
  silentMs: 30_000,
  attempts: 5,
};
