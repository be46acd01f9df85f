import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnonymousCaller, Scope } from '../../router/capabilities/identity.ts';

/**
 * Who shares the warehouses' connections with others: the name by which statements take turns. It goes with the
 * request through everything that the request awaits, so that no surface has to hand it on.
 */
const present = new AsyncLocalStorage<string>();

/** Who nobody named: the process itself. */
const NOBODY = '';

/** Runs `work` with all its statements counted as those of `sharer`. */
export function sharedBy<T>(sharer: string, work: () => T): T {
  return present.run(sharer, work);
}

export function presentSharer(): string {
  return present.getStore() ?? NOBODY;
}

/**
 * Identifies who shares the warehouse: a user is one sharer wherever it calls from; of those who read embeds, each
 * address is one.
 */
export function sharerOf(caller: Scope | AnonymousCaller, address: string): string {
  return 'user' in caller ? JSON.stringify([caller.tenant, caller.user]) : JSON.stringify([address]);
}
