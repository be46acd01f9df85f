import type { UserCaller } from './capabilities/identity.ts';
import type { OperationContext } from './declaration.ts';
import { UnauthenticatedError } from './errors.ts';

/**
 * Returns the calling user. Operations with another access than `public` or `embed` always have one; the type cannot show
 * it.
 */
export function userOf({ caller }: OperationContext): UserCaller {
  if (caller.kind === 'anonymous') throw new UnauthenticatedError();
  return caller;
}
