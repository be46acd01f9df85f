import { z } from 'zod';

export const AskHealth = z.object({ configured: z.boolean(), provider: z.string() });

const Attempt = z.int().min(1).describe('Which call of the language model this is.');

const Problem = z.object({ field: z.string(), message: z.string(), available: z.array(z.string()).optional() });

/**
 * Makes the schema of the events of a streamed question, in the order in which they come; the first three may come
 * several times.
 */
export function eventsOf<Answer extends z.ZodType>(answer: Answer) {
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
    z.object({ event: z.literal('error'), data: z.record(z.string(), z.unknown()) }),
  ]);
}
