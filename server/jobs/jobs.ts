/** Runs the jobs that this node was given, a few at a time, and answers for those of all nodes. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { JobRequest, Jobs } from '../../router/capabilities/jobs.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { State } from '../../router/capabilities/state.ts';
import { ERROR_CODE } from '../../router/error-format.ts';
import { toServiceError } from '../../router/error-shape.ts';
import { sharedBy, sharerOf } from '../warehouse/sharer.ts';
import { JOB_LIMITS, type JobLimits } from './limits.ts';
import { resultOf, resultText } from './result-text.ts';
import { type Ending, JobStore } from './store.ts';

export interface JobsOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<JobLimits> | undefined;
}

/** `close` stops what runs here and says so in the state; nothing is accepted after it. */
export interface OpenJobs extends Jobs {
  close(): Promise<void>;
}

interface Own {
  readonly id: string;
  readonly user: string;
  readonly request: JobRequest;
  readonly controller: AbortController;
  /** Set once it has left the queue. */
  work: Promise<void> | undefined;
}

export function openJobs(options: JobsOptions): OpenJobs {
  return new NodeJobs(options);
}

class NodeJobs implements OpenJobs {
  readonly #node = randomUUID();
  readonly #limits: JobLimits;
  readonly #store: JobStore;
  readonly #log: Log;
  /** Jobs of this node that are in flight, in the order in which they came. */
  readonly #own = new Map<string, Own>();
  #timer: NodeJS.Timeout | undefined;
  #beat: Promise<void> | undefined;
  #closed = false;

  constructor({ state, clock, log, limits }: JobsOptions) {
    this.#limits = { ...JOB_LIMITS, ...limits };
    this.#store = new JobStore(state, clock, this.#limits);
    this.#log = log;
  }

  async submit(request: JobRequest) {
    const { surface, scope } = request;
    const id = randomUUID();
    await this.#store.add(id, surface, scope, this.#node);
    const user = JSON.stringify([scope.tenant, scope.user]);
    this.#own.set(id, { id, user, request, controller: new AbortController(), work: undefined });
    if (this.#closed) await this.#finish(id, STOPPED);
    else {
      this.#timer ??= setInterval(() => this.#heartbeat(), this.#limits.heartbeatMs).unref();
      this.#startWhatHasRoom();
    }
    return { id, state: 'PENDING' as const };
  }

  status: Jobs['status'] = (reference) => this.#store.status(reference);

  async result(reference: Parameters<Jobs['result']>[0]) {
    const status = await this.#store.status(reference);
    if (status === undefined) return undefined;
    const text = status.state === 'DONE' ? await this.#store.result(reference) : undefined;
    // Forgotten between the two questions.
    if (status.state === 'DONE' && text === undefined) return undefined;
    const value = text === undefined ? undefined : await resultOf(text);
    return { status, value };
  }

  async cancel(reference: Parameters<Jobs['cancel']>[0]) {
    await this.#store.cancel(reference);
    const status = await this.#store.status(reference);
    // Where the job runs elsewhere, its node hears of it at the next heartbeat.
    if (status?.state === 'CANCELLED') this.#drop(reference.id);
    return status;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#beat;
    const running = [...this.#own.values()];
    for (const { id, controller } of running) {
      await this.#finish(id, STOPPED);
      controller.abort();
    }
    await Promise.all(running.map(({ work }) => work));
  }

  #startWhatHasRoom(): void {
    const running = [...this.#own.values()].filter(({ work }) => work !== undefined);
    let room = this.#limits.running - running.length;
    const users = new Map<string, number>();
    for (const { user } of running) users.set(user, (users.get(user) ?? 0) + 1);
    for (const job of this.#own.values()) {
      const ofUser = users.get(job.user) ?? 0;
      if (room <= 0) return;
      if (job.work !== undefined || ofUser >= this.#limits.runningOfUser) continue;
      users.set(job.user, ofUser + 1);
      room -= 1;
      job.work = this.#run(job);
    }
  }

  /** Never rejects. */
  async #run({ id, request, controller }: Own): Promise<void> {
    try {
      if (await this.#store.begin(id)) {
        const ending = await this.#ending(request, controller.signal);
        if (!controller.signal.aborted) await this.#finish(id, ending);
      }
    } catch (error) {
      // The state does not answer. Without heartbeats the job is given up by whoever asks for it.
      this.#log.error({ err: error, job: id }, 'the state of a job cannot be written');
    } finally {
      this.#own.delete(id);
      if (!this.#closed) this.#startWhatHasRoom();
    }
  }

  async #ending(request: JobRequest, signal: AbortSignal): Promise<Ending> {
    try {
      const value = await sharedBy(sharerOf(request.scope, ''), () => request.run(signal));
      const result = await resultText(value);
      if (result.length <= this.#limits.resultSize) return { state: 'DONE', result };
      const megabytes = Math.floor(this.#limits.resultSize / (1024 * 1024));
      const message = `The answer takes more than ${megabytes} MB, the most that is kept. Ask for fewer rows or fields.`;
      return { state: 'FAILED', code: 'RESULT_TOO_LARGE', message };
    } catch (thrown) {
      const error = toServiceError(thrown);
      if (error.kind === 'INTERNAL') this.#log.error({ err: error.cause ?? error }, 'a job failed');
      else if (error.cause !== undefined) this.#log.warn({ err: error.cause }, error.message);
      return { state: 'FAILED', code: error.code ?? ERROR_CODE[error.kind], message: error.message };
    }
  }

  async #finish(id: string, ending: Ending): Promise<void> {
    await this.#store.end(id, ending);
    if (this.#own.get(id)?.work === undefined) this.#own.delete(id);
  }

  #drop(id: string): void {
    const job = this.#own.get(id);
    job?.controller.abort();
    if (job?.work === undefined) this.#own.delete(id);
  }

  #heartbeat(): void {
    if (this.#own.size === 0 || this.#beat !== undefined) return;
    const before = [...this.#own.keys()];
    this.#beat = this.#store
      .heartbeat(this.#node)
      .then((alive) => {
        // A job that came after the question was asked is not in the answer either.
        for (const id of before) if (!alive.has(id)) this.#drop(id);
      })
      .catch((error: unknown) => this.#log.warn({ err: error }, 'the heartbeat of jobs was missed'))
      .finally(() => {
        this.#beat = undefined;
      });
  }
}

const STOPPED: Ending = {
  state: 'FAILED',
  code: 'EXECUTION_ERROR',
  message: 'The service was stopped before the query ended. Send it again.',
};
