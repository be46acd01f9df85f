import type { Worker } from 'node:worker_threads';
import { onAbort } from '../../router/abort.ts';
import type { WorkerPool } from '../../router/capabilities/worker-pool.ts';
import { CancelledError, InternalError } from '../../router/errors.ts';
import { presentSharer } from '../fair-share/counted-user.ts';
import { FairQueue } from '../fair-share/fair-queue.ts';
import { workerOf } from './start-worker.ts';

export interface ThreadPoolOptions {
  /** The module that answers each message with one message: a source file (in tests) or a built one. */
  readonly module: URL;
  /** Maximum number of threads; each starts on first use. */
  readonly size: number;
  /** Time after which a thread without work ends, in milliseconds: it has libraries in memory that are seldom used. */
  readonly idleMs?: number;
}

const IDLE_MS = 15_000;

interface IdleThread {
  readonly worker: Worker;
  readonly end: NodeJS.Timeout;
}

interface Job<Task, Result> {
  readonly sharer: string;
  readonly task: Task;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** A pool of worker threads. Sharers (`sharedBy`) take turns, each first come, first served. An idle thread does not keep the process alive, and ends after a while. */
export class ThreadPool<Task, Result> implements WorkerPool<Task, Result> {
  readonly size: number;
  readonly #module: URL;
  readonly #turns = new FairQueue<Job<Task, Result>>(0);
  readonly #idle: IdleThread[] = [];
  readonly #idleMs: number;
  readonly #busy = new Map<Worker, Job<Task, Result>>();
  #isClosed = false;

  constructor({ module, size, idleMs = IDLE_MS }: ThreadPoolOptions) {
    this.#module = module;
    this.#idleMs = idleMs;
    this.size = size;
  }

  async run(task: Task, signal?: AbortSignal): Promise<Result> {
    if (signal?.aborted === true) throw new CancelledError('The request was cancelled.');
    if (this.#isClosed) throw new CancelledError('The process is stopping.');
    let leave = (): void => undefined;
    try {
      return await new Promise<Result>((resolve, reject) => {
        const job: Job<Task, Result> = { sharer: presentSharer(), task, resolve, reject };
        leave = onAbort(signal, () => this.#cancel(job));
        this.#turns.add(job.sharer, job);
        this.#next();
      });
    } finally {
      leave();
    }
  }

  /** Stops all threads; their tasks reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (let next = this.#turns.next(); next !== undefined; next = this.#turns.next()) {
      next.waiter.reject(new CancelledError('The process is stopping.'));
    }
    const idle = this.#idle.splice(0);
    for (const { end } of idle) clearTimeout(end);
    const workers = [...idle.map(({ worker }) => worker), ...this.#busy.keys()];
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #next(): void {
    while (this.#busy.size < this.size) {
      const job = this.#turns.next()?.waiter;
      if (job === undefined) return;
      const worker = this.#awake() ?? this.#start();
      worker.ref();
      this.#busy.set(worker, job);
      worker.postMessage(job.task);
    }
  }

  /** Takes the thread that worked last, so that the others may end. */
  #awake(): Worker | undefined {
    const thread = this.#idle.pop();
    clearTimeout(thread?.end);
    return thread?.worker;
  }

  #rest(worker: Worker): void {
    worker.unref();
    const end = setTimeout(() => {
      this.#forget(worker);
      void worker.terminate();
    }, this.#idleMs).unref();
    this.#idle.push({ worker, end });
  }

  #forget(worker: Worker): void {
    const index = this.#idle.findIndex((each) => each.worker === worker);
    const [thread] = index < 0 ? [] : this.#idle.splice(index, 1);
    clearTimeout(thread?.end);
  }

  #start(): Worker {
    const worker = workerOf(this.#module);
    worker.on('message', (result: Result) => {
      const job = this.#endOf(worker);
      this.#rest(worker);
      job?.resolve(result);
      this.#next();
    });
    worker.on('error', (cause) => this.#lost(worker, new InternalError('A worker thread failed.', { cause })));
    worker.on('exit', () => this.#lost(worker, new CancelledError('The work was stopped.')));
    return worker;
  }

  #lost(worker: Worker, error: Error): void {
    const job = this.#endOf(worker);
    this.#forget(worker);
    job?.reject(error);
    if (!this.#isClosed) this.#next();
  }

  #cancel(job: Job<Task, Result>): void {
    const error = new CancelledError('The request was cancelled.');
    for (const [worker, running] of this.#busy) {
      if (running !== job) continue;
      // A running forecast cannot be interrupted; its thread can be terminated.
      void worker.terminate();
      this.#lost(worker, error);
      return;
    }
    this.#turns.drop(job.sharer, job);
    job.reject(error);
  }

  /** Removes the job of a worker and returns it. */
  #endOf(worker: Worker): Job<Task, Result> | undefined {
    const job = this.#busy.get(worker);
    if (job === undefined) return undefined;
    this.#busy.delete(worker);
    this.#turns.ended(job.sharer);
    return job;
  }
}
