/** Runs tasks that would block the event loop in other threads. The process gives plugins their pools. */
export interface WorkerPool<Task, Result> {
  /** Number of tasks that run at the same time. */
  readonly size: number;
  /** Rejects with `CancelledError` once the signal is aborted, and stops the work. */
  run(task: Task, signal?: AbortSignal): Promise<Result>;
}
