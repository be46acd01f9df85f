import {
  ADMINISTRATOR_ROLE,
  type Caller,
  isAdministrator,
  isBearer,
  type UserCaller,
} from './capabilities/identity.ts';
import type { OperationContext, OperationMeta } from './declaration.ts';
import { CsrfRejectedError, ForbiddenError, UnauthenticatedError } from './errors.ts';
import { type KeyScope, scopeOfOperation } from './key-scopes.ts';

/** Throws unless the caller may use an operation: 401, 403, or 403 for a missing CSRF pair. */
export function requireAccess(meta: OperationMeta, context: OperationContext): void {
  requireCaller(meta, context);
  requireOwnRights(meta, context);
  requireCsrf(meta, context);
}

/**
 * Refuses an API key or an agent's token whose scopes do not include an operation.
 *
 * @param procedure its path in the router: `semantic.query`
 */
export function requireScope(procedure: string, caller: Caller): void {
  const scope = missingScope(procedure, caller);
  if (scope === undefined || caller.kind !== 'user') return;
  throw new ForbiddenError(
    caller.via === 'access-token'
      ? `This agent was allowed ${caller.scopes?.join(', ') || 'nothing'}. The operation needs the scope ${scope}.`
      : `This API key may call ${caller.scopes?.join(', ') || 'nothing'}. The operation needs a key with the scope ${scope}.`,
  );
}

/** Returns the scope that an API key lacks for an operation; `undefined` where it lacks none. */
export function missingScope(procedure: string, caller: Caller): KeyScope | undefined {
  if (caller.kind !== 'user' || caller.scopes === undefined) return undefined;
  const scope = scopeOfOperation(procedure);
  return scope === undefined || caller.scopes.includes(scope) ? undefined : scope;
}

function requireCaller({ access }: OperationMeta, { caller }: OperationContext): void {
  switch (access) {
    case 'public':
    case 'embed':
      return;
    case 'user':
      if (caller.kind === 'anonymous') throw new UnauthenticatedError();
      return;
    case 'api-key':
    case 'administrator-key':
      if (caller.kind === 'anonymous' || !isBearer(caller)) {
        throw new UnauthenticatedError('Send an API key in the header Authorization: Bearer <API_KEY>.');
      }
      if (access === 'administrator-key') requireAdministrator(caller);
      return;
    case 'signed-in':
      if (caller.kind === 'anonymous') throw new UnauthenticatedError();
      if (isBearer(caller)) requireAdministrator(caller);
      return;
    case 'administrator':
      if (caller.kind === 'anonymous') throw new UnauthenticatedError();
      requireAdministrator(caller);
      return;
    default: {
      const never: never = access;
      throw new Error(`unmapped access ${String(never)}`);
    }
  }
}

/** Refuses changes by an administrator who views as somebody else: a change would be the administrator's own. */
function requireOwnRights({ rest: { method }, answersViewers }: OperationMeta, { caller }: OperationContext): void {
  if (caller.kind !== 'user' || caller.viewedBy === undefined || method === 'GET' || answersViewers === true) return;
  throw new ForbiddenError('Nothing can be changed while you view as somebody else.');
}

function requireAdministrator(caller: UserCaller): void {
  if (isAdministrator(caller)) return;
  const remedy = isBearer(caller) ? ' Send an API key or access token that has it.' : '';
  throw new ForbiddenError(`This needs an administrator: the role ${ADMINISTRATOR_ROLE} of the tenant.${remedy}`);
}

function requireCsrf(meta: OperationMeta, { caller, csrfVerified, jsonBody }: OperationContext): void {
  const rule = meta.csrf ?? 'session-and-basic';
  if (meta.rest.method === 'GET' || rule === 'none' || caller.kind === 'anonymous' || isBearer(caller)) return;
  if (csrfVerified) return;
  if (caller.via === 'basic' && rule === 'session') {
    if (jsonBody) return;
    throw new CsrfRejectedError('Send the body as Content-Type: application/json.');
  }
  throw new CsrfRejectedError();
}
