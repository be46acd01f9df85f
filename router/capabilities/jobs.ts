import type { Scope } from './identity.ts';

/**
 * Work that a caller asks for now and fetches later. States and transitions are those of the interface:
 * PENDING -> RUNNING -> DONE or FAILED, and CANCELLED from either of the first two. The last three are final.
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
  /** The surface that submitted it, such as `semantic`: one surface never answers for another's job. */
  readonly surface: string;
  readonly scope: Scope;
  readonly id: string;
}

export interface JobRequest {
  readonly surface: string;
  readonly scope: Scope;
  /**
   * Does the work. `signal` is aborted when the job is cancelled; the work must then stop what it started.
   * What it resolves to is stored as JSON; what it throws becomes the job's error.
   */
  run(signal: AbortSignal): Promise<unknown>;
}

export interface Jobs {
  /** Stores the job as PENDING and starts it as soon as there is room. Throws `RateLimitedError` when too many are in flight. */
  submit(request: JobRequest): Promise<JobStatus>;
  /** `undefined` when there is no such job of this scope, or it ended so long ago that it is forgotten. */
  status(reference: JobReference): Promise<JobStatus | undefined>;
  /** The status and, when that is DONE, what the work resolved to. Any node answers. */
  result(reference: JobReference): Promise<{ readonly status: JobStatus; readonly value: unknown } | undefined>;
  /** Makes a job that is in flight CANCELLED, wherever it runs; changes nothing once it has ended. */
  cancel(reference: JobReference): Promise<JobStatus | undefined>;
}
