/** Proposes cubes for a profile: by rules, or by a language model. The model's answer is checked and may be repaired once. */
import type { z } from 'zod';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { Llm, LlmMessage, LlmUsage } from '../../../router/capabilities/llm.ts';
import { BudgetExceededError, UpstreamError } from '../../../router/errors.ts';
import { withoutNulls } from '../../../router/without-nulls.ts';
import type { DetectorFindings } from '../detect/findings.ts';
import { MAX_PROPOSAL_TOKENS, MAX_REPAIRS, MAX_TOLD_PROBLEMS } from '../limits.ts';
import { withAttributes } from '../proposal/attributes.ts';
import { findContradictions, unknownNames } from '../proposal/check.ts';
import { listLeftOut } from '../proposal/left-out.ts';
import { withMembers } from '../proposal/members.ts';
import { withFoundMarks } from '../proposal/personal-marks.ts';
import { CubeProposal } from '../proposal/schema.ts';
import { rendered } from '../render/cube-xml.ts';
import type { SchemaProfile } from '../schemas.ts';
import type { TraceStatus, TraceStore } from '../stores/traces.ts';
import type { InferenceWork } from '../work/work.ts';
import { InvalidProposalError, TracedBudgetError, TracedUpstreamError } from './errors.ts';
import { INSTRUCTIONS, proposalTool, writePrompt } from './proposal-prompt.ts';

export interface ProposeRequest {
  readonly tenant: TenantId;
  readonly profile: SchemaProfile;
  readonly intent: string | undefined;
  readonly factTable: { readonly schema?: string | undefined; readonly name: string } | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface Proposed {
  readonly traceId: string;
  readonly proposal: CubeProposal;
  readonly findings: DetectorFindings;
  readonly usage: LlmUsage;
}

/** The model name of proposals by rules. */
const RULES = 'rules';
const NO_USAGE: LlmUsage = {
  model: RULES,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  estimatedCostUsd: 0,
  isPricingExact: true,
};

/**
 * Proposes by rules and keeps a trace.
 *
 * @throws InvalidProposalError when the profile yields no cube
 */
export async function proposeByRulesTraced(
  request: ProposeRequest,
  { traces, work }: { readonly traces: TraceStore; readonly work: InferenceWork },
): Promise<Proposed> {
  const { tenant, profile, factTable, signal } = request;
  const { proposal, problems, findings } = await work.rules(
    profile,
    { schemaName: nameSchema(profile), factTable },
    signal,
  );
  const status: TraceStatus = problems.length === 0 ? 'success' : 'invalid_proposal';
  const traceId = await traces.keep(tenant, {
    ...traceUsage(NO_USAGE),
    status,
    promptText: '',
    responseText: JSON.stringify(proposal),
  });
  if (status !== 'success') throw new InvalidProposalError(joinProblems(problems), traceId);
  const read = CubeProposal.safeParse(proposal);
  // Long names of the caller can make a generated name longer than a name may be.
  if (!read.success) throw new InvalidProposalError(joinProblems(shapeProblems(read.error)), traceId);
  return { traceId, proposal, findings, usage: NO_USAGE };
}

/**
 * @throws InvalidProposalError when the model's last proposal is none
 * @throws TracedUpstreamError when the model fails or refuses
 * @throws TracedBudgetError when the tenant's budget is used up
 */
export async function proposeByModel(
  request: ProposeRequest,
  {
    llm,
    traces,
    work,
    isSampled,
  }: {
    readonly llm: Llm;
    readonly traces: TraceStore;
    readonly work: InferenceWork;
    readonly isSampled: boolean;
  },
): Promise<Proposed> {
  const { tenant, profile, signal } = request;
  const findings = await work.findings(profile, signal);
  const prompt = writePrompt({ ...request, findings, isSampled });
  const messages: LlmMessage[] = [{ role: 'user', text: prompt }];
  const answers: string[] = [];
  let usage: LlmUsage = { ...NO_USAGE, model: llm.model };
  const keep = (status: TraceStatus): Promise<string> =>
    traces.keep(tenant, {
      ...traceUsage(usage),
      status,
      promptText: `${INSTRUCTIONS}\n\n${prompt}`,
      responseText: answers.join('\n\n'),
    });
  try {
    for (let attempt = 0; ; attempt++) {
      const answer = await llm.call({
        tenant,
        purpose: 'propose',
        system: [{ text: INSTRUCTIONS, isStable: true }],
        messages,
        tools: [proposalTool()],
        maxOutputTokens: MAX_PROPOSAL_TOKENS,
        signal,
      });
      answers.push(answer.text);
      usage = sum(usage, answer.usage);
      const checked = checkProposal(answer.call?.input, profile, findings);
      if ('proposal' in checked) {
        const leftOut = listLeftOut(
          checked.proposal.cubes,
          profile.tables,
          () => 'The language model has no use for it.',
        );
        const { leftOut: _, ...designed } = withAttributes(
          withMembers(checked.proposal, profile.tables),
          profile.tables,
        );
        const proposal = { ...designed, ...(leftOut.length === 0 ? {} : { leftOut }) };
        return { traceId: await keep('success'), proposal, findings, usage };
      }
      if (attempt === MAX_REPAIRS)
        throw new InvalidProposalError(joinProblems(checked.problems), await keep('invalid_proposal'));
      if (answer.call === undefined) messages.push({ role: 'user', text: 'Call propose_cubes.' });
      else
        messages.push(
          { role: 'assistant', call: answer.call },
          { role: 'tool', callId: answer.call.id, text: joinProblems(checked.problems), isError: true },
        );
    }
  } catch (error) {
    if (error instanceof BudgetExceededError) throw new TracedBudgetError(error, await keep('quota_exceeded'));
    if (error instanceof UpstreamError) throw new TracedUpstreamError(error, await keep('upstream_error'));
    throw error;
  }
}

function checkProposal(
  input: unknown,
  { tables }: SchemaProfile,
  findings: DetectorFindings,
): { readonly proposal: CubeProposal } | { readonly problems: readonly string[] } {
  const read = CubeProposal.safeParse(withoutNulls(CubeProposal, input));
  if (!read.success) return { problems: shapeProblems(read.error) };
  const problems = [...findContradictions(read.data), ...unknownNames(read.data, tables)];
  if (problems.length > 0) return { problems };
  const proposal = withFoundMarks(read.data, findings);
  const { validation } = rendered(proposal);
  return validation.valid ? { proposal } : { problems: validation.warnings };
}

function shapeProblems({ issues }: z.ZodError): readonly string[] {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

function traceUsage({ model, inputTokens, outputTokens, estimatedCostUsd }: LlmUsage) {
  return { model, inputTokens, outputTokens, estimatedCostUsd };
}

function sum(left: LlmUsage, right: LlmUsage): LlmUsage {
  return {
    model: right.model,
    inputTokens: left.inputTokens + right.inputTokens,
    cachedInputTokens: left.cachedInputTokens + right.cachedInputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    estimatedCostUsd: left.estimatedCostUsd + right.estimatedCostUsd,
    isPricingExact: left.isPricingExact && right.isPricingExact,
  };
}

function joinProblems(problems: readonly string[]): string {
  const listed = problems.slice(0, MAX_TOLD_PROBLEMS).join(' ');
  const more = problems.length - MAX_TOLD_PROBLEMS;
  return more > 0 ? `${listed} And ${more} more.` : listed;
}

function nameSchema({ tables }: SchemaProfile): string {
  const [first] = tables;
  return first === undefined
    ? 'Model'
    : first.schema === '' || first.schema === 'main' || first.schema === 'public'
      ? 'Model'
      : first.schema;
}
