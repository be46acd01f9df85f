/** Runs the jobs of this node and the released jobs of other nodes, a few at a time, and reports the jobs of all nodes. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { JobBounds, JobRequest, Jobs, RunAgain } from '../../router/capabilities/jobs.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { State } from '../../router/capabilities/state.ts';
import { ERROR_CODE } from '../../router/error-body.ts';
import { sizeText } from '../../router/quantity-text.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import { sharedBy, sharerOf } from '../fair-share/counted-user.ts';
import { JOB_LIMITS, type JobLimits } from './limits.ts';
import { resultOf, resultText } from './result-text.ts';
import { type HandBackFilter, type JobOutcome, JobStore } from './store.ts';
import { NO_NODE } from './tables.ts';

export interface JobsOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<JobLimits> | undefined;
  /** Called when a job of this node has ended, not for one that was cancelled. */
  readonly onEnded?: ((scope: Scope, id: string, outcome: EndedJob) => void) | undefined;
}

export interface EndedJob {
  readonly state: JobOutcome['state'];
  /** The code of the error with which it failed. */
  readonly code?: string | undefined;
}

export interface OpenJobs extends Jobs {
  /**
   * Takes released jobs of other nodes from now on.
   *
   * @param ready resolves when a tenant's datasources are loaded
   */
  takeOver(ready: (tenant: TenantId) => Promise<void>): void;
  /**
   * Starts no more jobs here, lets the running ones finish for up to `graceMs`, and releases the others: another node takes them, or this one after
   * its next start.
   */
  close(graceMs?: number): Promise<void>;
}

interface JobOnNode {
  readonly id: string;
  readonly user: string;
  readonly request: Pick<JobRequest, 'scope' | 'run'>;
  readonly controller: AbortController;
  /** Set once the job has left the queue. */
  work: Promise<void> | undefined;
  /** True once the work has ended: it cannot be stopped any more, and its end must be written. */
  isOver: boolean;
}

export function openJobs(options: JobsOptions): OpenJobs {
  return new NodeJobs(options);
}

class NodeJobs implements OpenJobs {
  readonly bounds: JobBounds;
  readonly #node = randomUUID();
  readonly #limits: JobLimits;
  readonly #store: JobStore;
  readonly #log: Log;
  readonly #onEnded: JobsOptions['onEnded'];
  /** This node's jobs in flight, in the order of their arrival. */
  readonly #jobs = new Map<string, JobOnNode>();
  /** Jobs with an outcome that could not be written, because the state did not answer. They run again. */
  readonly #unsettled = new Set<string>();
  readonly #again = new Map<string, RunAgain>();
  #ready: ((tenant: TenantId) => Promise<void>) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #beat: Promise<void> | undefined;
  #isMissed = false;
  #closing: Promise<void> | undefined;

  constructor({ state, clock, log, limits, onEnded }: JobsOptions) {
    this.#onEnded = onEnded;
    this.#limits = { ...JOB_LIMITS, ...limits };
    const { inFlightOfUser: inFlight, resultSize: resultBytes, keepMs } = this.#limits;
    this.bounds = { inFlight, resultBytes, keepMs };
    this.#store = new JobStore(state, clock, this.#limits);
    this.#log = log;
  }

  register(surface: string, again: RunAgain): void {
    this.#again.set(surface, again);
  }

  takeOver(ready: (tenant: TenantId) => Promise<void>): void {
    if (this.#closing !== undefined) return;
    this.#ready = ready;
    this.#beats();
    this.#heartbeat();
  }

  async submit(request: JobRequest) {
    const id = randomUUID();
    // A stopping node leaves the job to the other nodes.
    await this.#store.add(id, request, this.#closing === undefined ? this.#node : NO_NODE);
    // The stop may have begun in between.
    if (this.#closing !== undefined) await this.#handBack({ states: ['PENDING'] });
    else {
      this.#enqueue(id, request);
      this.#beats();
      this.#startWhatHasRoom();
    }
    return { id, state: 'PENDING' as const };
  }

  status: Jobs['status'] = (reference) => this.#store.status(reference);

  async result(reference: Parameters<Jobs['result']>[0]) {
    const status = await this.#store.status(reference);
    if (status === undefined) return undefined;
    const text = status.state === 'DONE' ? await this.#store.result(reference) : undefined;
    // Deleted between the two statements.
    if (status.state === 'DONE' && text === undefined) return undefined;
    const value = text === undefined ? undefined : await resultOf(text);
    return { status, value };
  }

  async cancel(reference: Parameters<Jobs['cancel']>[0]) {
    await this.#store.cancel(reference);
    const status = await this.#store.status(reference);
    // If the job runs on another node, that node sees it at its next heartbeat.
    if (status?.state === 'CANCELLED') this.#drop(reference.id);
    return status;
  }

  close(graceMs = 0): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    await this.#handBack({ states: ['PENDING'] });
    for (const { id, work } of this.#jobs.values()) if (work === undefined) this.#jobs.delete(id);
    const running = [...this.#jobs.values()];
    await inTime(graceMs, Promise.all(running.map(({ work }) => work)));
    // Until here the node is alive, and receives cancels.
    clearInterval(this.#timer);
    await this.#beat;
    // These come first: work that reacts to its signal must not report on its job any more.
    await this.#handBack();
    for (const { controller } of this.#jobs.values()) controller.abort();
    await Promise.all(running.map(({ work }) => work));
  }

  async #handBack(which?: HandBackFilter): Promise<void> {
    try {
      await this.#store.handBack(this.#node, which);
    } catch (error) {
      // They are FAILED after this node's silence.
      this.#log.error({ err: error }, 'jobs could not be handed back');
    }
  }

  #enqueue(id: string, request: JobOnNode['request']): void {
    const user = userOf(request);
    this.#jobs.set(id, { id, user, request, controller: new AbortController(), work: undefined, isOver: false });
  }

  #startWhatHasRoom(): void {
    const running = [...this.#jobs.values()].filter(({ work }) => work !== undefined);
    let room = this.#limits.running - running.length;
    const users = new Map<string, number>();
    for (const { user } of running) users.set(user, (users.get(user) ?? 0) + 1);
    for (const job of this.#jobs.values()) {
      const ofUser = users.get(job.user) ?? 0;
      if (room <= 0) return;
      if (job.work !== undefined || ofUser >= this.#limits.runningOfUser) continue;
      users.set(job.user, ofUser + 1);
      room -= 1;
      job.work = this.#run(job);
    }
  }

  /** Runs a job to its end. Never rejects. */
  async #run(job: JobOnNode): Promise<void> {
    const { id, request, controller } = job;
    try {
      if (await this.#store.begin(id, this.#node)) {
        const ending = await this.#ending(request, controller.signal);
        job.isOver = true;
        if (!controller.signal.aborted) {
          await this.#store.end(id, this.#node, ending);
          const code = ending.state === 'DONE' ? undefined : ending.code;
          this.#onEnded?.(request.scope, id, { state: ending.state, code });
        }
      }
    } catch (error) {
      this.#unsettled.add(id);
      this.#log.error({ err: error, job: id }, 'the state of a job cannot be written');
    } finally {
      this.#jobs.delete(id);
      if (this.#closing === undefined) this.#startWhatHasRoom();
    }
  }

  async #ending(request: JobOnNode['request'], signal: AbortSignal): Promise<JobOutcome> {
    try {
      const value = await sharedBy(sharerOf(request.scope, ''), () => request.run(signal));
      const result = await resultText(value);
      if (result.length <= this.#limits.resultSize) return { state: 'DONE', result };
      const message = `The answer takes more than ${sizeText(this.#limits.resultSize)}, the most that is kept. Ask for fewer rows or fields.`;
      return { state: 'FAILED', code: 'RESULT_TOO_LARGE', message };
    } catch (thrown) {
      const error = toServiceError(thrown);
      if (error.kind === 'INTERNAL') this.#log.error({ err: error.cause ?? error }, 'a job failed');
      else if (error.cause !== undefined) this.#log.warn({ err: error.cause }, error.message);
      return { state: 'FAILED', code: error.code ?? ERROR_CODE[error.kind], message: error.message };
    }
  }

  #drop(id: string): void {
    const job = this.#jobs.get(id);
    if (job?.isOver === false) job.controller.abort();
    if (job?.work === undefined) this.#jobs.delete(id);
  }

  #beats(): void {
    this.#timer ??= setInterval(() => this.#heartbeat(), this.#limits.heartbeatMs).unref();
  }

  #heartbeat(): void {
    if (this.#beat !== undefined) return;
    this.#beat = this.#saysItIsAlive()
      .then(() => this.#takeWhatHasRoom())
      .then(() => {
        this.#isMissed = false;
      })
      .catch((error: unknown) => {
        // Logged once, and not each second while the state is unavailable.
        if (!this.#isMissed) this.#log.warn({ err: error }, 'the heartbeat of jobs was missed');
        this.#isMissed = true;
      })
      .finally(() => {
        this.#beat = undefined;
      });
  }

  async #saysItIsAlive(): Promise<void> {
    const ids = [...this.#unsettled];
    if (ids.length > 0) {
      await this.#store.handBack(this.#node, { ids });
      for (const id of ids) this.#unsettled.delete(id);
    }
    if (this.#jobs.size === 0) return;
    const before = [...this.#jobs.keys()];
    const alive = await this.#store.heartbeat(this.#node);
    // A job that arrived after the query is missing in the answer, too.
    for (const id of before) if (!alive.has(id)) this.#drop(id);
  }

  /** Takes only released jobs that can start now: another node may have room for the others. */
  async #takeWhatHasRoom(): Promise<void> {
    const ready = this.#ready;
    const hasRoom = () => this.#closing === undefined && this.#jobs.size < this.#limits.running;
    if (ready === undefined || !hasRoom() || this.#again.size === 0) return;
    for (const { id, surface, scope } of await this.#store.handedBack([...this.#again.keys()])) {
      if (!hasRoom()) return;
      const user = userOf({ scope });
      const ofUser = [...this.#jobs.values()].filter((job) => job.user === user).length;
      const again = this.#again.get(surface);
      if (ofUser >= this.#limits.runningOfUser || again === undefined) continue;
      const request = await this.#store.take(id, this.#node);
      if (request === undefined) continue;
      const run = async (signal: AbortSignal) => {
        await ready(scope.tenant);
        return again(request, scope, signal);
      };
      if (this.#closing !== undefined) return this.#handBack({ states: ['PENDING'] });
      this.#enqueue(id, { scope, run });
      this.#startWhatHasRoom();
    }
  }
}

function userOf({ scope }: Pick<JobRequest, 'scope'>): string {
  return JSON.stringify([scope.tenant, scope.user]);
}

/** Resolves when `work` has ended, or after `ms`. */
async function inTime(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
