/** The jobs of all nodes in the state store. Every change of state is one guarded statement. */
import { type ExpressionBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../router/capabilities/clock.ts';
import { type Scope, scopeOf, type TenantId, visibilityKey } from '../../router/capabilities/identity.ts';
import type { JobReference, JobRequest, JobState, JobStatus } from '../../router/capabilities/jobs.ts';
import type { State } from '../../router/capabilities/state.ts';
import { RateLimitedError } from '../../router/errors.ts';
import type { JobLimits } from './limits.ts';
import { type JobTables, NO_NODE } from './tables.ts';

const IN_FLIGHT: readonly JobState[] = ['PENDING', 'RUNNING'];
const NODE_GONE = 'The node that ran this query is gone. Send the query again.';
const NOBODY_TOOK_IT = 'The node that ran this query was stopped, and no other took it. Send the query again.';
const STOPPED_TOO_OFTEN =
  'This query was started several times, and each time its node stopped before its end or could not store its answer. Send a smaller query.';
/** Maximum number of released jobs that one round reads. */
const LOOKED_AT = 1_000;
/** The key of PostgreSQL's lock for counting jobs. Every version of the product must use the same number. */
const ADVISORY_LOCK = 7_364_530_012;
/** Seconds after which a caller with too many jobs in flight may try again. */
const RETRY_SECONDS = 5;

export type JobOutcome =
  | { readonly state: 'DONE'; readonly result: string }
  | { readonly state: 'FAILED'; readonly code: string; readonly message: string };

/** The jobs of a node to release: by default all in flight. */
export interface HandBackFilter {
  readonly states?: readonly JobState[];
  readonly ids?: readonly string[];
}

/** A released job. */
export interface HandedBackJob {
  readonly id: string;
  readonly surface: string;
  readonly scope: Scope;
}

const RoleNames = z.array(z.string());

export class JobStore {
  readonly #state: State;
  readonly #clock: Clock;
  readonly #limits: JobLimits;

  constructor(state: State, clock: Clock, limits: JobLimits) {
    this.#state = state;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Adds a PENDING job of a node, or of none. The limits are exact under any number of calls at once. */
  async add(id: string, { surface, scope, request }: Omit<JobRequest, 'run'>, node: string): Promise<void> {
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
        .set((row) => ({
          state: 'FAILED',
          finished_at: now,
          error_code: 'EXECUTION_ERROR',
          error_message: row.case().when('node', '=', NO_NODE).then(NOBODY_TOOK_IT).else(NODE_GONE).end(),
          request: null,
        }))
        .where('state', 'in', IN_FLIGHT)
        .where((row) => row.not(this.#hasHope(row, now)))
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
            .as('ofUser'),
          row.fn.count<number | string>('id').filterWhere('tenant_id', '=', scope.tenant).as('ofTenant'),
        ])
        .executeTakeFirstOrThrow();
      this.#admit(Number(counts.ofUser), Number(counts.ofTenant), Number(counts.all));
      await transaction
        .insertInto('jobs')
        .values({
          id,
          surface,
          ...ownership(scope),
          owner_scope: JSON.stringify(scopeOf(scope)),
          node,
          state: 'PENDING',
          submitted_at: now,
          heartbeat_at: now,
          finished_at: null,
          error_code: null,
          error_message: null,
          result: null,
          result_size: 0,
          request: JSON.stringify(request),
          attempts: 0,
        })
        .execute();
    });
  }

  #admit(ofUser: number, ofTenant: number, all: number): void {
    const details = { code: 'JOB_LIMIT', retryAfterSeconds: RETRY_SECONDS };
    if (ofUser >= this.#limits.inFlightOfUser) {
      throw new RateLimitedError(
        `You have ${ofUser} queries in flight, the most a user may have. Wait for one to end, or cancel one.`,
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

  /** Marks a job RUNNING on this node; returns false when it is not PENDING here any more. */
  async begin(id: string, node: string): Promise<boolean> {
    const row = await this.#tables
      .updateTable('jobs')
      .set((columns) => ({
        state: 'RUNNING',
        heartbeat_at: this.#clock(),
        attempts: columns('attempts', '+', 1),
      }))
      .where('id', '=', id)
      .where('node', '=', node)
      .where('state', '=', 'PENDING')
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Ends a job in flight on this node. A job that was cancelled, failed or released meanwhile does not change. */
  async end(id: string, node: string, ending: JobOutcome): Promise<void> {
    const row = await this.#tables
      .updateTable('jobs')
      .set({
        state: ending.state,
        finished_at: this.#clock(),
        request: null,
        ...(ending.state === 'DONE'
          ? { result: ending.result, result_size: ending.result.length }
          : { error_code: ending.code, error_message: ending.message }),
      })
      .where('id', '=', id)
      .where('node', '=', node)
      .where('state', 'in', IN_FLIGHT)
      .returning(['tenant_id', 'owner'])
      .executeTakeFirst();
    if (row !== undefined && ending.state === 'DONE') await this.#forgetOldest(row);
  }

  async cancel(reference: JobReference): Promise<void> {
    await this.#tables
      .updateTable('jobs')
      .set({ state: 'CANCELLED', finished_at: this.#clock(), request: null })
      .where((row) => row.and(identity(reference)))
      .where('state', 'in', IN_FLIGHT)
      .where((row) => this.#hasHope(row, this.#clock()))
      .execute();
  }

  async status(reference: JobReference): Promise<JobStatus | undefined> {
    const row = await this.#tables
      .selectFrom('jobs')
      .where((columns) => columns.and(identity(reference)))
      .select(['state', 'node', 'heartbeat_at', 'finished_at', 'error_code', 'error_message'])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const now = this.#clock();
    if (row.finished_at !== null && row.finished_at <= now - this.#limits.keepMs) return undefined;
    const { id } = reference;
    const wasHandedBack = row.node === NO_NODE;
    const patience = wasHandedBack ? this.#limits.keepMs : this.#limits.silentMs;
    if (IN_FLIGHT.includes(row.state) && row.heartbeat_at <= now - patience) {
      // Only reported; the next submitted job writes it.
      const message = wasHandedBack ? NOBODY_TOOK_IT : NODE_GONE;
      return { id, state: 'FAILED', error: { code: 'EXECUTION_ERROR', message } };
    }
    if (row.error_code === null) return { id, state: row.state };
    return { id, state: row.state, error: { code: row.error_code, message: row.error_message ?? '' } };
  }

  /** Returns the JSON of a DONE job. */
  async result(reference: JobReference): Promise<string | undefined> {
    const row = await this.#tables
      .selectFrom('jobs')
      .where((columns) => columns.and(identity(reference)))
      .where('state', '=', 'DONE')
      .select('result')
      .executeTakeFirst();
    return row?.result ?? undefined;
  }

  /** Reports that a node is alive. Returns its jobs that are still in flight; the others ended elsewhere. */
  async heartbeat(node: string): Promise<ReadonlySet<string>> {
    const rows = await this.#tables
      .updateTable('jobs')
      .set({ heartbeat_at: this.#clock() })
      .where('node', '=', node)
      .where('state', 'in', IN_FLIGHT)
      // A node that was silent for too long (on a suspended machine) counts as dead, and cannot revoke that.
      .where('heartbeat_at', '>', this.#clock() - this.#limits.silentMs)
      .returning('id')
      .execute();
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Releases all jobs of a node, or the jobs `ids`: any other node may take them, unless they started too often. A job that was reported as FAILED,
   * because its node was silent for too long, stays FAILED.
   */
  async handBack(node: string, { states = IN_FLIGHT, ids }: HandBackFilter = {}): Promise<void> {
    const now = this.#clock();
    const isMeant = (row: ExpressionBuilder<JobTables, 'jobs'>) =>
      row.and([
        row('node', '=', node),
        row('state', 'in', states),
        row('heartbeat_at', '>', now - this.#limits.silentMs),
        ...(ids === undefined ? [] : [row('id', 'in', ids)]),
      ]);
    await this.#tables
      .updateTable('jobs')
      .set({ node: NO_NODE, state: 'PENDING', heartbeat_at: now })
      .where(isMeant)
      .where('attempts', '<', this.#limits.attempts)
      .execute();
    await this.#tables
      .updateTable('jobs')
      .set({
        state: 'FAILED',
        finished_at: now,
        error_code: 'EXECUTION_ERROR',
        error_message: STOPPED_TOO_OFTEN,
        request: null,
      })
      .where(isMeant)
      .execute();
  }

  /** Lists these surfaces' released jobs, the oldest first. */
  async handedBack(surfaces: readonly string[]): Promise<readonly HandedBackJob[]> {
    const rows = await this.#tables
      .selectFrom('jobs')
      .where('state', '=', 'PENDING')
      .where('node', '=', NO_NODE)
      .where('surface', 'in', surfaces)
      .where('request', 'is not', null)
      .where('heartbeat_at', '>', this.#clock() - this.#limits.keepMs)
      .select(['id', 'surface', 'tenant_id', 'owner', 'owner_roles', 'owner_scope'])
      .orderBy('submitted_at')
      .orderBy('id')
      .limit(LOOKED_AT)
      .execute();
    return rows.map(({ id, surface, tenant_id, owner, owner_roles, owner_scope }) => ({
      id,
      surface,
      scope:
        owner_scope === null
          ? // A job of a version without attributes: an account's own.
            {
              tenant: tenant_id as TenantId,
              user: owner,
              roles: RoleNames.parse(JSON.parse(owner_roles)),
              isAccount: true,
            }
          : scopeFromJson(owner_scope),
    }));
  }

  /** Assigns a released job to this node, and returns its request; `undefined` when another node was faster. */
  async take(id: string, node: string): Promise<unknown> {
    const row = await this.#tables
      .updateTable('jobs')
      .set({ node, heartbeat_at: this.#clock() })
      .where('id', '=', id)
      .where('node', '=', NO_NODE)
      .where('state', '=', 'PENDING')
      .returning('request')
      .executeTakeFirst();
    return row?.request == null ? undefined : JSON.parse(row.request);
  }

  /** Makes the condition under which a job in flight can still end: its node lives, or it was released not too long ago. */
  #hasHope(row: ExpressionBuilder<JobTables, 'jobs'>, now: number) {
    return row.or([
      row('heartbeat_at', '>', now - this.#limits.silentMs),
      row.and([row('node', '=', NO_NODE), row('heartbeat_at', '>', now - this.#limits.keepMs)]),
    ]);
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

function ownership(scope: Scope) {
  return { tenant_id: scope.tenant, owner: scope.user, owner_roles: visibilityKey(scope) };
}

const StoredScope = z.object({
  tenant: z.string().transform((id) => id as TenantId),
  user: z.string(),
  roles: z.array(z.string()),
  attributes: z.record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean()]))).optional(),
  viewer: z.object({ id: z.string() }).optional(),
  isAccount: z.literal(true).optional(),
  get viewedBy() {
    return StoredScope.optional();
  },
});

function scopeFromJson(json: string): Scope {
  return StoredScope.parse(JSON.parse(json));
}

/** Makes the conditions for the row of this caller's job. */
function identity({ surface, scope, id }: JobReference) {
  return { id, surface, ...ownership(scope) };
}

/** Returns the number of all nodes' jobs in each state, of one tenant or of all. */
export async function countJobs(state: State, tenant?: TenantId): Promise<ReadonlyMap<JobState, number>> {
  const jobs = state.tables<JobTables>().selectFrom('jobs');
  const rows = await (tenant === undefined ? jobs : jobs.where('tenant_id', '=', tenant))
    .groupBy('state')
    .select((row) => ['state', row.fn.countAll<number | string>().as('count')])
    .execute();
  return new Map(rows.map((row) => [row.state, Number(row.count)]));
}
