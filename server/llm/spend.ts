/** The tenants' spend on language models, in the state store, so that several nodes share one budget. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { LLM_PURPOSES, type LlmBudget, type LlmPurpose } from '../../router/capabilities/llm.ts';
import type { Migrations, State } from '../../router/capabilities/state.ts';
import { BudgetExceededError } from '../../router/errors.ts';

/** Money is stored in millionths of a dollar, so that sums are exact on both engines. */
export const MICRO = 1_000_000;

export interface SpendTables {
  llm_spend: {
    tenant_id: string;
    purpose: LlmPurpose;
    /** `2026-11-21` or `2026-11`. */
    period: string;
    spent_micro_usd: number;
    calls: number;
    input_tokens: number;
    output_tokens: number;
  };
  llm_reservations: {
    id: string;
    tenant_id: string;
    purpose: LlmPurpose;
    period: string;
    micro_usd: number;
    /** After this time the call has ended in any case, also when its node is dead. */
    expires_at: number;
  };
}

export const llmMigrations: Migrations = {
  '0001_llm_spend': {
    async up(database: Kysely<unknown>) {
      await database.schema
        .createTable('llm_spend')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('purpose', 'text', (column) => column.notNull())
        .addColumn('period', 'text', (column) => column.notNull())
        .addColumn('spent_micro_usd', 'bigint', (column) => column.notNull())
        .addColumn('calls', 'bigint', (column) => column.notNull())
        .addColumn('input_tokens', 'bigint', (column) => column.notNull())
        .addColumn('output_tokens', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('llm_spend_key', ['tenant_id', 'purpose', 'period'])
        .execute();
      await database.schema
        .createTable('llm_reservations')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('purpose', 'text', (column) => column.notNull())
        .addColumn('period', 'text', (column) => column.notNull())
        .addColumn('micro_usd', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
      await database.schema
        .createIndex('llm_reservations_of_tenant')
        .on('llm_reservations')
        .columns(['tenant_id', 'purpose', 'period'])
        .execute();
    },
  },
};

export interface Reservation {
  readonly id: string;
  readonly tenant: TenantId;
  readonly purpose: LlmPurpose;
  readonly period: string;
}

export interface Settlement {
  readonly costUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Maximum US dollars of a tenant per period, by purpose; 0 sets no limit. */
export type Ceilings = Readonly<Record<LlmPurpose, number>>;

export class SpendLedger {
  readonly #tables: Kysely<SpendTables>;
  readonly #clock: Clock;
  readonly #ceilings: Ceilings;

  constructor(state: State, clock: Clock, ceilings: Ceilings) {
    this.#tables = state.tables<SpendTables>();
    this.#clock = clock;
    this.#ceilings = ceilings;
  }

  /**
   * Reserves the maximum cost of a call. Spent and reserved amounts never exceed the limit, for any number of concurrent calls and nodes.
   *
   * @throws BudgetExceededError when less is left
   */
  async reserve(tenant: TenantId, purpose: LlmPurpose, maxCostUsd: number, ttlMs: number): Promise<Reservation> {
    const now = this.#clock();
    const { period, endsAtMillis } = periodAt(now, purpose);
    const ceiling = this.#ceilings[purpose] * MICRO;
    const reservedMicros = Math.ceil(maxCostUsd * MICRO);
    const id = randomUUID();
    await this.#tables.transaction().execute(async (transaction) => {
      // Writing the period's row locks it on PostgreSQL and the database on SQLite, so that nobody else sums and
      // reserves meanwhile. It must be the first statement of the transaction.
      const { spent_micro_usd: spent } = await transaction
        .insertInto('llm_spend')
        .values({ ...zero, tenant_id: tenant, purpose, period })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'purpose', 'period']).doUpdateSet({ purpose }))
        .returning('spent_micro_usd')
        .executeTakeFirstOrThrow();
      await transaction.deleteFrom('llm_reservations').where('expires_at', '<=', now).execute();
      const { reserved } = await transaction
        .selectFrom('llm_reservations')
        .where('tenant_id', '=', tenant)
        .where('purpose', '=', purpose)
        .where('period', '=', period)
        .select(({ fn }) => fn.sum<number | string | null>('micro_usd').as('reserved'))
        .executeTakeFirstOrThrow();
      const committed = Number(spent) + Number(reserved ?? 0);
      if (ceiling > 0 && committed + reservedMicros > ceiling) {
        throw exceeded(purpose, committed / MICRO, ceiling / MICRO, endsAtMillis, now);
      }
      await transaction
        .insertInto('llm_reservations')
        .values({ id, tenant_id: tenant, purpose, period, micro_usd: reservedMicros, expires_at: now + ttlMs })
        .execute();
    });
    return { id, tenant, purpose, period };
  }

  /** Books the actual cost of a call and returns the rest of its reservation; a failed call costs nothing. */
  async settle({ id, tenant, purpose, period }: Reservation, settlement: Settlement | undefined): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      if (settlement !== undefined) {
        const { costUsd, inputTokens, outputTokens } = settlement;
        await transaction
          .updateTable('llm_spend')
          .set((row) => ({
            spent_micro_usd: row('spent_micro_usd', '+', Math.ceil(costUsd * MICRO)),
            calls: row('calls', '+', 1),
            input_tokens: row('input_tokens', '+', inputTokens),
            output_tokens: row('output_tokens', '+', outputTokens),
          }))
          .where('tenant_id', '=', tenant)
          .where('purpose', '=', purpose)
          .where('period', '=', period)
          .execute();
      }
      await transaction.deleteFrom('llm_reservations').where('id', '=', id).execute();
    });
  }

  async budget(tenant: TenantId, purpose: LlmPurpose): Promise<LlmBudget> {
    const now = this.#clock();
    const { period, endsAtMillis } = periodAt(now, purpose);
    const spend = await this.#tables
      .selectFrom('llm_spend')
      .where('tenant_id', '=', tenant)
      .where('purpose', '=', purpose)
      .where('period', '=', period)
      .select('spent_micro_usd')
      .executeTakeFirst();
    const { reserved } = await this.#tables
      .selectFrom('llm_reservations')
      .where('tenant_id', '=', tenant)
      .where('purpose', '=', purpose)
      .where('period', '=', period)
      .where('expires_at', '>', now)
      .select(({ fn }) => fn.sum<number | string | null>('micro_usd').as('reserved'))
      .executeTakeFirstOrThrow();
    const ceiling = this.#ceilings[purpose];
    return {
      budgetUsd: ceiling > 0 ? ceiling : undefined,
      spentUsd: (Number(spend?.spent_micro_usd ?? 0) + Number(reserved ?? 0)) / MICRO,
      resetAtMillis: endsAtMillis,
    };
  }
}

const zero = { spent_micro_usd: 0, calls: 0, input_tokens: 0, output_tokens: 0 };

/** Returns the UTC day or month of an instant, the same on every node. */
function periodAt(now: number, purpose: LlmPurpose): { readonly period: string; readonly endsAtMillis: number } {
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return LLM_PURPOSES[purpose].period === 'day'
    ? { period: date.toISOString().slice(0, 10), endsAtMillis: Date.UTC(year, month, day + 1) }
    : { period: date.toISOString().slice(0, 7), endsAtMillis: Date.UTC(year, month + 1, 1) };
}

function exceeded(
  purpose: LlmPurpose,
  spentUsd: number,
  budgetUsd: number,
  resetAtMillis: number,
  now: number,
): BudgetExceededError {
  const { period } = LLM_PURPOSES[purpose];
  return new BudgetExceededError(
    `The ${period}'s budget for the language model is used up. It starts again at ${new Date(resetAtMillis).toISOString()}.`,
    { spentUsd, budgetUsd, resetAtMillis, retryAfterSeconds: Math.ceil((resetAtMillis - now) / 1_000) },
  );
}
