/** Answers a question in steps: finds its model or cube, composes the prompt, and reports each step. */

import type { AskSource, AskSubject } from '../../router/ask-source.ts';
import { userOf } from '../../router/calling-user.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Llm } from '../../router/capabilities/llm.ts';
import { certificationOf } from '../../router/certified-answer.ts';
import { NotConfiguredError, ValidationError } from '../../router/errors.ts';
import type { OperationContext } from '../../router/operation.ts';
import type { AskQuestion } from '../query-surface/index.ts';
import type { SkillFolders } from '../skills/index.ts';
import { systemOf } from './ask-prompt.ts';
import { certifiedAnswerOf } from './certified.ts';
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
 * Yields the steps of a question, each with the model or cube that the question is about. A certified answer is the only
 * step; the language model is not asked.
 *
 * @throws NotConfiguredError when there is no language model and no certified answer
 */
export async function* askSteps(
  source: AskSource,
  { llm, skills, clock, settings }: AskDependencies,
  { target, question, context, signal, isWatched, run }: AskCall,
): AsyncGenerator<Step & { readonly subject: AskSubject }> {
  const opened = await source.open(target, context, signal);
  const subject = run === undefined ? opened : { ...opened, run };
  const certified = await certifiedStep(subject, question.question, signal);
  if (certified !== undefined) {
    yield { ...certified, subject };
    return;
  }
  if (llm === undefined) throw notConfigured();
  const { tenant } = userOf(context);
  const choice = SkillChoice.of(await skills.scan({ tenant }), subject);
  const { maxSchemaTokens: maxTokens, sharesValues } = settings;
  const earlier = (question.history ?? []).filter(({ role }) => role === 'user').map(({ content }) => content);
  const allQuestions = [question.question, ...earlier.toReversed()].join('\n');
  const system = await systemOf(subject, choice, clock(), { question: allQuestions, maxTokens, sharesValues, signal });
  const conversation = { llm, tenant, subject, skills: choice, system, question, sharesValues, isWatched, signal };
  for await (const step of converse(conversation)) yield { ...step, subject };
}

/** Returns the certified answer to a question; `undefined` where there is none, or the caller may not see what it names. */
async function certifiedStep(
  subject: AskSubject,
  question: string,
  signal: AbortSignal | undefined,
): Promise<Step | undefined> {
  const answer = await certifiedAnswerOf(subject, question);
  if (answer === undefined) return undefined;
  try {
    const queryUsed = await subject.check(answer.request, signal);
    const response = await subject.run(queryUsed, signal);
    return { kind: 'answer', queryUsed, response, certified: certificationOf(answer) };
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}

function notConfigured(): NotConfiguredError {
  return new NotConfiguredError(
    'Questions in natural language are not set up here. Set service.ai.ask.provider to anthropic or openai, and put its API key into the environment of the server.',
    { code: NOT_CONFIGURED },
  );
}
