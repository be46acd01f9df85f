/** Answers a question in steps: finds its model or cube, composes the prompt, and reports each step. */

import type { AskSource, AskSubject } from '../../router/ask-source.ts';
import { userOf } from '../../router/calling-user.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Llm } from '../../router/capabilities/llm.ts';
import { certificationOf } from '../../router/certified-answer.ts';
import { NotConfiguredError, OffTopicError, ServiceError, ValidationError } from '../../router/errors.ts';
import type { OperationContext } from '../../router/operation.ts';
import { isRecord } from '../../router/record.ts';
import type { AskQuestion } from '../query-surface/index.ts';
import type { SkillFolders } from '../skills/index.ts';
import { systemOf } from './ask-prompt.ts';
import type { AskedQuestions, KeptKind } from './asked-questions.ts';
import { certifiedAnswerOf } from './certified.ts';
import { converse, NoQueryError, type Step } from './conversation.ts';
import { SkillChoice } from './skill-choice.ts';

export interface AskDependencies {
  /** `undefined` where none is configured. */
  readonly llm: Llm | undefined;
  readonly skills: SkillFolders;
  readonly clock: Clock;
  readonly settings: AskSettings;
  /** Keeps refused questions for the owners of models. */
  readonly questions: Pick<AskedQuestions, 'keep'>;
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
 * step. For it and for a given request the language model is not asked.
 *
 * @throws NotConfiguredError when there is no language model and no certified answer
 */
export async function* askSteps(
  source: AskSource,
  { llm, skills, clock, settings, questions }: AskDependencies,
  { target, question, context, signal, isWatched, run }: AskCall,
): AsyncGenerator<Step & { readonly subject: AskSubject }> {
  const opened = await source.open(target, context, signal);
  const subject = run === undefined ? opened : { ...opened, run };
  if (question.request !== undefined) {
    for await (const step of givenSteps(subject, question.request, signal)) yield { ...step, subject };
    return;
  }
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
  const previous = question.previous === undefined ? [] : [JSON.stringify(question.previous)];
  const allQuestions = [question.question, ...earlier.toReversed(), ...previous].join('\n');
  const system = await systemOf(subject, choice, clock(), { question: allQuestions, maxTokens, sharesValues, signal });
  const conversation = { llm, tenant, subject, skills: choice, system, question, sharesValues, isWatched, signal };
  let written: unknown;
  try {
    for await (const step of converse(conversation)) {
      if (step.kind === 'query') written = step.query;
      yield { ...step, subject };
    }
  } catch (error) {
    const kind = refusalOf(error);
    if (kind !== undefined && error instanceof ServiceError) {
      const { surface } = source;
      const { reference, target: named } = subject;
      const request = isRecord(written) && kind !== 'off-topic' ? written : undefined;
      const reason = reasonOf(error);
      const asked = { surface, reference, target: named, kind, question: question.question, request, reason };
      await questions.keep(tenant, asked);
    }
    throw error;
  }
}

/** Returns the reason of a refusal without values of the data, which the owner of a model may not see. */
function reasonOf(error: ServiceError): string {
  const [first] = error instanceof ValidationError ? error.problems : [];
  return first?.withoutData ?? error.message;
}

/** Returns the kind under which a refused question is kept; `undefined` for a failure that says nothing about the question. */
function refusalOf(error: unknown): KeptKind | undefined {
  if (error instanceof OffTopicError) return 'off-topic';
  return error instanceof ValidationError || error instanceof NoQueryError ? 'unanswered' : undefined;
}

/** Answers the request that the caller gave. @throws ValidationError below `request` */
async function* givenSteps(
  subject: AskSubject,
  request: object,
  signal: AbortSignal | undefined,
): AsyncGenerator<Step> {
  // Before the check, so that a stream reports its failure as an event.
  yield { kind: 'query', attempt: 1, query: request };
  try {
    const queryUsed = await subject.check(request, signal);
    yield { kind: 'validation', attempt: 1, problems: [] };
    yield { kind: 'answer', queryUsed, response: await subject.run(queryUsed, signal) };
  } catch (error) {
    throw error instanceof ValidationError ? error.under(['request']) : error;
  }
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
