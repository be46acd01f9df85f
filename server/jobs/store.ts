/** The jobs of all nodes, as the state store holds them. Every change of state is one guarded statement. */
import { sql } from 'kysely';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Scope } from '../../router/capabilities/identity.ts';
import type { JobReference, JobState, JobStatus } from '../../router/capabilities/jobs.ts';
import type { State } from '../../router/capabilities/state.ts';
import { RateLimitedError } from '../../router/errors.ts';
import type { JobLimits } from './limits.ts';
import type { JobTables } from './tables.ts';

const IN_FLIGHT: readonly JobState[] = ['PENDING', 'RUNNING'];
const NODE_GONE = 'The node that ran this query is gone. Send the query again.';
/** Any number will do as long as every version of the product uses the same one for counting jobs. */
const ADVISORY_LOCK = 7_364_530_012;
/** A caller who has too many in flight may try again after this many seconds. */
const RETRY_SECONDS = 5;

export type Ending =
  | { readonly state: 'DONE'; readonly result: string }
  | { readonly state: 'FAILED'; readonly code: string; readonly message: string };

export class JobStore {
  readonly #state: State;
  readonly #clock: Clock;
  readonly #limits: JobLimits;

  constructor(state: State, clock: Clock, limits: JobLimits) {
    this.#state = state;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Adds a PENDING job of a node. The limits are exact under any number of calls at once. */
  async add(id: string, surface: string, scope: Scope, node: string): Promise<void> {
    const now = this.#clock();
    await this.#tables.transaction().execute(async (transaction) => {
      // On SQLite the transaction itself is the lock: it begins immediate.
      if (this.#state.engine === 'postgresql') {
        await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(transaction);
      }
      await transaction
        .deleteFrom('jobs')
        .where('finished_at', '<=', now - this.#limits.keepMs)
        .execute();
      await transaction
        .updateTable('jobs')
        .set({ state: 'FAILED', finished_at: now, error_code: 'EXECUTION_ERROR', error_message: NODE_GONE })
        .where('state', 'in', IN_FLIGHT)
        .where('heartbeat_at', '<=', now - this.#limits.silentMs)
        .execute();
      const counts = await transaction
        .selectFrom('jobs')
        .where('state', 'in', IN_FLIGHT)
        .select((row) => [
          row.fn.countAll<number | string>().as('all'),
          row.fn
            .count<number | string>('id')
            .filterWhere('tenant_id', '=', scope.tenant)
            .filterWhere('owner', '=', scope.user)
            .as('own'),
          row.fn.count<number | string>('id').filterWhere('tenant_id', '=', scope.tenant).as('ofTenant'),
        ])
        .executeTakeFirstOrThrow();
      this.#admit(Number(counts.own), Number(counts.ofTenant), Number(counts.all));
      await transaction
        .insertInto('jobs')
        .values({
          id,
          surface,
          ...ownership(scope),
          node,
          state: 'PENDING',
          submitted_at: now,
          heartbeat_at: now,
          finished_at: null,
          error_code: null,
          error_message: null,
          result: null,
          result_size: 0,
        })
        .execute();
    });
  }

  #admit(own: number, ofTenant: number, all: number): void {
    const details = { code: 'JOB_LIMIT', retryAfterSeconds: RETRY_SECONDS };
    if (own >= this.#limits.inFlightOfUser) {
      throw new RateLimitedError(
        `You have ${own} queries in flight, the most a user may have. Wait for one to end, or cancel one.`,
        details,
      );
    }
    if (ofTenant >= this.#limits.inFlightOfTenant) {
      throw new RateLimitedError(
        `The users of your tenant have ${ofTenant} queries in flight, the most a tenant may have. Try again soon.`,
        details,
      );
    }
    if (all >= this.#limits.inFlight) {
      throw new RateLimitedError('The service has as many queries in flight as it takes. Try again soon.', details);
    }
  }

  /** False when it is not PENDING any more. */
  async begin(id: string): Promise<boolean> {
    const row = await this.#tables
      .updateTable('jobs')
      .set({ state: 'RUNNING', heartbeat_at: this.#clock() })
      .where('id', '=', id)
      .where('state', '=', 'PENDING')
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Ends a job that is in flight; one that was cancelled or given up meanwhile stays as it is. */
  async end(id: string, ending: Ending): Promise<void> {
    const row = await this.#tables
      .updateTable('jobs')
      .set({
        state: ending.state,
        finished_at: this.#clock(),
        ...(ending.state === 'DONE'
          ? { result: ending.result, result_size: ending.result.length }
          : { error_code: ending.code, error_message: ending.message }),
      })
      .where('id', '=', id)
      .where('state', 'in', IN_FLIGHT)
      .returning(['tenant_id', 'owner'])
      .executeTakeFirst();
    if (row !== undefined && ending.state === 'DONE') await this.#forgetOldest(row);
  }

  async cancel(reference: JobReference): Promise<void> {
    await this.#tables
      .updateTable('jobs')
      .set({ state: 'CANCELLED', finished_at: this.#clock() })
      .where((row) => row.and(identity(reference)))
      .where('state', 'in', IN_FLIGHT)
      .where('heartbeat_at', '>', this.#clock() - this.#limits.silentMs)
      .execute();
  }

  async status(reference: JobReference): Promise<JobStatus | undefined> {
    const row = await this.#tables
      .selectFrom('jobs')
      .where((columns) => columns.and(identity(reference)))
      .select(['state', 'heartbeat_at', 'finished_at', 'error_code', 'error_message'])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const now = this.#clock();
    if (row.finished_at !== null && row.finished_at <= now - this.#limits.keepMs) return undefined;
    const { id } = reference;
    if (IN_FLIGHT.includes(row.state) && row.heartbeat_at <= now - this.#limits.silentMs) {
      // Told now; the next job that is submitted anywhere writes it down.
      return { id, state: 'FAILED', error: { code: 'EXECUTION_ERROR', message: NODE_GONE } };
    }
    if (row.error_code === null) return { id, state: row.state };
    return { id, state: row.state, error: { code: row.error_code, message: row.error_message ?? '' } };
  }

  /** The JSON of a job that is DONE. */
  async result(reference: JobReference): Promise<string | undefined> {
    const row = await this.#tables
      .selectFrom('jobs')
      .where((columns) => columns.and(identity(reference)))
      .where('state', '=', 'DONE')
      .select('result')
      .executeTakeFirst();
    return row?.result ?? undefined;
  }

  /** Says that a node is alive. Returns those of its jobs that are still in flight; the others were ended elsewhere. */
  async heartbeat(node: string): Promise<ReadonlySet<string>> {
    const rows = await this.#tables
      .updateTable('jobs')
      .set({ heartbeat_at: this.#clock() })
      .where('node', '=', node)
      .where('state', 'in', IN_FLIGHT)
      // A node that was silent for too long (a machine that slept) has been given up, and may not take that back.
      .where('heartbeat_at', '>', this.#clock() - this.#limits.silentMs)
      .returning('id')
      .execute();
    return new Set(rows.map(({ id }) => id));
  }

  async #forgetOldest(owner: { readonly tenant_id: string; readonly owner: string }): Promise<void> {
    const rows = await this.#tables
      .selectFrom('jobs')
      .where('tenant_id', '=', owner.tenant_id)
      .where('owner', '=', owner.owner)
      .where('state', '=', 'DONE')
      .select(['id', 'result_size'])
      .orderBy('finished_at', 'desc')
      .orderBy('id')
      .execute();
    let size = 0;
    const forgotten = rows.filter(({ result_size }) => {
      size += result_size;
      return size > this.#limits.resultsOfUser;
    });
    if (forgotten.length === 0) return;
    await this.#tables
      .deleteFrom('jobs')
      .where(
        'id',
        'in',
        forgotten.map(({ id }) => id),
      )
      .execute();
  }

  get #tables() {
    return this.#state.tables<JobTables>();
  }
}

function ownership({ tenant, user, roles }: Scope) {
  return { tenant_id: tenant, owner: user, owner_roles: JSON.stringify([...new Set(roles)].toSorted()) };
}

/** What must hold of a row for it to be the job that this caller means. */
function identity({ surface, scope, id }: JobReference) {
  return { id, surface, ...ownership(scope) };
}

/** Returns how many jobs of all nodes there are in each state. */
export async function countJobs(state: State): Promise<ReadonlyMap<JobState, number>> {
  const rows = await state
    .tables<JobTables>()
    .selectFrom('jobs')
    .groupBy('state')
    .select((row) => ['state', row.fn.countAll<number | string>().as('count')])
    .execute();
  return new Map(rows.map((row) => [row.state, Number(row.count)]));
}
