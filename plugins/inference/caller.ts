import type { UserCaller } from '../../router/capabilities/identity.ts';
import { UnauthenticatedError } from '../../router/errors.ts';
import type { OperationContext } from '../../router/operation.ts';

/** Returns the caller of an operation that only users may call. */
export function userOf({ caller }: OperationContext): UserCaller {
  if (caller.kind === 'anonymous') throw new UnauthenticatedError();
  return caller;
}
