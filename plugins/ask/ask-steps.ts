/** Answers a question in steps: finds its model or cube, composes the prompt, and reports each step. */

import type { AskSource, AskSubject } from '../../router/ask-source.ts';
import { userOf } from '../../router/calling-user.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Llm } from '../../router/capabilities/llm.ts';
import { NotConfiguredError } from '../../router/errors.ts';
import type { OperationContext } from '../../router/operation.ts';
import type { AskQuestion } from '../query-surface/index.ts';
import type { SkillFolders } from '../skills/index.ts';
import { systemOf } from './ask-prompt.ts';
import { converse, type Step } from './conversation.ts';
import { SkillChoice } from './skill-choice.ts';

export interface AskDependencies {
  /** `undefined` where none is configured. */
  readonly llm: Llm | undefined;
  readonly skills: SkillFolders;
  readonly clock: Clock;
  readonly settings: AskSettings;
}

export interface AskSettings {
  /** Of the description of a model or cube. */
  readonly maxSchemaTokens: number;
  /** Whether sample values and member names may leave for the language model. */
  readonly sharesValues: boolean;
}

export interface AskCall {
  readonly target: unknown;
  readonly question: AskQuestion;
  readonly context: OperationContext;
  readonly signal: AbortSignal | undefined;
  /** Whether anybody listens to how the answer of the language model comes. */
  readonly isWatched: boolean;
  /** Answers the query that was written; by default in the response of the surface. */
  readonly run?: (query: object, signal: AbortSignal | undefined) => Promise<object>;
}

export const NOT_CONFIGURED = 'ASK_NOT_CONFIGURED';

/**
 * Yields the steps of a question, each with the model or cube that the question is about.
 *
 * @throws NotConfiguredError when there is no language model
 */
export async function* askSteps(
  source: AskSource,
  { llm, skills, clock, settings }: AskDependencies,
  { target, question, context, signal, isWatched, run }: AskCall,
): AsyncGenerator<Step & { readonly subject: AskSubject }> {
  if (llm === undefined) throw notConfigured();
  const opened = await source.open(target, context, signal);
  const subject = run === undefined ? opened : { ...opened, run };
  const { tenant } = userOf(context);
  const choice = SkillChoice.of(await skills.scan({ tenant }), subject);
  const { maxSchemaTokens: maxTokens, sharesValues } = settings;
  const earlier = (question.history ?? []).filter(({ role }) => role === 'user').map(({ content }) => content);
  const allQuestions = [question.question, ...earlier.toReversed()].join('\n');
  const system = await systemOf(subject, choice, clock(), { question: allQuestions, maxTokens, sharesValues, signal });
  const conversation = { llm, tenant, subject, skills: choice, system, question, sharesValues, isWatched, signal };
  for await (const step of converse(conversation)) yield { ...step, subject };
}

function notConfigured(): NotConfiguredError {
  return new NotConfiguredError(
    'Questions in natural language are not set up here. Set service.ai.ask.provider to anthropic or openai, and put its API key into the environment of the server.',
    { code: NOT_CONFIGURED },
  );
}
