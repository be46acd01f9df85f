/** The schema of a question in natural language, for every surface. */
import { z } from 'zod';
import { list } from '../../router/bounded.ts';
import { MAX_HISTORY_TURNS, MAX_QUESTION_LENGTH, MAX_TURN_LENGTH } from './limits.ts';

const ConversationTurn = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.string().regex(/\S/, 'A turn says something.').max(MAX_TURN_LENGTH),
});

export const AskQuestion = z.strictObject({
  question: z
    .string()
    .regex(/\S/, 'Give a question.')
    .max(MAX_QUESTION_LENGTH)
    .describe('In any language. `/name` at its start uses the skill of that name.'),
  history: list(ConversationTurn, MAX_HISTORY_TURNS)
    .optional()
    .describe('The conversation so far, oldest turn first. All of it is sent to the language model.'),
});
export type AskQuestion = z.output<typeof AskQuestion>;
