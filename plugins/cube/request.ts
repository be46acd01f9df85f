import { toServiceError } from '../../router/error-shape.ts';
import { CubeQueryRequest } from './schemas.ts';

/**
 * Returns a request that comes from elsewhere than the surface's own operations: a saved query, a command.
 * @throws ValidationError
 */
export function parseRequest(request: unknown): CubeQueryRequest {
  const parsed = CubeQueryRequest.safeParse(request);
  if (!parsed.success) throw toServiceError(parsed.error);
  return parsed.data;
}
