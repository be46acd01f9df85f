import { withoutNulls } from '../../router/absent.ts';
import { toServiceError } from '../../router/error-shape.ts';
import { CubeQueryRequest } from './schemas.ts';

/**
 * Returns a request that comes from elsewhere than the surface's own operations: a saved query, a command. Members that may be left
 * out may be null, as in a request.
 *
 * @throws ValidationError
 */
export function parseRequest(request: unknown): CubeQueryRequest {
  const parsed = CubeQueryRequest.safeParse(withoutNulls(CubeQueryRequest, request));
  if (!parsed.success) throw toServiceError(parsed.error);
  return parsed.data;
}
