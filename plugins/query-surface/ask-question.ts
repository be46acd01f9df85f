/** The schema of a question in natural language, for every surface. */
import { z } from 'zod';
import { list } from '../../router/bounded.ts';
import { MAX_HISTORY_TURNS, MAX_QUESTION_LENGTH, MAX_REQUEST_LENGTH, MAX_TURN_LENGTH } from './limits.ts';

const ConversationTurn = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.string().regex(/\S/, 'A turn says something.').max(MAX_TURN_LENGTH),
});

/** A typed request, which the surface checks. */
const RequestText = z
  .record(z.string(), z.unknown())
  .refine(
    (request) => JSON.stringify(request).length <= MAX_REQUEST_LENGTH,
    `A request has at most ${MAX_REQUEST_LENGTH} characters.`,
  );

export const AskQuestion = z.strictObject({
  question: z
    .string()
    .regex(/\S/, 'Give a question.')
    .max(MAX_QUESTION_LENGTH)
    .describe('In any language. `/name` at its start uses the skill of that name.'),
  history: list(ConversationTurn, MAX_HISTORY_TURNS)
    .optional()
    .describe('The conversation so far, oldest turn first. All of it is sent to the language model.'),
  previous: RequestText.optional().describe(
    'The request that the question goes on from, such as `queryUsed` of the answer before: “and by month?”, “only Germany”.',
  ),
  request: RequestText.optional().describe(
    'The request to answer instead of asking the language model: a corrected `queryUsed`, or the reading of a clarification that was meant.',
  ),
  clarify: z
    .boolean()
    .optional()
    .describe(
      'True to be asked back where the question has two or three near readings: the answer then has `clarification` in place of `queryUsed` and `response`.',
    ),
});
export type AskQuestion = z.output<typeof AskQuestion>;
