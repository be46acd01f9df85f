/** Asks the questions of a suite, and compares the answers with the right ones. No language model judges. */
import { z } from 'zod';
import { ServiceError } from '../../router/errors.ts';
import { type Cell, compareRows, type Rows } from './compare-rows.ts';
import type { EvaluatedModel, Spent } from './recording.ts';
import type { Suite, SuiteQuestion } from './suite.ts';

/**
 * - `passed`: the right rows, or a refusal where one is right
 * - `near`: the right figures in another shape
 * - `wrong`: other figures, or an answer where a refusal is right
 * - `refused`: no answer where there is one
 */
export const VERDICTS = ['passed', 'near', 'wrong', 'refused'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Result extends Spent {
  readonly question: string;
  readonly verdict: Verdict;
  /** Why it has not passed. */
  readonly reason: string;
  /** The request that was run; undefined where there was none. */
  readonly request: unknown;
  readonly isCertified: boolean;
  readonly milliseconds: number;
}

/** The model that is evaluated, as the caller may ask it. */
export interface EvaluatedService {
  /** @throws ServiceError where the question has no answer */
  ask(question: string): Promise<unknown>;
  /** @throws ServiceError */
  query(request: Readonly<Record<string, unknown>>): Promise<unknown>;
}

const AnswerRow = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.looseObject({ value: z.unknown() })]),
);
const Answered = z.looseObject({ records: z.array(AnswerRow) });
const Asked = z.looseObject({ queryUsed: z.unknown(), response: Answered, certified: z.unknown().optional() });

export async function* runSuite(
  { questions, tolerance }: Suite,
  service: EvaluatedService,
  model: EvaluatedModel,
): AsyncGenerator<Result> {
  for (const question of questions) {
    model.begin(question.question);
    const startedAt = performance.now();
    const outcome = await outcomeOf(question, service, tolerance);
    const milliseconds = Math.round(performance.now() - startedAt);
    yield { question: question.question, ...outcome, ...model.spent, milliseconds };
  }
}

type Outcome = Pick<Result, 'verdict' | 'reason' | 'request' | 'isCertified'>;

async function outcomeOf(question: SuiteQuestion, service: EvaluatedService, tolerance: number): Promise<Outcome> {
  const nothing = { request: undefined, isCertified: false };
  let asked: z.output<typeof Asked>;
  try {
    asked = Asked.parse(await service.ask(question.question));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const isRight = question.refused === true && error.code === 'OFF_TOPIC';
    return { ...nothing, verdict: isRight ? 'passed' : 'refused', reason: isRight ? '' : error.message };
  }
  const answered = { request: asked.queryUsed, isCertified: asked.certified !== undefined };
  if (question.refused === true)
    return { ...answered, verdict: 'wrong', reason: 'It was answered, and the data cannot answer it.' };
  const right = question.rows ?? (await rightRows(question, service));
  if ('problem' in right) return { ...answered, verdict: 'wrong', reason: right.problem };
  const rows = rowsOf(asked.response);
  const likeness = compareRows(right, rows, { tolerance, isOrdered: question.ordered ?? false });
  if (likeness === 'same') return { ...answered, verdict: 'passed', reason: '' };
  const counts = `${rows.length} rows in place of ${right.length}`;
  return likeness === 'other shape'
    ? { ...answered, verdict: 'near', reason: `The right figures in another shape: ${counts}.` }
    : { ...answered, verdict: 'wrong', reason: `Other figures: ${counts}.` };
}

async function rightRows(
  { request = {} }: SuiteQuestion,
  service: EvaluatedService,
): Promise<Rows | { readonly problem: string }> {
  try {
    return rowsOf(Answered.parse(await service.query(request)));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { problem: `The request of the suite does not run: ${error.message}` };
  }
}

function rowsOf({ records }: z.output<typeof Answered>): Rows {
  return records.map((record) => Object.values(record).map(cellOf));
}

function cellOf(cell: z.output<typeof AnswerRow>[string]): Cell {
  if (typeof cell !== 'object' || cell === null) return cell;
  const { value } = cell;
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : null;
}
