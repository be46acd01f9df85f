import { ERROR_CODE, type ErrorFormat, standardErrorFormat, toProblemBody } from '../../../router/error-body.ts';
import { type ErrorKind, ValidationError } from '../../../router/errors.ts';

/**
 * The kinds of errors that this surface writes as `{status, error}`. Authentication errors and missing resources use
 * the standard format.
 */
const OWN_ENVELOPE: ReadonlySet<ErrorKind> = new Set([
  'VALIDATION',
  'MALFORMED_BODY',
  'UNSUPPORTED_MEDIA_TYPE',
  'BODY_TOO_LARGE',
  'WAREHOUSE_ERROR',
  'WAREHOUSE_UNREACHABLE',
  'TIMEOUT',
  'UNAVAILABLE',
  'CANCELLED',
  'INTERNAL',
]);

/**
 * Returns the error body of the surface: `{status, error, field, available}` of the first mistake, where `error` is the
 * message. If there are several mistakes, `problems` has all of them, so that an agent can correct its body at once.
 * `moreProblems` counts the mistakes that the list leaves out.
 */
export const cubeErrorFormat: ErrorFormat = (error) => {
  if (!OWN_ENVELOPE.has(error.kind)) return standardErrorFormat(error);
  const status = error.code ?? ERROR_CODE[error.kind];
  if (!(error instanceof ValidationError)) return { status, error: error.message };
  const [, second] = error.problems;
  return {
    status,
    error: error.message,
    field: error.field ?? '',
    available: error.available ?? [],
    ...(second === undefined
      ? {}
      : {
          problems: error.problems.map((problem) => {
            const { field, message, available = [] } = toProblemBody(problem);
            return { field, error: message, available };
          }),
          ...(error.moreProblems === 0 ? {} : { moreProblems: error.moreProblems }),
        }),
  };
};
