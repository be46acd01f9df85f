/**
 * Keeps what queries aggregated from rows, by the names of fields and metrics, so that roll-ups can be suggested.
 *
 * A computed answer -> the demands of its subqueries -> counted in memory -> added to the state from time to time.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { Migrations, State } from '../../../router/capabilities/state.ts';
import { isRead } from '../../query-surface/index.ts';
import type { Model } from '../model/model.ts';
import { ROLLUP_GRAINS } from '../model/rollups.ts';
import type { Compiled } from '../query/nodes/compiled.ts';
import type { Target } from '../query/nodes/query-target.ts';
import { demandOf, metricsByCall, type RollupDemand } from '../query/plan/rollup-demand.ts';

/** The interval in which counts are added to the state, in milliseconds. */
const WRITE_EVERY_MS = 30_000;
/** Different demands that wait for it; more are not counted. */
const MAX_WAITING = 500;
/** Demands that are kept of a datasource: the ones that took the most time. */
const MAX_KEPT = 500;

interface DemandTables {
  readonly rollup_demands: {
    readonly tenant_id: string;
    /** The id of the datasource. */
    readonly datasource_id: string;
    /** The hash of `demand`. */
    readonly hash: string;
    /** JSON. */
    readonly demand: string;
    readonly times: number;
    /** Milliseconds of all of them together. */
    readonly total_ms: number;
    readonly last_at: number;
  };
}

export const rollupDemandMigrations: Migrations = {
  '0001_rollup_demands': {
    async up(database) {
      await database.schema
        .createTable('rollup_demands')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('datasource_id', 'text', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('demand', 'text', (column) => column.notNull())
        .addColumn('times', 'integer', (column) => column.notNull())
        .addColumn('total_ms', 'bigint', (column) => column.notNull())
        .addColumn('last_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('rollup_demands_key', ['tenant_id', 'datasource_id', 'hash'])
        .execute();
    },
  },
};

const Demand = z.object({
  dataset: z.string(),
  fields: z.array(z.object({ field: z.string(), grain: z.enum(ROLLUP_GRAINS).optional(), via: z.array(z.string()) })),
  metrics: z.array(z.string()),
});

/** A demand with how often it was computed, and for how many milliseconds. */
export interface LoggedDemand {
  readonly demand: RollupDemand;
  readonly times: number;
  readonly totalMs: number;
}

interface Waiting {
  readonly tenant: string;
  readonly datasource: string;
  readonly demand: string;
  times: number;
  totalMs: number;
}

export interface DemandLogOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
}

export class DemandLog {
  readonly #options: DemandLogOptions;
  readonly #names = new WeakMap<Model, ReadonlyMap<string, string>>();
  readonly #waiting = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: DemandLogOptions) {
    this.#options = options;
  }

  /** Notes an answer that was computed. @param ms how long it took */
  note({ plan, model, comparisons }: Compiled, target: Pick<Target, 'model' | 'keyPrefix'>, ms: number): void {
    const [, tenant, datasource] = target.keyPrefix;
    if (tenant === undefined || datasource === undefined) return;
    const names = this.#namesIn(target.model);
    const subqueries = [plan, ...comparisons.map((one) => one.plan)].flatMap((one) => one.subqueries);
    for (const subquery of subqueries) {
      if (subquery.rolledUp !== undefined && isRead(subquery.rolledUp.use)) continue;
      const demand = demandOf(subquery, model, (key) => names.get(key));
      if (demand !== undefined) this.#count(tenant, datasource, JSON.stringify(demand), ms / subqueries.length);
    }
  }

  /** Writes what was noted before the call. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const noted = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#writing = this.#writing.then(() => this.#write(noted));
    return this.#writing;
  }

  #count(tenant: string, datasource: string, demand: string, ms: number): void {
    const key = JSON.stringify([tenant, datasource, demand]);
    const present = this.#waiting.get(key);
    if (present !== undefined) {
      present.times++;
      present.totalMs += ms;
    } else if (this.#waiting.size < MAX_WAITING) {
      this.#waiting.set(key, { tenant, datasource, demand, times: 1, totalMs: ms });
    }
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_EVERY_MS).unref();
  }

  #namesIn(model: Model): ReadonlyMap<string, string> {
    const present = this.#names.get(model) ?? metricsByCall(model);
    this.#names.set(model, present);
    return present;
  }

  async #write(noted: readonly Waiting[]): Promise<void> {
    const { state, clock, log } = this.#options;
    const tables = state.tables<DemandTables>();
    try {
      for (const { tenant, datasource, demand, times, totalMs } of noted) {
        const last = { last_at: clock() };
        const ms = Math.round(totalMs);
        await tables
          .insertInto('rollup_demands')
          .values({
            tenant_id: tenant,
            datasource_id: datasource,
            hash: createHash('sha256').update(demand).digest('base64url'),
            demand,
            times,
            total_ms: ms,
            ...last,
          })
          .onConflict((conflict) =>
            conflict.columns(['tenant_id', 'datasource_id', 'hash']).doUpdateSet(({ eb, ref }) => ({
              ...last,
              times: eb(ref('rollup_demands.times'), '+', times),
              total_ms: eb(ref('rollup_demands.total_ms'), '+', ms),
            })),
          )
          .execute();
      }
      const places = new Map(
        noted.map(({ tenant, datasource }) => [`${tenant} ${datasource}`, { tenant, datasource }]),
      );
      for (const { tenant, datasource } of places.values()) await this.#dropBeyond(tenant, datasource);
    } catch (error) {
      log.warn({ err: error }, 'what roll-ups could answer was not kept');
    }
  }

  async #dropBeyond(tenant: string, datasource: string): Promise<void> {
    const tables = this.#options.state.tables<DemandTables>();
    const beyond = await tables
      .selectFrom('rollup_demands')
      .select('hash')
      .where('tenant_id', '=', tenant)
      .where('datasource_id', '=', datasource)
      .orderBy('total_ms', 'desc')
      .orderBy('hash')
      .offset(MAX_KEPT)
      .limit(MAX_WAITING)
      .execute();
    if (beyond.length === 0) return;
    await tables
      .deleteFrom('rollup_demands')
      .where('tenant_id', '=', tenant)
      .where('datasource_id', '=', datasource)
      .where(
        'hash',
        'in',
        beyond.map(({ hash }) => hash),
      )
      .execute();
  }
}

/** Reads the demands of a datasource, the one that took the most time first. */
export async function loggedDemands(
  state: State,
  tenant: string,
  datasource: string,
): Promise<readonly LoggedDemand[]> {
  const rows = await state
    .tables<DemandTables>()
    .selectFrom('rollup_demands')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('datasource_id', '=', datasource)
    .orderBy('total_ms', 'desc')
    .orderBy('hash')
    .execute();
  return rows.map(({ demand, times, total_ms }) => ({
    demand: Demand.parse(JSON.parse(demand)),
    times,
    totalMs: Number(total_ms),
  }));
}
