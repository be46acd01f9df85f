import type { Scope } from './identity.ts';

/**
 * Work that a caller starts now and fetches later. States and transitions follow the interface: PENDING -> RUNNING ->
 * DONE or FAILED, and CANCELLED from either of the first two. The last three are final. A node that stops hands back
 * the jobs that it cannot end: such a job is PENDING again, and any node runs it from the start. Work therefore only
 * reads.
 */
export type JobState = 'PENDING' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED';

export interface JobStatus {
  readonly id: string;
  readonly state: JobState;
  /** Why it is FAILED, in the codes and words that a caller of the same work would have been answered with. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** Names a job. A job is its owner's alone: to any other scope (another user, or other roles) it does not exist. */
export interface JobReference {
  /** The surface that submitted it, such as `semantic`: a surface never answers for another surface's job. */
  readonly surface: string;
  readonly scope: Scope;
  readonly id: string;
}

export interface JobRequest {
  readonly surface: string;
  readonly scope: Scope;
  /** The request as JSON, complete enough for another node to run it with the function given to `register`. */
  readonly request: unknown;
  /**
   * Does the work. `signal` aborts when the job is cancelled; the work must then stop. Its result is stored as JSON,
   * its error becomes the job's error.
   */
  run(signal: AbortSignal): Promise<unknown>;
}

/** Does the work of a job that another node has handed back, from the request that was kept of it. */
export type RunAgain = (request: unknown, scope: Scope, signal: AbortSignal) => Promise<unknown>;

/** Bounds of the jobs of one user, as the texts of the surfaces name them. */
export interface JobBounds {
  readonly inFlight: number;
  /** Largest result, in bytes. */
  readonly resultBytes: number;
  /** Time that a result is kept, in milliseconds. */
  readonly keepMs: number;
}

export interface Jobs {
  readonly bounds: JobBounds;
  /** Says how the jobs of a surface are run on a node that has not taken them itself. */
  register(surface: string, again: RunAgain): void;
  /**
   * Stores the job as PENDING and starts it as soon as there is room.
   *
   * @throws RateLimitedError when too many are in flight
   */
  submit(request: JobRequest): Promise<JobStatus>;
  /**
   * Returns the status of a job; `undefined` when there is no such job of this scope, or it ended so long ago that it
   * is forgotten.
   */
  status(reference: JobReference): Promise<JobStatus | undefined>;
  /** Returns the status and, when that is DONE, the result of the work. Any node answers. */
  result(reference: JobReference): Promise<{ readonly status: JobStatus; readonly value: unknown } | undefined>;
  /** Makes a job that is in flight CANCELLED, wherever it runs; changes nothing once it has ended. */
  cancel(reference: JobReference): Promise<JobStatus | undefined>;
}
