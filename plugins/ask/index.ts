/** Questions in natural language: a language model writes the typed query, the surface checks and answers it. */
import type { z } from 'zod';
import { userOf } from '../../router/caller.ts';
import type { AskSource } from '../../router/capabilities/ask-source.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Llm } from '../../router/capabilities/llm.ts';
import type { ErrorFormat } from '../../router/error-format.ts';
import { standardErrorFormat } from '../../router/error-format.ts';
import { NotConfiguredError } from '../../router/errors.ts';
import { Documented, type OperationContext, operation, operations, type ServerEvent } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import { AskQuestion } from '../query-surface/index.ts';
import type { SkillFolder } from '../skills/index.ts';
import { converse, type Step } from './conversation.ts';
import { systemOf } from './prompt.ts';
import { AskHealth, eventsOf } from './schemas.ts';
import { SkillChoice } from './skill-choice.ts';

export interface AskDependencies {
  /** `undefined` where none is configured. */
  readonly llm: Llm | undefined;
  readonly skills: SkillFolder;
  readonly clock: Clock;
  readonly settings: AskSettings;
}

export interface AskSettings {
  /** Of the description of a model or cube. */
  readonly maxSchemaTokens: number;
  /** Whether sample values and member names may leave for the language model. */
  readonly sharesValues: boolean;
}

const NOT_CONFIGURED = 'ASK_NOT_CONFIGURED';

/** Makes the ask operations of one query surface. */
export function ask<const Name extends string, Request extends z.ZodObject, Answer extends z.ZodType>(
  name: Name,
  source: AskSource<Request, Answer>,
  dependencies: AskDependencies,
) {
  const { llm } = dependencies;
  const root: `/${string}` = `${source.root}/ask`;
  return plugin({
    name,
    title: `Natural-language questions (${source.surface})`,
    errorFormat: formatOf(source.errorFormat),
    router: operations({
      ask: operation({
        summary: 'Answer a question in natural language',
        description:
          'A language model writes the typed query (`queryUsed`), which is checked and answered as that of any caller. What it gets wrong goes back to it, with the candidates, a few times.',
        access: 'user',
        rest: { method: 'POST', path: root, body: '*' },
        implementationChoice: CHOICES,
      })
        .input(source.request)
        .output(new Documented(source.answer))
        .mutation(async ({ ctx, input, signal }) => {
          for await (const step of steps(source, dependencies, { input, context: ctx, signal, isWatched: false })) {
            if (step.kind === 'answer') return step.answer;
          }
          return undefined;
        }),

      stream: operation({
        summary: 'Answer a question in natural language, telling how it goes',
        description:
          'Server-sent events: `thinking`, `query`, `validation`, and at last `answer` (what `ask` answers) or `error` (the envelope of an error).',
        access: 'user',
        rest: { method: 'POST', path: `${root}/stream`, body: '*', events: true, contentType: 'text/event-stream' },
        implementationChoice: 'The whole operation.',
      })
        .input(source.request)
        .output(new Documented(eventsOf(source.answer)))
        .mutation(({ ctx, input, signal }) =>
          events(steps(source, dependencies, { input, context: ctx, signal, isWatched: true })),
        ),

      health: operation({
        summary: 'Whether questions in natural language can be asked',
        access: 'user',
        rest: { method: 'GET', path: `${root}/health` },
        implementationChoice: '`provider` is empty where none is configured.',
      })
        .output(AskHealth)
        .query(() => ({ configured: llm !== undefined, provider: llm?.provider ?? '' })),
    }),
  });
}

const CHOICES =
  'Without a language model 503 `ASK_NOT_CONFIGURED`. An off-topic question is 400 `OFF_TOPIC`, with the reason as message and questions that can be answered in `available`. A query that stays wrong is a validation error at `queryUsed`. A tenant over its budget of the day is answered 429 with `Retry-After`.';

/** Whether asking is set up is told alike on every surface. */
function formatOf(format: ErrorFormat): ErrorFormat {
  return (error) => (error.code === NOT_CONFIGURED ? standardErrorFormat(error) : format(error));
}

interface AskCall {
  readonly input: unknown;
  readonly context: OperationContext;
  readonly signal: AbortSignal | undefined;
  readonly isWatched: boolean;
}

type Told = Exclude<Step, { kind: 'answer' }> | { readonly kind: 'answer'; readonly answer: object };

async function* steps(
  source: AskSource<z.ZodObject, z.ZodType>,
  { llm, skills, clock, settings }: AskDependencies,
  { input, context, signal, isWatched }: AskCall,
): AsyncGenerator<Told> {
  if (llm === undefined) throw notConfigured();
  const question = AskQuestion.strip().parse(input);
  const subject = await source.open(input, context, signal);
  const choice = await SkillChoice.of(skills, subject);
  const { maxSchemaTokens: maxTokens, sharesValues } = settings;
  const asked = [...(question.history ?? []).filter(({ role }) => role === 'user').map(({ content }) => content)];
  const system = await systemOf(subject, choice, clock(), {
    question: [question.question, ...asked.toReversed()].join('\n'),
    maxTokens,
    sharesValues,
    signal,
  });
  const { tenant } = userOf(context);
  const parts = { llm, tenant, subject, skills: choice, system, question, sharesValues, isWatched, signal };
  for await (const step of converse(parts)) {
    if (step.kind !== 'answer') yield step;
    else {
      const { queryUsed, response } = step;
      yield { kind: 'answer', answer: { question: question.question, ...subject.target, queryUsed, response } };
    }
  }
}

async function* events(told: AsyncIterable<Told>): AsyncGenerator<ServerEvent> {
  for await (const step of told) {
    if (step.kind === 'answer') yield { event: 'answer', data: step.answer };
    else {
      const { kind, ...data } = step;
      yield { event: kind, data: kind === 'validation' ? { ...data, valid: step.problems.length === 0 } : data };
    }
  }
}

function notConfigured(): NotConfiguredError {
  return new NotConfiguredError(
    'Questions in natural language are not set up here. Set service.ai.ask.provider to anthropic or openai, and put its API key into the environment of the server.',
    { code: NOT_CONFIGURED },
  );
}
