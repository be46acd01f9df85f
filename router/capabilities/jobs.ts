import type { Scope } from './identity.ts';

/**
 * Work that a caller starts now and fetches later. States and transitions follow the interface: PENDING -> RUNNING -> DONE or FAILED, and CANCELLED
 * from either of the first two. The last three are final. A node that stops releases its unfinished jobs: such a job is PENDING again, and any node
 * runs it from the start. Work therefore only reads.
 */
export type JobState = 'PENDING' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED';

export interface JobStatus {
  readonly id: string;
  readonly state: JobState;
  /** The reason why it is FAILED, with the code and message that a synchronous caller gets. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** Identifies a job. For any scope but its owner's (another user, or other roles) the job does not exist. */
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

/** Runs a job that another node released, from its stored request. */
export type RunAgain = (request: unknown, scope: Scope, signal: AbortSignal) => Promise<unknown>;

/** Bounds of one user's jobs, for the texts of the surfaces. */
export interface JobBounds {
  readonly inFlight: number;
  /** Largest result, in bytes. */
  readonly resultBytes: number;
  /** Time that a result is kept, in milliseconds. */
  readonly keepMs: number;
}

export interface Jobs {
  readonly bounds: JobBounds;
  /** Registers how this node runs a surface's jobs that other nodes submitted. */
  register(surface: string, again: RunAgain): void;
  /**
   * Stores the job as PENDING and starts it as soon as there is room.
   *
   * @throws RateLimitedError when too many are in flight
   */
  submit(request: JobRequest): Promise<JobStatus>;
  /** Returns the status of a job; `undefined` when this scope has no such job, or its retention time is over. */
  status(reference: JobReference): Promise<JobStatus | undefined>;
  /** Returns the status and, when that is DONE, the result of the work. Any node answers. */
  result(reference: JobReference): Promise<{ readonly status: JobStatus; readonly value: unknown } | undefined>;
  /** Cancels a job in flight on any node; does not change an ended job. */
  cancel(reference: JobReference): Promise<JobStatus | undefined>;
}
