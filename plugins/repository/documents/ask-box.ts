/** An ask box, `*.serviceask`: a place for questions in natural language to one model or cube. */
import { z } from 'zod';
import { list, Name } from '../../../router/bounded.ts';
import { Description, Title } from './saved-query.ts';

/** Questions that an empty box offers. */
const MAX_SUGGESTIONS = 8;
const MAX_SUGGESTION_LENGTH = 200;

export const AskBox = z
  .strictObject({
    version: z.literal(1),
    title: Title,
    description: Description.optional(),
    source: z.strictObject({
      surface: Name.min(1).meta({ description: 'The query surface that answers, such as `semantic`.' }),
      target: z.record(z.string(), z.unknown()).meta({
        description:
          'What is asked about: `connection` and `model` of the semantic surface, `cube` of the cube surface.',
      }),
    }),
    suggestions: list(z.string().trim().min(1).max(MAX_SUGGESTION_LENGTH), MAX_SUGGESTIONS)
      .optional()
      .meta({ description: 'Questions that the box offers; without them, examples of the model.' }),
  })
  .meta({ id: 'AskBox' });
export type AskBox = z.infer<typeof AskBox>;
