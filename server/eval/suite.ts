/** Reads a suite of questions with their right answers. */
import { parse } from 'yaml';
import { z } from 'zod';
import { CommandError } from '../installation/command-error.ts';

/** Questions of one suite at most. */
const MAX_QUESTIONS = 1_000;

const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const Question = z
  .strictObject({
    question: z.string().min(1).max(4_000),
    request: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The right request, without the names of its model.'),
    rows: z.array(z.array(Cell)).optional().describe('The right rows, each a list of its values.'),
    refused: z.literal(true).optional().describe('True where the data cannot answer the question.'),
    ordered: z.boolean().optional().describe('True where the order of the rows counts.'),
  })
  .refine(
    ({ request, rows, refused }) => [request, rows, refused].filter((each) => each !== undefined).length === 1,
    'a question has one of request, rows and refused',
  );
export type SuiteQuestion = z.output<typeof Question>;

const Suite = z.strictObject({
  tolerance: z.number().min(0).max(1).default(1e-6).describe('Relative difference of two equal numbers at most.'),
  threshold: z.number().min(0).max(1).default(1).describe('Share of passed questions at least.'),
  questions: z.array(Question).min(1).max(MAX_QUESTIONS),
});
export type Suite = z.output<typeof Suite>;

/** @throws CommandError with the first mistakes of the suite */
export function readSuite(text: string, file: string): Suite {
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw new CommandError(`${file} is not YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { data, error } = Suite.safeParse(document);
  if (data === undefined) {
    const lines = error.issues.slice(0, 5).map(({ path, message }) => `  ${path.join('.') || 'suite'}: ${message}`);
    throw new CommandError(`${file} is no suite of questions:\n${lines.join('\n')}`);
  }
  const repeated = data.questions.find(({ question }, at) =>
    data.questions.some((other, before) => before < at && other.question === question),
  );
  if (repeated !== undefined) throw new CommandError(`${file} has the question "${repeated.question}" twice.`);
  return data;
}
