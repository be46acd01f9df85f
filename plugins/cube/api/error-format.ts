import { ERROR_CODE, type ErrorFormat, standardErrorFormat, toProblemBody } from '../../../router/error-body.ts';
import { type ErrorKind, ValidationError } from '../../../router/errors.ts';

/** Kinds that this surface writes as `{status, error}`; authentication errors and missing resources use the standard format. */
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
 * Formats the error body of the surface: `{status, error, field, available}` of the first mistake; `error` is the message. A
 * request with several mistakes has them all in `problems`, so that an agent can correct its body in one round. `moreProblems`
 * counts the mistakes that the list leaves out.
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
