/** Reports a tenant's spend on language models by purpose and period. */
import type { TenantId } from '../../router/capabilities/identity.ts';
import { LLM_PURPOSES, type LlmPurpose } from '../../router/capabilities/llm.ts';
import type { State } from '../../router/capabilities/state.ts';
import { type Ceilings, MICRO, type SpendTables } from './spend.ts';

/** The last periods of each purpose that are reported. */
const MAX_PERIODS = 31;

export interface PurposeSpend {
  readonly purpose: LlmPurpose;
  readonly period: 'day' | 'month';
  /** Undefined without a limit. */
  readonly budgetUsd: number | undefined;
  readonly periods: readonly {
    readonly period: string;
    readonly spentUsd: number;
    readonly calls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  }[];
}

/** Reads the spend of a tenant, the newest period first. */
export async function readSpend(state: State, tenant: TenantId, ceilings: Ceilings): Promise<readonly PurposeSpend[]> {
  return Promise.all(
    (Object.keys(LLM_PURPOSES) as LlmPurpose[]).map(async (purpose) => {
      const rows = await state
        .tables<SpendTables>()
        .selectFrom('llm_spend')
        .selectAll()
        .where('tenant_id', '=', tenant)
        .where('purpose', '=', purpose)
        .where('calls', '>', 0)
        .orderBy('period', 'desc')
        .limit(MAX_PERIODS)
        .execute();
      return {
        purpose,
        period: LLM_PURPOSES[purpose].period,
        budgetUsd: ceilings[purpose] > 0 ? ceilings[purpose] : undefined,
        periods: rows.map((row) => ({
          period: row.period,
          spentUsd: Number(row.spent_micro_usd) / MICRO,
          calls: Number(row.calls),
          inputTokens: Number(row.input_tokens),
          outputTokens: Number(row.output_tokens),
        })),
      };
    }),
  );
}
