import { type ErrorFormat, standardErrorFormat, toProblemBody } from '../../router/error-body.ts';
import { ValidationError } from '../../router/errors.ts';

/**
 * Formats the envelope of the surface: `{error, field, message, available}` of the first mistake. If a request has several,
 * `problems` lists them, so that an agent corrects its body in one round; `moreProblems` counts the mistakes that are left
 * out.
 */
export const semanticErrorFormat: ErrorFormat = (error) => {
  const envelope = standardErrorFormat(error);
  if (!(error instanceof ValidationError) || error.problems.length < 2) return envelope;
  const problems = error.problems.map((problem) => ({ ...toProblemBody(problem), available: problem.available ?? [] }));
  return { ...envelope, problems, ...(error.moreProblems === 0 ? {} : { moreProblems: error.moreProblems }) };
};
