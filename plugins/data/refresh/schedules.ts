/** The scheduled refreshes of all tenants, in the state. */
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { Scope, TenantId } from '../../../router/capabilities/identity.ts';
import type { State } from '../../../router/capabilities/state.ts';
import { ConflictError, NotFoundError } from '../../../router/errors.ts';
import { LEASE_MS, MAX_SCHEDULES } from '../limits.ts';
import { Comparison } from '../schemas.ts';
import { type DataTables, REFRESH_SOURCES, type RefreshRow, type RefreshSource } from '../tables.ts';
import { nextRun, type Rhythm } from './next-run.ts';

/** The next run of a paused schedule: the last instant of JavaScript. */
export const NEVER = 8_640_000_000_000_000;

export interface NewSchedule {
  readonly datasource: string;
  readonly name: string;
  readonly source: RefreshSource;
  /** Empty where the source is no folder. */
  readonly folder: string;
  readonly connection?: string | undefined;
  readonly rhythm: Rhythm;
}

/** A schedule without the state of its run, as an undo keeps it. */
export const KeptSchedule = z.object({
  id: z.string(),
  datasource_id: z.string(),
  name: z.string(),
  source: z.enum(REFRESH_SOURCES),
  folder: z.string(),
  connection_id: z.string().nullable().default(null),
  rollup: z.string().nullable().default(null),
  rhythm: z.string(),
  is_paused: z.number(),
  last_run_at: z.number().nullable(),
  last_result: z.string().nullable(),
  last_message: z.string().nullable(),
  last_comparison: z.string().nullable().default(null),
  last_signature: z.string().nullable(),
  user_name: z.string(),
  created_at: z.number(),
});
export type KeptSchedule = z.infer<typeof KeptSchedule>;

/** How a run ended. */
export interface RunResult {
  readonly result: 'replaced' | 'unchanged' | 'failed';
  readonly message: string;
  /** What the files that were read change; without any, a run that failed has none, and another leaves the former. */
  readonly comparison?: Comparison | undefined;
  /** Identifies the files that were read; a run that failed leaves the former. */
  readonly signature?: string | undefined;
}

/** The roll-ups of a served model that are refreshed. */
export interface DeclaredSchedules {
  readonly tenant: TenantId;
  readonly datasource: string;
  readonly connection: string;
  readonly rollups: readonly { readonly rollup: string; readonly everyMinutes: number }[];
}

export class Schedules {
  readonly #state: State;
  readonly #clock: Clock;

  constructor(state: State, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
  }

  get #tables() {
    return this.#state.tables<DataTables>();
  }

  list(tenant: TenantId): Promise<readonly RefreshRow[]> {
    return this.#tables
      .selectFrom('data_refreshes')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .orderBy('name')
      .orderBy('created_at')
      .execute();
  }

  /** @throws NotFoundError */
  async get(tenant: TenantId, id: string): Promise<RefreshRow> {
    const row = await this.#tables
      .selectFrom('data_refreshes')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw new NotFoundError('There is no such scheduled refresh.');
    return row;
  }

  /** @throws ConflictError where the tenant has too many */
  async add(
    { tenant, user }: Scope,
    { datasource, name, source, folder, connection, rhythm }: NewSchedule,
  ): Promise<RefreshRow> {
    if ((await this.list(tenant)).filter(({ rollup }) => rollup === null).length >= MAX_SCHEDULES)
      throw new ConflictError(`There are ${MAX_SCHEDULES} scheduled refreshes already. Remove one first.`, {
        code: 'schedule_limit',
      });
    const now = this.#clock();
    const row: RefreshRow = {
      id: randomUUID(),
      tenant_id: tenant,
      datasource_id: datasource,
      name,
      source,
      folder,
      connection_id: connection ?? null,
      rollup: null,
      rhythm: JSON.stringify(rhythm),
      next_run_at: nextRun(rhythm, now),
      is_paused: 0,
      last_run_at: null,
      last_result: null,
      last_message: null,
      last_comparison: null,
      last_signature: null,
      run_node: null,
      run_until: null,
      user_name: user,
      created_at: now,
    };
    await this.#tables.insertInto('data_refreshes').values(row).execute();
    return row;
  }

  /** Removes the schedules of a datasource, and returns them. A run that is under way ends as one whose lease is lost. */
  async removeOf(tenant: TenantId, datasource: string): Promise<readonly RefreshRow[]> {
    const rows = (await this.list(tenant)).filter((row) => row.datasource_id === datasource);
    for (const { id } of rows)
      await this.#tables.deleteFrom('data_refreshes').where('tenant_id', '=', tenant).where('id', '=', id).execute();
    return rows;
  }

  /** Puts removed schedules back; they go on from now. */
  async restore(tenant: TenantId, rows: readonly KeptSchedule[]): Promise<void> {
    for (const row of rows)
      await this.#tables
        .insertInto('data_refreshes')
        .values({
          ...row,
          tenant_id: tenant,
          next_run_at: row.is_paused === 1 ? NEVER : nextRun(rhythmOf(row), this.#clock()),
          run_node: null,
          run_until: null,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
  }

  async remove(tenant: TenantId, id: string): Promise<void> {
    const { rollup } = await this.get(tenant, id);
    if (rollup !== null)
      throw new ConflictError(
        `The model declares the refresh of the roll-up ${rollup}. Remove it there, or pause it here.`,
        { code: 'DECLARED' },
      );
    await this.#tables.deleteFrom('data_refreshes').where('tenant_id', '=', tenant).where('id', '=', id).execute();
  }

  /** Pauses a schedule, or lets it go on from now. */
  async pause(tenant: TenantId, id: string, isPaused: boolean): Promise<RefreshRow> {
    const row = await this.get(tenant, id);
    await this.#tables
      .updateTable('data_refreshes')
      .set({
        is_paused: isPaused ? 1 : 0,
        next_run_at: isPaused ? NEVER : nextRun(rhythmOf(row), this.#clock()),
      })
      .where('id', '=', id)
      .execute();
    return this.get(tenant, id);
  }

  /** Makes a schedule due at once, also a paused one: the next look of any node runs it. */
  async runSoon(tenant: TenantId, id: string): Promise<RefreshRow> {
    await this.get(tenant, id);
    await this.#tables
      .updateTable('data_refreshes')
      .set({ next_run_at: this.#clock(), last_signature: null })
      .where('id', '=', id)
      .execute();
    return this.get(tenant, id);
  }

  /** Makes the schedules of served models the ones that they declare. A new one is due at once. */
  async followModels(models: readonly DeclaredSchedules[]): Promise<void> {
    for (const { tenant, datasource, connection, rollups } of models) {
      const present = (await this.list(tenant)).filter(
        (row) => row.datasource_id === datasource && row.rollup !== null,
      );
      const declared = new Map(rollups.map(({ rollup, everyMinutes }) => [rollup, JSON.stringify({ everyMinutes })]));
      for (const { id, rollup, rhythm } of present) {
        const wanted = declared.get(rollup ?? '');
        if (wanted === undefined) await this.#tables.deleteFrom('data_refreshes').where('id', '=', id).execute();
        else if (wanted !== rhythm)
          await this.#tables.updateTable('data_refreshes').set({ rhythm: wanted }).where('id', '=', id).execute();
        declared.delete(rollup ?? '');
      }
      const now = this.#clock();
      for (const [rollup, rhythm] of declared)
        await this.#tables
          .insertInto('data_refreshes')
          .values({
            id: idOfRollup(tenant, datasource, rollup),
            tenant_id: tenant,
            datasource_id: datasource,
            name: connection,
            source: 'rollup',
            folder: '',
            connection_id: null,
            rollup,
            rhythm,
            next_run_at: now,
            is_paused: 0,
            last_run_at: null,
            last_result: null,
            last_message: null,
            last_comparison: null,
            last_signature: null,
            run_node: null,
            run_until: null,
            user_name: 'model',
            created_at: now,
          })
          // Of several nodes, one adds it.
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
    }
  }

  /** Returns why the last refreshes of a model's roll-ups failed, by the names of the roll-ups. */
  async failuresOf(tenant: TenantId, datasource: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#tables
      .selectFrom('data_refreshes')
      .select(['rollup', 'last_message'])
      .where('tenant_id', '=', tenant)
      .where('datasource_id', '=', datasource)
      .where('rollup', 'is not', null)
      .where('last_result', '=', 'failed')
      .execute();
    return new Map(rows.map(({ rollup, last_message }) => [rollup ?? '', last_message ?? '']));
  }

  /** Makes the refreshes of roll-ups due whose data was replaced. Paused ones stay paused. */
  async refreshRollupsOf(tenant: TenantId, datasources: readonly string[]): Promise<void> {
    if (datasources.length === 0) return;
    await this.#tables
      .updateTable('data_refreshes')
      .set({ next_run_at: this.#clock() })
      .where('tenant_id', '=', tenant)
      .where('datasource_id', 'in', [...datasources])
      .where('rollup', 'is not', null)
      .where('is_paused', '=', 0)
      .execute();
  }

  /** Keeps the signatures of roll-ups valid where another table was written into their file. */
  async followFile(tenant: TenantId, before: string, after: string): Promise<void> {
    for (const { id, rollup, last_signature } of await this.list(tenant)) {
      const [version, hash] = last_signature?.split('|') ?? [];
      if (rollup === null || version !== before || hash === undefined) continue;
      await this.#tables
        .updateTable('data_refreshes')
        .set({ last_signature: `${after}|${hash}` })
        .where('id', '=', id)
        .execute();
    }
  }

  /** Takes a due schedule for a node; `undefined` where none is due. Of several nodes, one gets it. */
  async take(node: string): Promise<RefreshRow | undefined> {
    const now = this.#clock();
    const due = await this.#tables
      .selectFrom('data_refreshes')
      .selectAll()
      .where('next_run_at', '<=', now)
      .where((where) => where.or([where('run_until', 'is', null), where('run_until', '<=', now)]))
      .orderBy('next_run_at')
      .limit(10)
      .execute();
    for (const row of due) {
      const { numUpdatedRows } = await this.#tables
        .updateTable('data_refreshes')
        .set({ run_node: node, run_until: now + LEASE_MS })
        .where('id', '=', row.id)
        .where('next_run_at', '=', row.next_run_at)
        .where((where) => where.or([where('run_until', 'is', null), where('run_until', '<=', now)]))
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) return row;
    }
    return undefined;
  }

  /** Extends the lease of a run. Returns whether the node still has it. */
  async keep({ id }: RefreshRow, node: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#tables
      .updateTable('data_refreshes')
      .set({ run_until: this.#clock() + LEASE_MS })
      .where('id', '=', id)
      .where('run_node', '=', node)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Returns what the files of the last run changed. @throws NotFoundError */
  async comparison(tenant: TenantId, id: string): Promise<Comparison> {
    const { last_comparison, name } = await this.get(tenant, id);
    if (last_comparison === null)
      throw new NotFoundError(`No run of the refresh of ${name} has read files yet, or the last one could not.`);
    return Comparison.parse(JSON.parse(last_comparison));
  }

  /** Writes how a run ended, and when the next one is. */
  async end(row: RefreshRow, node: string, { result, message, comparison, signature }: RunResult): Promise<void> {
    const now = this.#clock();
    const present = await this.#tables
      .selectFrom('data_refreshes')
      .select('is_paused')
      .where('id', '=', row.id)
      .executeTakeFirst();
    await this.#tables
      .updateTable('data_refreshes')
      .set({
        run_node: null,
        run_until: null,
        last_run_at: now,
        last_result: result,
        last_message: message,
        ...(comparison === undefined && result !== 'failed'
          ? {}
          : { last_comparison: comparison === undefined ? null : JSON.stringify(comparison) }),
        ...(signature === undefined ? {} : { last_signature: signature }),
        next_run_at: present?.is_paused === 1 ? NEVER : nextRun(rhythmOf(row), now),
      })
      .where('id', '=', row.id)
      .where('run_node', '=', node)
      .execute();
  }
}

export function rhythmOf({ rhythm }: Pick<RefreshRow, 'rhythm'>): Rhythm {
  return JSON.parse(rhythm) as Rhythm;
}

/** Returns the id of the schedule of a roll-up, a UUID that is the same on all nodes. */
function idOfRollup(tenant: TenantId, datasource: string, rollup: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([tenant, datasource, rollup]))
    .digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
