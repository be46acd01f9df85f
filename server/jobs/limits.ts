/** How many jobs there may be, how large their results are, and how long things take to be noticed. */
export interface JobLimits {
  /** Jobs that one node runs at once; the others wait as PENDING. */
  readonly running: number;
  /** Jobs of one user among these, so that nobody's queue blocks others. */
  readonly runningOfUser: number;
  /** Jobs in flight (PENDING or RUNNING) of one user, over all nodes. */
  readonly inFlightOfUser: number;
  /** Jobs in flight of one tenant, over all nodes: below `inFlight`, so that no tenant takes it all. */
  readonly inFlightOfTenant: number;
  /** Jobs in flight of all users, over all nodes. */
  readonly inFlight: number;
  /** Length of a result's JSON. */
  readonly resultSize: number;
  /** Length of all results kept for one user; the oldest are forgotten first. */
  readonly resultsOfUser: number;
  /** How long an ended job is remembered, milliseconds. */
  readonly keepMs: number;
  /**
   * The interval in which a node reports that it is alive, and asks which of its jobs were cancelled elsewhere and
   * which were handed back, in milliseconds.
   */
  readonly heartbeatMs: number;
  /** A node that was silent for so long is gone, and its jobs with it, milliseconds. */
  readonly silentMs: number;
  /** How often a job is begun at most, where each node that runs it is stopped before it ends. */
  readonly attempts: number;
}

export const BINARY_MEGABYTE = 1024 * 1024;
/** Results of the largest size that are kept for one user. */
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
