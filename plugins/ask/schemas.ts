import { z } from 'zod';
import { MAX_QUESTION_LENGTH } from '../query-surface/index.ts';
import { MAX_COMMENT_LENGTH } from './limits.ts';

/** A caller's mark of an answer as wrong, without the members that name the model or cube. */
export const AskFeedback = z.strictObject({
  question: z.string().regex(/\S/, 'Give the question.').max(MAX_QUESTION_LENGTH),
  verdict: z.literal('wrong').describe('The answer does not answer the question.'),
  queryUsed: z.record(z.string(), z.unknown()).optional().describe('The query of the answer.'),
  comment: z
    .string()
    .max(MAX_COMMENT_LENGTH)
    .optional()
    .describe('What is wrong, in words. Owners of the model read it.'),
});
export type AskFeedback = z.output<typeof AskFeedback>;

export const AskFeedbackAnswer = z.object({
  kept: z.boolean().describe('False where the service keeps no questions.'),
});

export const AskHealth = z.object({ configured: z.boolean(), provider: z.string() });

const Attempt = z.int().min(1).describe('Which call of the language model this is; 1 for a given request.');

const Problem = z.object({ field: z.string(), message: z.string(), available: z.array(z.string()).optional() });

/** A question back, instead of an answer. */
export const Clarification = z.object({
  question: z.string().describe('In the language of the question.'),
  readings: z
    .array(z.object({ label: z.string(), request: z.record(z.string(), z.unknown()) }))
    .describe('Two or three readings; ask again with the `request` of the one that is meant.'),
});

/** Makes the schema of an answer that asks back. @param target the members that name the model or cube */
export function clarifiedOf(target: z.ZodObject): z.ZodObject {
  return z.object({ question: z.string(), ...target.shape, clarification: Clarification });
}

/**
 * Makes the schema of the events of a streamed question, in the order in which they come; the first three may come
 * several times.
 */
export function eventsOf<Answer extends z.ZodType>(answer: Answer, clarified: z.ZodObject) {
  return z.discriminatedUnion('event', [
    z.object({
      event: z.literal('thinking'),
      data: z.object({ attempt: Attempt, characters: z.int().describe('Of the query, so far.') }),
    }),
    z.object({
      event: z.literal('query'),
      data: z.object({ attempt: Attempt, query: z.unknown().describe('As the language model wrote it.') }),
    }),
    z.object({
      event: z.literal('validation'),
      data: z.object({
        attempt: Attempt,
        valid: z.boolean(),
        problems: z
          .array(Problem)
          .describe('The problems that go back to the language model; empty where the query is run.'),
      }),
    }),
    z.object({ event: z.literal('answer'), data: answer }),
    z.object({ event: z.literal('clarification'), data: clarified }),
    z.object({ event: z.literal('error'), data: z.record(z.string(), z.unknown()) }),
  ]);
}
