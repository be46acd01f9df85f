import { z } from 'zod';
import type { AskSource } from '../../router/ask-source.ts';
import { type ErrorFormat, standardErrorFormat } from '../../router/error-body.ts';
import { Documented, operation, operations, type ServerEvent } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import { AskQuestion } from '../query-surface/index.ts';
import { type AskCall, type AskDependencies, askSteps, NOT_CONFIGURED } from './ask-steps.ts';
import type { Step } from './conversation.ts';
import { markWrong } from './feedback.ts';
import { AskFeedback, AskFeedbackAnswer, AskHealth, clarifiedOf, eventsOf } from './schemas.ts';

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
          'A language model writes the typed query (`queryUsed`), which is checked and answered like any other request. Its mistakes go back to the model with the candidates, a few times.',
        access: 'user',
        answersViewers: true,
        rest: { method: 'POST', path: root, body: '*' },
        implementationChoice: CHOICES,
      })
        .input(source.request)
        .output(new Documented(z.union([source.answer, clarifiedOf(source.target)])))
        .mutation(async ({ ctx, input, signal }) => {
          for await (const step of steps(source, dependencies, { input, context: ctx, signal, isWatched: false })) {
            if (step.kind === 'answer' || step.kind === 'clarification') return step.answer;
          }
          return undefined;
        }),

      stream: operation({
        summary: 'Answer a question in natural language, telling how it goes',
        description:
          'Server-sent events: `thinking`, `query`, `validation`, and at last `answer` (what `ask` answers), `clarification` (a question back) or `error` (the envelope of an error).',
        access: 'user',
        answersViewers: true,
        rest: { method: 'POST', path: `${root}/stream`, body: '*', events: true, contentType: 'text/event-stream' },
        implementationChoice: 'The whole operation.',
      })
        .input(source.request)
        .output(new Documented(eventsOf(source.answer, clarifiedOf(source.target))))
        .mutation(({ ctx, input, signal }) =>
          events(steps(source, dependencies, { input, context: ctx, signal, isWatched: true })),
        ),

      feedback: operation({
        summary: 'Mark the answer to a question as wrong',
        description:
          'The question and its query are kept for the owners of the model, who may certify a right request for it.',
        access: 'user',
        rest: { method: 'POST', path: `${root}/feedback`, body: '*' },
        implementationChoice: 'The whole operation.',
      })
        .input(AskFeedback.extend(source.target.shape))
        .output(AskFeedbackAnswer)
        .mutation(({ ctx, input, signal }) => markWrong(source, dependencies, { input, context: ctx, signal })),

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
  'A question that the model contains as a certified one is answered by its certified request, without the language model; the answer has `certified`. Without a language model other questions are 503 `ASK_NOT_CONFIGURED`. An off-topic question is 400 `OFF_TOPIC`, with the reason as message and questions that can be answered in `available`. A query that stays wrong is a validation error at `queryUsed`. A tenant over its budget of the day is answered 429 with `Retry-After`.';

/**
 * Makes the error format of a surface. Whether asking is configured is reported in the same format on every surface.
 */
function formatOf(format: ErrorFormat): ErrorFormat {
  return (error) => (error.code === NOT_CONFIGURED ? standardErrorFormat(error) : format(error));
}

type SurfaceStep =
  | Exclude<Step, { kind: 'answer' | 'clarification' }>
  | { readonly kind: 'answer' | 'clarification'; readonly answer: object };

/** Runs the question of a surface's request step by step. The answer repeats the target of the request. */
async function* steps(
  source: AskSource,
  dependencies: AskDependencies,
  { input, ...call }: { readonly input: unknown } & Pick<AskCall, 'context' | 'signal' | 'isWatched'>,
): AsyncGenerator<SurfaceStep> {
  const question = AskQuestion.strip().parse(input);
  for await (const { subject, ...step } of askSteps(source, dependencies, { ...call, target: input, question })) {
    if (step.kind === 'clarification') {
      const { clarification } = step;
      yield { kind: step.kind, answer: { question: question.question, ...subject.target, clarification } };
    } else if (step.kind !== 'answer') yield step;
    else {
      const { queryUsed, response, certified } = step;
      const mark = certified === undefined ? {} : { certified };
      yield {
        kind: 'answer',
        answer: { question: question.question, ...subject.target, queryUsed, response, ...mark },
      };
    }
  }
}

async function* events(answerSteps: AsyncIterable<SurfaceStep>): AsyncGenerator<ServerEvent> {
  for await (const step of answerSteps) {
    if (step.kind === 'answer' || step.kind === 'clarification') yield { event: step.kind, data: step.answer };
    else {
      const { kind, ...data } = step;
      yield { event: kind, data: 'problems' in data ? { ...data, valid: data.problems.length === 0 } : data };
    }
  }
}
