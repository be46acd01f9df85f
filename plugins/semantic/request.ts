import { withoutNulls } from '../../router/absent.ts';
import { toServiceError } from '../../router/error-shape.ts';
import { SemanticQueryRequest } from './schemas.ts';

/**
 * Returns a request that comes from elsewhere than the surface's own operations: a saved query, a command.
 * @throws ValidationError
 */
export function parseRequest(request: unknown): SemanticQueryRequest {
  const parsed = SemanticQueryRequest.safeParse(withoutNulls(SemanticQueryRequest, request));
  if (!parsed.success) throw toServiceError(parsed.error);
  return parsed.data;
}
