/** Checks the certified answers of a model. */
import type { CertifiedAnswer } from '../../router/certified-answer.ts';
import { type Problem, ValidationError } from '../../router/errors.ts';
import { parseInput } from '../../router/parse-input.ts';
import { formatPath } from '../../router/path.ts';
import type { Model } from './model/model.ts';
import type { Place, Problems } from './model/problems.ts';
import { resolveRequest } from './query/pipeline.ts';
import { joinPathProblems } from './query/plan/planner.ts';
import { SemanticQueryRequest } from './schemas.ts';

/** Explains why the model does not answer a certified request; `undefined` where it does. */
function refusalOf(answer: CertifiedAnswer, model: Model): string | undefined {
  try {
    const { name } = model;
    const request = parseInput(SemanticQueryRequest, { ...answer.request, connection: name, model: name });
    const [problem] = joinPathProblems(resolveRequest(request, model), model);
    return problem && described(problem);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return described(error.problems[0]);
  }
}

function described({ path, message }: Problem): string {
  return path.length === 0 ? message : `${formatPath(path)}: ${message}`;
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
    const refusal = readsPeriods(answer, model) ? undefined : refusalOf(answer, model);
    if (refusal !== undefined) problems.warn(at, `the certified answer "${answer.question}" is broken: ${refusal}`);
  }
}
