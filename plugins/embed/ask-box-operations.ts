/** The operations of an embedded ask box. The token's document pins the one model or cube that it asks. */
import { z } from 'zod';
import type { AskSource } from '../../router/ask-source.ts';
import type { Scope } from '../../router/capabilities/identity.ts';
import { ForbiddenError, NotFoundError, OffTopicError, ValidationError } from '../../router/errors.ts';
import { Documented, type OperationContext, operation, type ServerEvent } from '../../router/operation.ts';
import { run } from '../../router/steps.ts';
import {
  type AskDependencies,
  AskFeedback,
  AskFeedbackAnswer,
  askSteps,
  followUpsOf,
  markWrong,
  suggestionsOf,
} from '../ask/index.ts';
import { AskQuestion } from '../query-surface/index.ts';
import type { AskBox } from '../repository/index.ts';
import { askBoxOf } from './parsed-documents.ts';
import { addressOf } from './read-access.ts';
import { type ReadDependencies, readDocument } from './read-document.ts';
import { toQueryInvalid } from './saved-answer.ts';
import { EmbedAskBox, EmbedAskEvent, type Resource } from './schemas.ts';
import { shownAnswer } from './shown-answer.ts';

export interface AskBoxDependencies extends ReadDependencies {
  readonly askSources: readonly AskSource[];
  readonly asking: AskDependencies;
}

const CHOICE = 'Address and shape of the ask box.';

export function askBoxOperations(dependencies: AskBoxDependencies) {
  const { door } = dependencies;
  const { access, readers } = door;
  const path = `${door.base}/ai/{path+}` as const;
  return {
    readAskBox: operation({
      summary: `What an ask box is about, and questions to begin with, ${readers}`,
      access,
      rest: {
        method: 'GET',
        path,
        ...addressOf(door),
      },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ path: z.string() }))
      .output(EmbedAskBox)
      .query(async ({ ctx, input: { path }, signal }) => {
        const { box, owner, resource } = await openBox(dependencies, ctx, path);
        const { title, description, suggestions } = box;
        const subject = await opened(sourceOf(dependencies, box, resource), box, asOwner(ctx, owner), signal).catch(
          (error: unknown) => {
            throw misfit(dependencies, resource, box, error);
          },
        );
        return {
          title,
          ...(description === undefined ? {} : { description }),
          suggestions: [...(suggestions ?? suggestionsOf(subject))],
          configured: dependencies.asking.llm !== undefined,
        };
      }),

    askInBox: operation({
      summary: `Answer a question that was put to an ask box, telling how it goes, ${readers}`,
      description:
        'Server-sent events: `thinking`, `query`, `validation`, and finally `answer` or `error`. The query runs with the roles of the owner, or of the signed-in user. Errors leave out the names of the model.',
      access,
      answersViewers: true,
      rest: {
        method: 'POST',
        path,
        body: '*',
        events: true,
        contentType: 'text/event-stream',
        ...addressOf(door, ['Content-Type']),
      },
      implementationChoice: CHOICE,
    })
      .input(AskQuestion.extend({ path: z.string() }))
      .output(new Documented(EmbedAskEvent))
      .mutation(({ ctx, input: { path, ...question }, signal }) =>
        answered(dependencies, { ctx, path, question, signal }),
      ),

    markAnswer: operation({
      summary: `Mark an answer of an ask box as wrong, ${readers}`,
      description: 'The question and its query are kept for the owners of the model.',
      access,
      rest: {
        method: 'POST',
        path: `${door.base}/feedback/{path+}`,
        body: '*',
        ...addressOf(door, ['Content-Type']),
      },
      implementationChoice: CHOICE,
    })
      .input(AskFeedback.extend({ path: z.string() }))
      .output(AskFeedbackAnswer)
      .mutation(async ({ ctx, input: { path, ...feedback }, signal }) => {
        const { box, owner, resource } = await openBox(dependencies, ctx, path);
        const source = sourceOf(dependencies, box, resource);
        const input = { ...feedback, ...box.source.target };
        return markWrong(source, dependencies.asking, { input, context: asOwner(ctx, owner), signal }).catch(
          (error: unknown) => {
            throw misfit(dependencies, resource, box, error);
          },
        );
      }),
  };
}

async function* answered(
  dependencies: AskBoxDependencies,
  {
    ctx,
    path,
    question,
    signal,
  }: {
    readonly ctx: OperationContext;
    readonly path: string;
    readonly question: AskQuestion;
    readonly signal: AbortSignal | undefined;
  },
): AsyncGenerator<ServerEvent> {
  const { box, owner, resource } = await openBox(dependencies, ctx, path);
  const { surface, target } = box.source;
  const source = sourceOf(dependencies, box, resource);
  const tables = dependencies.sources.find((each) => each.surface === surface);
  if (tables === undefined) throw misfit(dependencies, resource, box, new NotFoundError('There is no such surface.'));
  const run = async (query: object, stop: AbortSignal | undefined) =>
    shownAnswer(question.question, undefined, await tables.prepare(query).run(owner, { signal: stop }));
  const call = { target, question, context: asOwner(ctx, owner), signal, isWatched: true, run };
  let suggestions: readonly string[] = [];
  try {
    for await (const { subject, ...step } of askSteps(source, dependencies.asking, call)) {
      suggestions = box.suggestions ?? suggestionsOf(subject);
      switch (step.kind) {
        case 'answer': {
          const { queryUsed, response, certified } = step;
          const followUps = [...followUpsOf(subject, queryUsed)];
          const mark = certified === undefined ? {} : { certified };
          yield { event: 'answer', data: { ...response, queryUsed, followUps, ...mark } };
          break;
        }
        case 'clarification':
          yield { event: 'clarification', data: { ...step.clarification } };
          break;
        case 'thinking':
          yield { event: 'thinking', data: { attempt: step.attempt } };
          break;
        case 'query':
          yield { event: 'query', data: { attempt: step.attempt } };
          break;
        case 'validation':
          yield { event: 'validation', data: { attempt: step.attempt, valid: step.problems.length === 0 } };
          break;
        default: {
          const never: never = step;
          throw new Error(`unmapped step ${String(never)}`);
        }
      }
    }
  } catch (error) {
    if (error instanceof OffTopicError) throw new OffTopicError(error.message, suggestions);
    // A signed-in user asks with the own roles, so the problems of a corrected request are the user's to see.
    if (error instanceof ValidationError && question.request !== undefined && dependencies.door.access === 'user')
      throw error;
    // Problems name elements of the model, which only the owner of an embed may see.
    if (error instanceof ValidationError)
      throw new OffTopicError(question.request === undefined ? NOT_UNDERSTOOD : NOT_ANSWERED, suggestions);
    throw misfit(dependencies, resource, box, error);
  }
}

const NOT_ANSWERED = 'This query cannot be answered. Correct it, or ask in words.';
const NOT_UNDERSTOOD = 'This question was not understood. Put it in other words.';

async function openBox(
  dependencies: AskBoxDependencies,
  ctx: OperationContext,
  path: string,
): Promise<{ readonly box: AskBox; readonly owner: Scope; readonly resource: Resource }> {
  const { owner, resource } = await run(dependencies.door.open(ctx, { kind: 'ai', path }));
  return { box: await run(readDocument(dependencies, owner, resource, askBoxOf)), owner, resource };
}

function sourceOf(dependencies: AskBoxDependencies, box: AskBox, resource: Resource): AskSource {
  const source = dependencies.askSources.find(({ surface }) => surface === box.source.surface);
  if (source !== undefined) return source;
  throw misfit(dependencies, resource, box, new NotFoundError('There is no such surface.'));
}

function opened(source: AskSource, { source: { target } }: AskBox, context: OperationContext, signal?: AbortSignal) {
  return source.open(target, context, signal);
}

/**
 * Makes the context of the box's owner: it asks with the owner's recorded roles, and ignores credentials of the
 * browser.
 */
function asOwner(ctx: OperationContext, owner: Scope): OperationContext {
  return { ...ctx, caller: { kind: 'user', via: 'embed', ...owner }, embedToken: undefined };
}

/**
 * Translates the error of a box whose model is gone or no longer visible to the owner: only the owner can correct it.
 */
function misfit({ log }: ReadDependencies, resource: Resource, { source }: AskBox, error: unknown): unknown {
  const isMisfit =
    error instanceof ValidationError || error instanceof NotFoundError || error instanceof ForbiddenError;
  return isMisfit ? toQueryInvalid(log, resource, source.surface, error) : error;
}
