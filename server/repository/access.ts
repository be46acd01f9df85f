import { isAdministrator, type Scope } from '../../router/capabilities/identity.ts';
import type { Area } from './path.ts';

/** Returns whether a caller may read an area of its own tenant's repository. */
export function mayRead(caller: Scope, area: Area): boolean {
  return area.kind === 'shared' || mayWrite(caller, area);
}

export function mayWrite(caller: Scope, area: Area): boolean {
  return isAdministrator(caller) || (area.kind === 'home' && area.user === caller.user);
}
