/** Checks the certified answers of a model. */
import { brokenAnswerMessage, type CertifiedAnswer } from '../../router/certified-answer.ts';
import { type Problem, ValidationError } from '../../router/errors.ts';
import { parseInput } from '../../router/parse-input.ts';
import type { Model } from './model/model.ts';
import type { Place, Problems } from './model/problems.ts';
import { resolveRequest } from './query/pipeline.ts';
import { joinPathProblems } from './query/plan/planner.ts';
import { SemanticQueryRequest } from './schemas.ts';

/** Returns the first problem of a certified request; `undefined` where the model answers it. */
function problemOf(answer: CertifiedAnswer, model: Model): Problem | undefined {
  try {
    const { name } = model;
    const request = parseInput(SemanticQueryRequest, { ...answer.request, connection: name, model: name });
    return joinPathProblems(resolveRequest(request, model), model)[0];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.problems[0];
  }
}

/** Checks whether a request names periods of a table, which are read from the data when it is asked. */
function readsPeriods({ request }: CertifiedAnswer, { time }: Model): boolean {
  const text = JSON.stringify(request);
  return time.tables.some(({ name }) => text.includes(JSON.stringify(name)));
}

/** Warns of certified answers that the model cannot give any more. */
export function warnOfBrokenAnswers(model: Model, place: Place, problems: Problems): void {
  const at = [...place, 'custom_extensions'];
  for (const answer of model.certified) {
    const problem = readsPeriods(answer, model) ? undefined : problemOf(answer, model);
    if (problem !== undefined) problems.warn(at, brokenAnswerMessage(answer, problem));
  }
}
