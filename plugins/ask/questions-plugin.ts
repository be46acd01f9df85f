/** The questions that owners of models look at: refused ones, and answers that were marked as wrong. */
import { z } from 'zod';
import type { AskSource, AskSubject } from '../../router/ask-source.ts';
import { userOf } from '../../router/calling-user.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { UserCaller } from '../../router/capabilities/identity.ts';
import { CertifiedAnswer } from '../../router/certified-answer.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../router/errors.ts';
import { type OperationContext, operation, operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import { type AskedQuestions, KEPT_KINDS, type KeptKind, type KeptQuestion } from './asked-questions.ts';
import { certifiedAnswerOf } from './certified.ts';

const BASE = '/rest/service/api/admin/questions';
const CHOICE = 'The questions for owners of models are an addition of this product.';

/** Writes a certified answer into the document of a model. */
export type Certify = (
  answer: CertifiedAnswer,
  target: AskSubject['target'],
  caller: UserCaller,
  signal: AbortSignal | undefined,
) => Promise<{ readonly version: string; readonly status: string }>;

export interface QuestionsOptions {
  readonly questions: AskedQuestions;
  readonly sources: readonly AskSource[];
  readonly clock: Clock;
  /** By the name of a surface; one that has none has its certified answers in a file that only its owner edits. */
  readonly certifiers: Readonly<Record<string, Certify>>;
}

const KINDS = Object.keys(KEPT_KINDS) as [KeptKind, ...KeptKind[]];
const Id = z.string().max(100);

const AskedQuestion = z.object({
  id: z.string(),
  surface: z.string(),
  reference: z.string().describe('The model or the cube, as `demo/shop`.'),
  kind: z.enum(KINDS).describe(KINDS.map((kind) => `\`${kind}\`: ${KEPT_KINDS[kind]}`).join('; ')),
  question: z.string(),
  reason: z.string().describe('Why it was refused, or what the caller says is wrong.'),
  request: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The query that was answered or refused, without the names of its model.'),
  times: z.int().describe('How often it was asked.'),
  firstAt: z.string(),
  lastAt: z.string(),
  isCertifiable: z.boolean().describe('Whether `certify` can write it into its model.'),
});

const Certification = CertifiedAnswer.pick({ also: true })
  .partial()
  .extend({
    id: Id,
    question: CertifiedAnswer.shape.question.optional().describe('Another wording than the one that was asked.'),
    request: CertifiedAnswer.shape.request
      .optional()
      .describe('The right request; without it, the query that was kept with the question.'),
  });

export function askedQuestions({ questions, sources, clock, certifiers }: QuestionsOptions) {
  const found = async (context: OperationContext, id: string): Promise<KeptQuestion> => {
    const kept = await questions.find(userOf(context).tenant, id);
    if (kept !== undefined) return kept;
    throw new NotFoundError('There is no such question. It may have been certified or removed.', { path: ['id'] });
  };
  return plugin({
    name: 'askedQuestions',
    title: 'Questions for the owners of models',
    errorFormat: standardErrorFormat,
    router: operations({
      list: operation({
        summary: 'List the questions that were refused, or marked as wrongly answered, the most frequent first',
        access: 'administrator',
        rest: { method: 'GET', path: BASE, query: ['reference'] },
        implementationChoice: CHOICE,
      })
        .input(z.strictObject({ reference: z.string().max(1_000).optional().describe('Only of this model or cube.') }))
        .output(z.object({ questions: z.array(AskedQuestion) }))
        .query(async ({ ctx, input: { reference } }) => {
          const kept = await questions.list(userOf(ctx).tenant, reference);
          return {
            questions: kept.map(({ target, request, firstAtMillis, lastAtMillis, ...question }) => ({
              ...question,
              ...(request === undefined ? {} : { request: withoutNames(request, target) }),
              firstAt: new Date(firstAtMillis).toISOString(),
              lastAt: new Date(lastAtMillis).toISOString(),
              isCertifiable: certifiers[question.surface] !== undefined,
            })),
          };
        }),

      certify: operation({
        summary: 'Turn a question into a certified answer of its model',
        description:
          'Checks the request like any caller’s, writes it into the document of the model with your name and the day, and removes the question from the list.',
        access: 'administrator',
        rest: { method: 'POST', path: `${BASE}/{id}/certify`, body: '*', bodyOptional: true },
        implementationChoice: CHOICE,
      })
        .input(Certification)
        .output(z.object({ version: z.string(), status: z.string() }))
        .mutation(async ({ ctx, input, signal }) => {
          const caller = userOf(ctx);
          const kept = await found(ctx, input.id);
          const certify = certifiers[kept.surface];
          const source = sources.find(({ surface }) => surface === kept.surface);
          if (certify === undefined || source === undefined)
            throw new ConflictError(
              'Certified answers of a cube are written in its schema file, as the annotation service.certified.',
              { code: 'NOT_EDITABLE' },
            );
          const subject = await source.open(kept.target, ctx, signal);
          const question = input.question ?? kept.question;
          if ((await certifiedAnswerOf(subject, question)) !== undefined)
            throw ValidationError.at(['question'], 'The model has a certified answer to this question already.');
          const request = input.request ?? kept.request;
          if (request === undefined)
            throw ValidationError.at(['request'], 'No query was kept with this question. Give the right request.');
          await checked(subject, request, signal);
          const answer = CertifiedAnswer.parse({
            question,
            also: input.also,
            request: withoutNames(request, kept.target),
            by: caller.user,
            at: new Date(clock()).toISOString().slice(0, 10),
          });
          const saved = await certify(answer, kept.target, caller, signal);
          await questions.remove(caller.tenant, kept);
          return saved;
        }),

      remove: operation({
        summary: 'Remove a question from the list',
        access: 'administrator',
        rest: { method: 'DELETE', path: `${BASE}/{id}` },
        implementationChoice: CHOICE,
      })
        .input(z.strictObject({ id: Id }))
        .output(z.object({ status: z.literal('OK') }))
        .mutation(async ({ ctx, input: { id } }) => {
          await questions.remove(userOf(ctx).tenant, await found(ctx, id));
          return { status: 'OK' } as const;
        }),
    }),
  });
}

/** Checks a request against its model. @throws ValidationError below `request` */
async function checked(subject: AskSubject, request: object, signal: AbortSignal | undefined): Promise<void> {
  try {
    await subject.check(request, signal);
  } catch (error) {
    throw error instanceof ValidationError ? error.under(['request']) : error;
  }
}

/** Returns a request without the members that name its model or cube. */
function withoutNames(request: object, target: AskSubject['target']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(request).filter(([member]) => !Object.hasOwn(target, member)));
}
