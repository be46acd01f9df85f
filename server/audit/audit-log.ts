/** The audit log. Entries are written in batches in the background, so that no request waits for them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { Activity, Observer, OperationActivity } from '../../router/capabilities/observer.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { ServiceError } from '../../router/errors.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import { type AuditEntry, type EntryOptions, entryOf } from './operation-entry.ts';
import type { AuditTables } from './tables.ts';

export interface AuditOptions extends EntryOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
  /** Retention time of entries; 0 keeps them without end. */
  readonly keepMs: number;
  /** Returns the existing tenants among the ids, so that entries of removed tenants are dropped. Without it, all tenants count as existing. */
  readonly tenantsAmong?: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Maximum number of waiting entries while the state does not answer; the oldest are dropped first. */
  readonly maxWaiting?: number;
}

const WRITE_EVERY_MS = 200;
const BATCH = 200;
const MAX_WAITING = 50_000;
const PURGE_EVERY_MS = 3_600_000;
const PURGE_BATCH = 1_000;
/** Attempts of a stop to write the remaining entries, and the pause between two. */
const LAST_TRIES = 20;
const BETWEEN_TRIES_MS = 500;

type Row = AuditTables['audit_log'];

export class AuditLog implements Observer {
  readonly #options: AuditOptions;
  readonly #node = randomUUID().slice(0, 8);
  #waiting: Row[] = [];
  #batchInsert: CompiledQuery | undefined;
  #written = 0;
  #lost = 0;
  #counter = 0;
  #purgedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  /** Operations with an unfinished entry. */
  readonly #noting = new Set<Promise<void>>();

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  get use(): { readonly written: number; readonly waiting: number } {
    return { written: this.#written, waiting: this.#waiting.length };
  }

  /** Takes an entry, and writes it a moment later. */
  record(entry: AuditEntry): void {
    const at = this.#options.clock();
    const id = `${String(at).padStart(15, '0')}-${String(this.#counter++ % 1_000_000).padStart(6, '0')}-${this.#node}`;
    this.#waiting.push(rowOf(id, at, entry));
    const excess = this.#waiting.length - (this.#options.maxWaiting ?? MAX_WAITING);
    if (excess > 0) {
      this.#waiting.splice(0, excess);
      if (this.#lost === 0) this.#options.log.error({}, 'the audit log cannot be written; its oldest entries are lost');
      this.#lost += excess;
    }
    this.#timer ??= setTimeout(() => this.#flushBehind(), WRITE_EVERY_MS).unref();
  }

  async around<Result>(activity: Activity, work: () => Promise<Result>): Promise<Result> {
    if (activity.kind === 'statement' || activity.kind === 'llm') return work();
    const startedAt = performance.now();
    const note = (thrown: unknown, result: unknown): void => {
      const error = thrown === undefined ? undefined : toServiceError(thrown);
      if (activity.kind === 'authentication') {
        if (error !== undefined) this.record(failedAuthentication(activity, error.code ?? error.kind));
        return;
      }
      this.#noteOperation(activity, error, result, performance.now() - startedAt);
    };
    try {
      const result = await work();
      note(undefined, result);
      return result;
    } catch (error) {
      note(error, undefined);
      throw error;
    }
  }

  ended(activity: OperationActivity, result: unknown, durationMs: number): void {
    this.#noteOperation(activity, undefined, result, durationMs);
  }

  #noteOperation(
    activity: OperationActivity,
    error: ServiceError | undefined,
    result: unknown,
    durationMs: number,
  ): void {
    const failed = (cause: unknown) =>
      this.#options.log.error({ err: cause }, 'an entry of the audit log cannot be made');
    const note = (entry: AuditEntry | undefined): void => {
      if (entry !== undefined) this.record(entry);
    };
    try {
      const entry = entryOf(activity, error, result, durationMs, this.#options);
      if (entry instanceof Promise) this.#await(entry.then(note).catch(failed));
      else note(entry);
    } catch (cause) {
      failed(cause);
    }
  }

  /** Lets a flush wait for an entry that is being made. */
  #await(noted: Promise<void>): void {
    const noting = noted.finally(() => this.#noting.delete(noting));
    this.#noting.add(noting);
  }

  /** Writes all entries recorded before the call. @throws the error of the state */
  async flush(): Promise<void> {
    await Promise.all(this.#noting);
    await this.#writing;
    while (this.#waiting.length > 0) await this.#writeBatch();
  }

  /** Writes the remaining entries, also when the state is unavailable for a few seconds. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (let tried = 1; ; tried++) {
      try {
        return await this.flush();
      } catch (error) {
        if (tried >= LAST_TRIES) {
          this.#options.log.error({ err: error, lost: this.#waiting.length }, 'the end of the audit log is lost');
          return;
        }
        await sleep(BETWEEN_TRIES_MS);
      }
    }
  }

  /** Deletes entries older than the retention time. */
  async purge(): Promise<number> {
    const { keepMs, clock } = this.#options;
    if (keepMs === 0) return 0;
    const until = clock() - keepMs;
    let purged = 0;
    for (;;) {
      const old = await this.#tables
        .selectFrom('audit_log')
        .where('at', '<=', until)
        .select('id')
        .orderBy('at')
        .limit(PURGE_BATCH)
        .execute();
      if (old.length === 0) return purged;
      const ids = old.map(({ id }) => id);
      await this.#tables.deleteFrom('audit_log').where('id', 'in', ids).execute();
      purged += old.length;
    }
  }

  #flushBehind(): void {
    this.#timer = undefined;
    const { clock, log } = this.#options;
    this.#writing ??= this.#writeAll()
      .then(async () => {
        if (clock() - this.#purgedAt < PURGE_EVERY_MS) return;
        this.#purgedAt = clock();
        await this.purge();
      })
      .catch((error: unknown) => log.warn({ err: error }, 'the audit log waits for the state'))
      .finally(() => {
        this.#writing = undefined;
        if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#flushBehind(), WRITE_EVERY_MS * 5).unref();
      });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeBatch();
  }

  /** Writes a batch. An entry is written once by its id, also when the answer to an earlier write was lost. */
  async #writeBatch(): Promise<void> {
    const batch = this.#waiting.slice(0, BATCH);
    const rows = await this.#ofPresentTenants(batch);
    if (rows.length > 0) {
      await this.#tables.executeQuery(this.#insertOf(rows));
      await this.#dropGone(rows);
    }
    const done = new Set(batch);
    this.#waiting = this.#waiting.filter((row) => !done.has(row));
    this.#written += batch.length;
  }

  /** Returns the statement that writes rows. That of a whole batch is compiled once, which takes as long as writing the rows. */
  #insertOf(rows: readonly Row[]): CompiledQuery {
    if (rows.length !== BATCH) return this.#compiledInsert(rows);
    this.#batchInsert ??= this.#compiledInsert(rows);
    return { ...this.#batchInsert, parameters: rows.flatMap((row) => Object.values(row)) };
  }

  #compiledInsert(rows: readonly Row[]): CompiledQuery {
    return this.#tables
      .insertInto('audit_log')
      .values(rows)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .compile();
  }

  /** Deletes written entries of tenants that were removed meanwhile; a later removal deletes them itself. */
  async #dropGone(written: readonly Row[]): Promise<void> {
    const present = new Set(await this.#ofPresentTenants(written));
    const gone = written.filter((row) => !present.has(row)).map(({ id }) => id);
    if (gone.length > 0) await this.#tables.deleteFrom('audit_log').where('id', 'in', gone).execute();
  }

  async #ofPresentTenants(batch: readonly Row[]): Promise<readonly Row[]> {
    const named = [...new Set(batch.flatMap(({ tenant_id }) => tenant_id ?? []))];
    const { tenantsAmong } = this.#options;
    if (tenantsAmong === undefined || named.length === 0) return batch;
    const present = await tenantsAmong(named);
    return batch.filter(({ tenant_id }) => tenant_id === null || present.has(tenant_id));
  }

  get #tables() {
    return this.#options.state.tables<AuditTables>();
  }
}

/** Makes a row. All rows have their columns in this order, which is that of the statement's parameters. */
function rowOf(id: string, at: number, entry: AuditEntry): Row {
  return {
    id,
    at,
    tenant_id: entry.tenant_id,
    actor: entry.actor,
    via: entry.via,
    address: entry.address,
    kind: entry.kind,
    action: entry.action,
    outcome: entry.outcome,
    target: entry.target,
    viewer: entry.viewer,
    row_count: entry.row_count,
    duration_ms: entry.duration_ms,
    request_id: entry.request_id,
  };
}

function failedAuthentication(
  { address, requestId, scheme }: Extract<Activity, { kind: 'authentication' }>,
  outcome: string,
): AuditEntry {
  return {
    tenant_id: null,
    actor: null,
    via: scheme,
    address,
    kind: 'SIGN_IN',
    action: 'authenticate',
    outcome,
    target: null,
    viewer: null,
    row_count: null,
    duration_ms: null,
    request_id: requestId,
  };
}
