/** Work that would block the event loop, done by other threads: a plugin hands tasks to a pool that the process gives it. */
export interface WorkerPool<Task, Result> {
  /** Tasks that are worked on at the same time. */
  readonly size: number;
  /** Rejects with `CancelledError` once the signal is aborted; the work is stopped then, too. */
  run(task: Task, signal?: AbortSignal): Promise<Result>;
}
