/**
 * The statements that this node runs. Long ones are reported in the state, so that administrators see the statements of every node, can stop them, and read
 * afterwards which were slow.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { Activity, Observer, OperationActivity } from '../../router/capabilities/observer.ts';
import type { State } from '../../router/capabilities/state.ts';
import { ERROR_CODE } from '../../router/error-body.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import { presentUser } from '../fair-share/counted-user.ts';
import type { BegunStatement, RunningStatement, StatementWatch } from '../warehouse/index.ts';
import {
  KEEP_SLOW_MS,
  LISTED_FROM_MS,
  MAX_SLOW_OF_TENANT,
  MAX_TEXT_LENGTH,
  REPORT_EVERY_MS,
  SILENT_MS,
} from './limits.ts';
import type { ActivityTables } from './tables.ts';

type Row = ActivityTables['long_statements'];

interface Running extends Pick<Row, 'tenant_id' | 'actor' | 'viewer' | 'operation' | 'engine' | 'warehouse' | 'sql'> {
  readonly id: string;
  readonly startedAt: number;
  readonly controller: AbortController;
  isReported: boolean;
}

export interface RegisterOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
  /** Statements of this duration and more are kept as slow, in milliseconds. */
  readonly slowMs: number;
}

/** Number of slow statements after which old ones are deleted. */
const SWEEP_EVERY = 50;

export class StatementRegister implements Observer, StatementWatch {
  readonly #options: RegisterOptions;
  readonly #present = new AsyncLocalStorage<OperationActivity>();
  readonly #running = new Map<string, Running>();
  readonly #writing = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #report: Promise<void> | undefined;
  #sinceSweep = 0;

  constructor(options: RegisterOptions) {
    this.#options = options;
  }

  around<Result>(activity: Activity, work: () => Promise<Result>): Promise<Result> {
    return activity.kind === 'operation' ? this.#present.run(activity, work) : work();
  }

  /** An answer that is given again has no statements. */
  ended(): void {}

  begin({ engine, warehouse, sql, plan }: BegunStatement): RunningStatement {
    const running: Running = {
      id: randomUUID(),
      ...this.#origin(),
      engine,
      warehouse,
      sql: sql.slice(0, MAX_TEXT_LENGTH),
      startedAt: this.#options.clock(),
      controller: new AbortController(),
      isReported: false,
    };
    this.#running.set(running.id, running);
    this.#timer ??= setInterval(() => this.#reportBehind(), REPORT_EVERY_MS).unref();
    return {
      signal: running.controller.signal,
      end: (error) => {
        if (!this.#running.delete(running.id)) return;
        if (this.#running.size === 0) this.#rest();
        this.#write(() => this.#ended(running, error, plan));
      },
    };
  }

  /** Ends with the last write. */
  async close(): Promise<void> {
    this.#rest();
    await this.#report;
    await Promise.all(this.#writing);
  }

  /** Lists the long statements of a tenant that run, the oldest first. */
  async running(tenant: TenantId, isOperator: boolean): Promise<readonly Row[]> {
    return this.#of(tenant, isOperator)
      .where('ended_at', 'is', null)
      .where('seen_at', '>', this.#options.clock() - SILENT_MS)
      .orderBy('started_at')
      .execute();
  }

  /** Lists the slow statements of a tenant, the last first. */
  async slow(tenant: TenantId, isOperator: boolean, limit: number): Promise<readonly Row[]> {
    return this.#of(tenant, isOperator)
      .where('ended_at', 'is not', null)
      .orderBy('started_at', 'desc')
      .limit(limit)
      .execute();
  }

  /** Stops a running statement of a tenant, on any node within seconds. Returns false where there is none. */
  async cancel(id: string, tenant: TenantId, isOperator: boolean): Promise<boolean> {
    const row = await this.#tables
      .updateTable('long_statements')
      .set({ is_cancelled: 1 })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where((each) =>
        isOperator
          ? each.or([each('tenant_id', '=', tenant), each('tenant_id', 'is', null)])
          : each('tenant_id', '=', tenant),
      )
      .returning('id')
      .executeTakeFirst();
    this.#running.get(row?.id ?? '')?.controller.abort();
    return row !== undefined;
  }

  #origin(): Pick<Running, 'tenant_id' | 'actor' | 'viewer' | 'operation'> {
    const activity = this.#present.getStore();
    const scope = activity?.owner ?? (activity?.caller.kind === 'user' ? activity.caller : undefined) ?? presentUser();
    return {
      tenant_id: scope?.tenant ?? null,
      actor: scope?.user ?? null,
      viewer: activity?.owner?.viewer?.id ?? null,
      operation: activity?.operation ?? null,
    };
  }

  #of(tenant: TenantId, isOperator: boolean) {
    return this.#tables
      .selectFrom('long_statements')
      .selectAll()
      .where((row) =>
        isOperator
          ? row.or([row('tenant_id', '=', tenant), row('tenant_id', 'is', null)])
          : row('tenant_id', '=', tenant),
      );
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #reportBehind(): void {
    this.#report ??= this.report()
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'running statements cannot be reported'))
      .finally(() => {
        this.#report = undefined;
      });
  }

  /** Reports this node's long statements, and stops each one that somebody asked to stop. Happens by itself every second. */
  async report(): Promise<void> {
    const now = this.#options.clock();
    const long = [...this.#running.values()].filter(({ startedAt }) => now - startedAt >= LISTED_FROM_MS);
    for (const running of long) {
      if (running.isReported) continue;
      running.isReported = true;
      await this.#tables.insertInto('long_statements').values(rowOf(running, now)).execute();
      // It has ended during the write, which found no row.
      if (!this.#running.has(running.id)) await this.#delete(running.id);
    }
    if (long.length === 0) return;
    const rows = await this.#tables
      .updateTable('long_statements')
      .set({ seen_at: now })
      .where(
        'id',
        'in',
        long.map(({ id }) => id),
      )
      .where('ended_at', 'is', null)
      .returning(['id', 'is_cancelled'])
      .execute();
    for (const { id, is_cancelled } of rows) if (is_cancelled === 1) this.#running.get(id)?.controller.abort();
  }

  async #ended(running: Running, error: unknown, plan: () => Promise<string>): Promise<void> {
    const { clock, slowMs } = this.#options;
    const now = clock();
    if (now - running.startedAt < slowMs) {
      if (running.isReported) await this.#delete(running.id);
      return;
    }
    const thrown = error === undefined ? undefined : toServiceError(error);
    const outcome = thrown === undefined ? 'OK' : (thrown.code ?? ERROR_CODE[thrown.kind]);
    const row = { ...rowOf(running, now), ended_at: now, outcome };
    await this.#tables
      .insertInto('long_statements')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now, ended_at: now, outcome }))
      .execute();
    const text = await plan().catch(() => undefined);
    if (text !== undefined)
      await this.#tables
        .updateTable('long_statements')
        .set({ plan: text.slice(0, MAX_TEXT_LENGTH) })
        .where('id', '=', running.id)
        .execute();
    if (this.#sinceSweep++ % SWEEP_EVERY === 0) await this.#sweep(running.tenant_id, now);
  }

  async #sweep(tenant: string | null, now: number): Promise<void> {
    await this.#tables
      .deleteFrom('long_statements')
      .where('seen_at', '<', now - KEEP_SLOW_MS)
      .execute();
    const kept = this.#tables
      .selectFrom('long_statements')
      .select('id')
      .where('tenant_id', 'is not distinct from', tenant)
      .orderBy('started_at', 'desc')
      .limit(MAX_SLOW_OF_TENANT);
    await this.#tables
      .deleteFrom('long_statements')
      .where('tenant_id', 'is not distinct from', tenant)
      .where('ended_at', 'is not', null)
      .where('id', 'not in', kept)
      .execute();
  }

  async #delete(id: string): Promise<void> {
    await this.#tables.deleteFrom('long_statements').where('id', '=', id).where('ended_at', 'is', null).execute();
  }

  /** Writes in the background: no query waits for it, and none fails with it. */
  #write(work: () => Promise<void>): void {
    const writing = work()
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'a slow statement cannot be kept'))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  get #tables() {
    return this.#options.state.tables<ActivityTables>();
  }
}

function rowOf(
  { id, startedAt, tenant_id, actor, viewer, operation, engine, warehouse, sql }: Running,
  now: number,
): Row {
  return {
    id,
    tenant_id,
    actor,
    viewer,
    operation,
    engine,
    warehouse,
    sql,
    started_at: startedAt,
    seen_at: now,
    ended_at: null,
    outcome: null,
    plan: null,
    is_cancelled: 0,
  };
}
