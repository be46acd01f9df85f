/** Answers one question: the language model writes a query and corrects it until it is valid; then the query runs. */
import type { AskSubject } from '../../router/ask-source.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Llm, LlmAnswer, LlmCall, LlmMessage, LlmRequest } from '../../router/capabilities/llm.ts';
import type { Certification } from '../../router/certified-answer.ts';
import { type ProblemBody, toProblemBody } from '../../router/error-body.ts';
import { OffTopicError, type Problem, UpstreamError, ValidationError } from '../../router/errors.ts';
import { type AskQuestion, REPAIR_HINT } from '../query-surface/index.ts';
import { skillPrompt } from '../skills/index.ts';
import { MAX_CALLS, MAX_CANDIDATES, MAX_OUTPUT_TOKENS, MAX_REASON_LENGTH, PROGRESS_INTERVAL_MS } from './limits.ts';
import {
  ASK_BACK_TOOL,
  AskBackCall,
  OFF_TOPIC_TOOL,
  OffTopicCall,
  SKILL_TOOL,
  SkillCall,
  toolsOf,
} from './model-tools.ts';
import type { SkillChoice } from './skill-choice.ts';
import { suggestionsOf } from './suggestions.ts';

export interface Conversation {
  readonly llm: Llm;
  readonly tenant: TenantId;
  readonly subject: AskSubject;
  readonly skills: SkillChoice;
  readonly system: LlmRequest['system'];
  readonly question: AskQuestion;
  /** Whether values and members may leave for the language model. */
  readonly sharesValues: boolean;
  /** Whether anybody listens to how the answer of the language model comes. */
  readonly isWatched: boolean;
  readonly signal: AbortSignal | undefined;
}

export type Step =
  | { readonly kind: 'thinking'; readonly attempt: number; readonly characters: number }
  | { readonly kind: 'query'; readonly attempt: number; readonly query: unknown }
  | { readonly kind: 'validation'; readonly attempt: number; readonly problems: readonly ProblemBody[] }
  | {
      readonly kind: 'answer';
      readonly queryUsed: object;
      readonly response: object;
      readonly certified?: Certification;
    }
  | { readonly kind: 'clarification'; readonly clarification: Clarification };

/** The question back, and the readings to choose from. */
export interface Clarification {
  readonly question: string;
  /** Each with a checked request. */
  readonly readings: readonly { readonly label: string; readonly request: object }[];
}

/**
 * Returns the steps of a question; the last one is its answer.
 *
 * @throws OffTopicError when the language model refuses the question
 * @throws ValidationError at `queryUsed` when the last query it may write is wrong, too
 * @throws UpstreamError when it writes none, or fails
 */
export async function* converse(conversation: Conversation): AsyncGenerator<Step> {
  const { subject, skills, question, sharesValues, signal } = conversation;
  const tools = toolsOf(subject, { hasSkills: !skills.isEmpty, mayAskBack: question.clarify === true });
  const asked = skills.expandCommand(question.question);
  const messages: LlmMessage[] = [
    ...(question.history ?? []).map(({ role, content }) => ({ role, text: content })),
    { role: 'user', text: question.previous === undefined ? asked : followUp(asked, question.previous) },
  ];
  let refusal: ValidationError | undefined;
  for (let attempt = 1; attempt <= MAX_CALLS; attempt++) {
    const { call, text } = yield* thinking(conversation, { messages, tools, attempt });
    if (call === undefined) {
      if (text.trim() !== '') messages.push({ role: 'assistant', text });
      messages.push({ role: 'user', text: `Call one of the tools: ${tools.map(({ name }) => name).join(', ')}.` });
      continue;
    }
    messages.push({ role: 'assistant', call });
    if (call.tool === OFF_TOPIC_TOOL) throw offTopic(call, subject);
    if (call.tool === SKILL_TOOL) {
      messages.push(skillResult(call, skills));
      continue;
    }
    if (call.tool === ASK_BACK_TOOL && question.clarify === true) {
      const outcome = await readingsOf(call, subject, signal);
      if ('clarification' in outcome) {
        yield { kind: 'clarification', clarification: outcome.clarification };
        return;
      }
      messages.push(result(call, outcome.refused(sharesValues), true));
      continue;
    }
    if (call.tool !== subject.tool.name || call.input === undefined) {
      messages.push(result(call, 'This is no whole call of one of the tools. Make it again, shorter.', true));
      continue;
    }
    yield { kind: 'query', attempt, query: call.input };
    try {
      const queryUsed = await subject.check(call.input, signal);
      yield { kind: 'validation', attempt, problems: [] };
      yield { kind: 'answer', queryUsed, response: await subject.run(queryUsed, signal) };
      return;
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      refusal = error;
      yield { kind: 'validation', attempt, problems: error.problems.map(toProblemBody) };
      messages.push(result(call, problemText(error, sharesValues), true));
    }
  }
  throw refusal === undefined ? new NoQueryError() : unmended(refusal);
}

/** Writes a question with the request that it goes on from. */
function followUp(question: string, previous: object): string {
  return `The question goes on from the answer to this request, and keeps what it does not change: ${JSON.stringify(previous)}\n\n${question}`;
}

/** Writes the problems of a query for the language model. */
function problemText({ problems }: ValidationError, sharesValues: boolean): string {
  const shown = problems.map((problem) => shortened(sharesValues ? problem : withoutData(problem)));
  return JSON.stringify({ problems: shown, hint: REPAIR_HINT });
}

/** Checks the readings of a question back. A wrong one goes back to the language model. */
async function readingsOf(
  call: LlmCall,
  subject: AskSubject,
  signal: AbortSignal | undefined,
): Promise<{ readonly clarification: Clarification } | { readonly refused: (sharesValues: boolean) => string }> {
  const { data } = AskBackCall.safeParse(call.input);
  if (data === undefined) return { refused: () => 'Give one question and two or three readings, each with its query.' };
  const readings: { readonly label: string; readonly request: object }[] = [];
  for (const [index, { label, query }] of data.readings.entries()) {
    try {
      readings.push({ label: label.slice(0, MAX_REASON_LENGTH), request: await subject.check(query, signal) });
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const placed = error.under(['readings', index, 'query']);
      return { refused: (sharesValues) => problemText(placed, sharesValues) };
    }
  }
  const distinct = new Set(readings.map(({ request }) => JSON.stringify(request)));
  if (distinct.size < readings.length)
    return { refused: () => `Two readings are the same query. Call ${subject.tool.name} with it.` };
  return { clarification: { question: data.question.slice(0, MAX_REASON_LENGTH), readings } };
}

async function* thinking(
  { llm, tenant, system, isWatched, signal }: Conversation,
  { messages, tools, attempt }: Pick<LlmRequest, 'messages' | 'tools'> & { readonly attempt: number },
): AsyncGenerator<Step, LlmAnswer> {
  const request: LlmRequest = {
    tenant,
    purpose: 'ask',
    system,
    messages: [...messages],
    tools,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    signal,
  };
  if (!isWatched) return llm.call(request);
  let characters = 0;
  const onProgress = (arrived: number) => {
    characters = arrived;
  };
  const call = llm.call({ ...request, onProgress });
  // The listener may have left while this waits to go on.
  call.catch(() => {});
  let reported = -1;
  for (;;) {
    if (reported !== characters) yield { kind: 'thinking', attempt, characters };
    reported = characters;
    const answer = await orLater(call);
    if (answer !== undefined) return answer;
  }
}

/** Returns the result; `undefined` when it takes longer than listeners wait for news. */
async function orLater<Result>(work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const later = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PROGRESS_INTERVAL_MS, undefined);
  });
  try {
    return await Promise.race([work, later]);
  } finally {
    clearTimeout(timer);
  }
}

function result({ id }: LlmCall, text: string, isError: boolean): LlmMessage {
  return { role: 'tool', callId: id, text, isError };
}

function skillResult(call: LlmCall, skills: SkillChoice): LlmMessage {
  const { data } = SkillCall.safeParse(call.input);
  const skill = data === undefined ? undefined : skills.find(data.name);
  if (skill === undefined) return result(call, 'There is no such skill in the catalogue. Write the query.', true);
  return result(call, skillPrompt(skill, 'the one that was asked'), false);
}

/** Removes members and values from a problem. Names of the model, operators and periods are not data. */
function withoutData(problem: Problem): Problem {
  return problem.withoutData === undefined ? problem : { path: problem.path, message: problem.withoutData };
}

function shortened(problem: Problem): ProblemBody {
  return toProblemBody({ ...problem, available: problem.available?.slice(0, MAX_CANDIDATES) });
}

function offTopic(call: LlmCall, subject: AskSubject): OffTopicError {
  const { data } = OffTopicCall.safeParse(call.input);
  const reason = (data?.reason ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return new OffTopicError(
    reason.slice(0, MAX_REASON_LENGTH) || 'This question is not one that this data answers.',
    suggestionsOf(subject),
  );
}

/** The language model called no tool of a question as often as it may. */
export class NoQueryError extends UpstreamError {
  constructor() {
    super('The language model wrote no query for this question. Put it in other words.');
  }
}

function unmended(error: ValidationError): ValidationError {
  const { problems, moreProblems } = error.under(['queryUsed']);
  const [first, ...others] = problems;
  const message = `The question could not be turned into a query: ${first.message}`;
  return new ValidationError([{ ...first, message }, ...others], moreProblems);
}
