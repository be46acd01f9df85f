import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { State } from '../../../router/capabilities/state.ts';
import { NotFoundError } from '../../../router/errors.ts';
import { TRACE_TTL_MS } from '../limits.ts';
import type { InferenceTables } from './tables.ts';

export const TRACE_STATUSES = ['success', 'invalid_proposal', 'upstream_error', 'quota_exceeded'] as const;
export type TraceStatus = (typeof TRACE_STATUSES)[number];

export const Trace = z
  .object({
    traceId: z.uuid(),
    createdAt: z.iso.datetime(),
    status: z.enum(TRACE_STATUSES),
    model: z.string(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    estimatedCostUsd: z.number(),
    promptText: z.string(),
    responseText: z.string(),
  })
  .meta({ id: 'Trace' });
export type Trace = z.infer<typeof Trace>;

/** Keeps the prompts and answers of proposals for 30 days. */
export class TraceStore {
  readonly #state: State;
  readonly #clock: Clock;

  constructor(state: State, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Keeps a trace and removes expired ones of all tenants. Returns its id. */
  async keep(tenant: TenantId, trace: Omit<Trace, 'traceId' | 'createdAt'>): Promise<string> {
    const id = randomUUID();
    const now = this.#clock();
    const tables = this.#state.tables<InferenceTables>();
    await tables
      .deleteFrom('inference_traces')
      .where('created_at', '<=', now - TRACE_TTL_MS)
      .execute();
    await tables
      .insertInto('inference_traces')
      .values({
        id,
        tenant_id: tenant,
        created_at: now,
        status: trace.status,
        model: trace.model,
        input_tokens: trace.inputTokens,
        output_tokens: trace.outputTokens,
        cost_usd: trace.estimatedCostUsd,
        prompt: trace.promptText,
        response: trace.responseText,
      })
      .execute();
    return id;
  }

  /** @throws NotFoundError when the tenant has none of this id, or it is too old */
  async get(tenant: TenantId, id: string): Promise<Trace> {
    const row = await this.#state
      .tables<InferenceTables>()
      .selectFrom('inference_traces')
      .selectAll()
      .where('id', '=', id)
      .where('tenant_id', '=', tenant)
      .where('created_at', '>', this.#clock() - TRACE_TTL_MS)
      .executeTakeFirst();
    if (row === undefined) throw new NotFoundError('There is no such trace. Traces are kept for 30 days.');
    return {
      traceId: row.id,
      createdAt: new Date(row.created_at).toISOString(),
      status: z.enum(TRACE_STATUSES).parse(row.status),
      model: row.model,
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      estimatedCostUsd: row.cost_usd,
      promptText: row.prompt,
      responseText: row.response,
    };
  }
}
