import { z } from 'zod';
import { Name } from '../../../router/bounded.ts';
import { userOf } from '../../../router/calling-user.ts';
import type { Llm } from '../../../router/capabilities/llm.ts';
import type { Warehouses } from '../../../router/capabilities/warehouse.ts';
import type { CountedOperation } from '../../../router/counted-operation.ts';
import { TimeoutError, ValidationError } from '../../../router/errors.ts';
import { withoutNulls } from '../../../router/without-nulls.ts';
import { cellSetTable, runMdx } from '../../cube/index.ts';
import { DetectorFindings } from '../detect/findings.ts';
import { MAX_INTENT_LENGTH, MAX_PROFILE_JSON_VALUES, MAX_TRY_ROWS, TRY_QUERY_TIMEOUT_MS } from '../limits.ts';
import { refusePersonalColumns } from '../personal/check-proposal.ts';
import { type MarkedConnections, personalColumnsOf } from '../personal/marked-columns.ts';
import { reach } from '../profile/profile-schema.ts';
import { CubeProposal, isWritable, Summary, summarise, Validation } from '../proposal/schema.ts';
import { ConnectionId, SchemaProfile } from '../schemas.ts';
import type { ConnectionStore } from '../stores/connections.ts';
import { Trace, type TraceStore } from '../stores/traces.ts';
import type { RenderedProposal } from '../work/tasks.ts';
import type { InferenceWork } from '../work/work.ts';
import { EmptyProposalError, InvalidProposalError } from './errors.ts';
import { proposeByModel, proposeByRulesTraced } from './propose-cubes.ts';

export interface ProposeDependencies extends MarkedConnections {
  readonly operation: CountedOperation;
  readonly store: ConnectionStore;
  readonly traces: TraceStore;
  readonly warehouses: Warehouses;
  /** Without one, rules propose. */
  readonly llm: Llm | undefined;
  /** True where sample values may be sent to the language model. */
  readonly isSampled: boolean;
  readonly work: InferenceWork;
}

const BASE = '/me/inference';

const Usage = z
  .object({
    model: z.string(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    totalTokens: z.number().int(),
    estimatedCostUsd: z.number(),
    isPricingExact: z.boolean(),
  })
  .meta({ id: 'ProposeUsage' });

const Quota = z
  .object({
    budgetUsd: z.number().nullable(),
    spentUsd: z.number(),
    remainingUsd: z.number().nullable(),
    resetAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ProposeQuota' });

const RenderResponse = z
  .object({ schemaXml: z.string(), validation: Validation, summary: Summary })
  .meta({ id: 'RenderResponse' });

const ProposeResponse = RenderResponse.extend({
  traceId: z.uuid(),
  proposal: CubeProposal,
  detectorFindings: DetectorFindings,
  usage: Usage,
  quota: Quota,
}).meta({ id: 'ProposeResponse' });

const ProposeRequest = z.strictObject({
  profile: z.union([SchemaProfile, z.object({ profile: SchemaProfile }).transform(({ profile }) => profile)]),
  intent: z
    .string()
    .transform((text) => text.trim().slice(0, MAX_INTENT_LENGTH))
    .optional(),
  factTable: z.strictObject({ schema: z.string().max(500).optional(), name: Name.min(1) }).optional(),
});

const TryQueryRequest = z.strictObject({
  proposal: CubeProposal,
  connectionId: ConnectionId,
  mdx: z.string().min(1).max(200_000),
});
const TryQueryResponse = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    executionMillis: z.number().int(),
  })
  .meta({ id: 'TryQueryResponse' });

/** Returns the operations on proposals. */
export function proposeOperations({
  operation,
  store,
  traces,
  warehouses,
  marksOf,
  llm,
  isSampled,
  work,
}: ProposeDependencies) {
  return {
    propose: operation({
      summary: 'Propose cubes for a profile',
      description:
        'By the language model that is configured, else by rules (then `usage` is zero). What the detectors found is in `detectorFindings`.',
      access: 'administrator-key',
      rest: { method: 'POST', path: `${BASE}/propose`, body: '*', maxJsonValues: MAX_PROFILE_JSON_VALUES },
      implementationChoice:
        'Inner members of `summary`, `detectorFindings` and `quota`; rules where no language model is configured; `reason`, `format`, `datePart`, `dateForm`, `joins` and `tableName` in a proposal.',
    })
      .input(ProposeRequest)
      .output(ProposeResponse)
      .mutation(async ({ input, ctx, signal }) => {
        const { tenant } = userOf(ctx);
        const { profile, intent, factTable } = input;
        refuseUnwritableNames(profile);
        if (
          factTable !== undefined &&
          !profile.tables.some(({ name, schema }) => name === factTable.name && schema === (factTable.schema ?? schema))
        )
          throw ValidationError.at(
            ['factTable', 'name'],
            'The profile has no such table.',
            profile.tables.map(({ name }) => name),
          );
        const request = { tenant, profile, intent, factTable, signal };
        const { traceId, proposal, findings, usage } =
          llm === undefined
            ? await proposeByRulesTraced(request, { traces, work })
            : await proposeByModel(request, { llm, traces, work, isSampled });
        const { schemaXml, validation } = await work.render(proposal, signal);
        const budget = await llm?.budget(tenant, 'propose');
        const { model, inputTokens, outputTokens, estimatedCostUsd, isPricingExact } = usage;
        return {
          traceId,
          proposal,
          schemaXml,
          validation,
          summary: summarise(proposal),
          detectorFindings: findings,
          usage: {
            model,
            inputTokens,
            outputTokens,
            totalTokens: inputTokens + outputTokens,
            estimatedCostUsd,
            isPricingExact,
          },
          quota: {
            budgetUsd: budget?.budgetUsd ?? null,
            spentUsd: budget?.spentUsd ?? 0,
            remainingUsd: budget?.budgetUsd === undefined ? null : Math.max(0, budget.budgetUsd - budget.spentUsd),
            resetAt: budget === undefined ? null : new Date(budget.resetAtMillis).toISOString(),
          },
        };
      }),

    render: operation({
      summary: 'Write a proposal as a cube schema',
      description: 'The body is the proposal itself. Calls neither a warehouse nor a language model.',
      access: 'administrator-key',
      rest: { method: 'POST', path: `${BASE}/render`, body: 'proposal', bodyOptional: true },
    })
      .input(z.object({ proposal: z.unknown().optional() }))
      .output(RenderResponse)
      .mutation(async ({ input, signal }) => {
        const proposal = readProposal(input.proposal);
        return { ...(await checkedSchema(work, proposal, signal)), summary: summarise(proposal) };
      }),

    tryQuery: operation({
      summary: 'Run MDX on the cubes of a proposal',
      description:
        'The cubes live as long as the request; nothing is saved. A proposal that shows a column which a served model of the warehouse marks as personal data is refused.',
      access: 'administrator-key',
      rest: { method: 'POST', path: `${BASE}/try-query`, body: '*' },
    })
      .input(TryQueryRequest)
      .output(TryQueryResponse)
      .mutation(async ({ input, ctx, signal }) => {
        const { tenant } = userOf(ctx);
        const connection = await store.get(tenant, input.connectionId);
        const personal = await personalColumnsOf({ marksOf, warehouses }, tenant, connection.address);
        const { schemaXml } = await checkedSchema(work, input.proposal, signal);
        const warehouse = await warehouses.open(connection.address);
        await reach(warehouse, signal);
        refusePersonalColumns(input.proposal, personal, await personal.kindsIn(warehouse, signal));
        const started = performance.now();
        const limit = AbortSignal.timeout(TRY_QUERY_TIMEOUT_MS);
        const outcome = await runMdx({
          mdx: input.mdx,
          schemaText: schemaXml,
          warehouse: async () => warehouse,
          roles: undefined,
          maxRows: MAX_TRY_ROWS,
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        }).catch((error: unknown) => {
          if (!limit.aborted || signal?.aborted === true) throw error;
          throw new TimeoutError(`The query takes longer than ${TRY_QUERY_TIMEOUT_MS / 1_000} s.`, { cause: error });
        });
        if ('unreadable' in outcome)
          throw new InvalidProposalError(outcome.unreadable?.message ?? 'The text is not a cube schema.');
        if ('facts' in outcome) throw ValidationError.at(['mdx'], 'Send a SELECT statement.');
        const table = cellSetTable(outcome.cells, MAX_TRY_ROWS);
        const columns = Object.keys(table[0] ?? {});
        return {
          columns,
          rows: table.map((row) => columns.map((column) => String(row[column] ?? ''))),
          executionMillis: Math.round(performance.now() - started),
        };
      }),

    trace: operation({
      summary: 'Read the trace of a proposal',
      access: 'administrator-key',
      rest: { method: 'GET', path: `${BASE}/trace/{traceId}` },
    })
      .input(z.strictObject({ traceId: z.string().max(100) }))
      .output(Trace)
      .query(({ input, ctx }) => traces.get(userOf(ctx).tenant, input.traceId)),
  };
}

/** Reads a proposal from anything. @throws EmptyProposalError, InvalidProposalError */
function readProposal(value: unknown): CubeProposal {
  if (value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0))
    throw new EmptyProposalError();
  const read = CubeProposal.safeParse(withoutNulls(CubeProposal, value));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new InvalidProposalError(
    issue === undefined ? 'This is no proposal.' : `${issue.path.join('.')}: ${issue.message}`,
  );
}

/** Returns the cube schema of a proposal. @throws InvalidProposalError when it contradicts itself, or our reader refuses it */
export async function checkedSchema(
  work: InferenceWork,
  proposal: CubeProposal,
  signal: AbortSignal | undefined,
): Promise<Pick<RenderedProposal, 'schemaXml' | 'validation'>> {
  const { schemaXml, validation, contradictions } = await work.render(proposal, signal);
  const [first] = contradictions;
  if (first !== undefined) throw new InvalidProposalError(first);
  if (!validation.valid) throw new InvalidProposalError(validation.warnings.join(' '));
  return { schemaXml, validation };
}

/**
 * Refuses names of a profile that no cube schema can contain.
 *
 * @throws ValidationError at the first such name
 */
function refuseUnwritableNames({ tables }: SchemaProfile): void {
  for (const [at, { schema, name, columns }] of tables.entries()) {
    const place = ['profile', 'tables', at];
    if (!isWritable(schema)) throw unwritable([...place, 'schema']);
    if (!isWritable(name)) throw unwritable([...place, 'name']);
    const column = columns.findIndex((each) => !isWritable(each.name));
    if (column >= 0) throw unwritable([...place, 'columns', column, 'name']);
  }
}

function unwritable(path: readonly PropertyKey[]): ValidationError {
  return ValidationError.at(
    path,
    'A cube schema cannot contain control characters or halves of characters: leave this out of the profile.',
  );
}
