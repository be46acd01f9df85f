import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnonymousCaller, Scope, TenantId } from '../../router/capabilities/identity.ts';

/**
 * The user or address that statements are counted for. It follows the request through everything that the request awaits, so no surface has to pass
 * it on.
 */
const present = new AsyncLocalStorage<string>();

/** The sharer of the process's own statements. */
const NOBODY = '';

/** Runs `work`, and counts all its statements for `sharer`. */
export function sharedBy<T>(sharer: string, work: () => T): T {
  return present.run(sharer, work);
}

export function presentSharer(): string {
  return present.getStore() ?? NOBODY;
}

/** Returns the user that statements are counted for; undefined for an address, and for the process itself. */
export function presentUser(): Pick<Scope, 'tenant' | 'user'> | undefined {
  const sharer = presentSharer();
  if (sharer === NOBODY) return undefined;
  const parts: readonly string[] = JSON.parse(sharer);
  const [tenant, user] = parts;
  return tenant === undefined || user === undefined ? undefined : { tenant: tenant as TenantId, user };
}

/** Returns the sharer of a caller: a user is one sharer from any address, and an anonymous reader of embeds is identified by its address. */
export function sharerOf(caller: Scope | AnonymousCaller, address: string): string {
  return 'user' in caller ? JSON.stringify([caller.tenant, caller.user]) : JSON.stringify([address]);
}
