import { ADMINISTRATOR_ROLE } from '../../router/capabilities/identity.ts';
import { USER_ROLE } from '../identity/index.ts';
import type { Setup } from './setup.ts';

/**
 * Returns those of `roles` that no model and no cube schema of the installation names, in their order. A role may be
 * given before the model that asks for it, so this is worth a warning and no more.
 */
export async function unknownRoles({ home }: Setup, roles: readonly string[]): Promise<readonly string[]> {
  const open = roles.filter((role) => role !== USER_ROLE && role !== ADMINISTRATOR_ROLE);
  if (open.length === 0) return [];
  const { namedRoles } = await import('../launcher-offline.ts');
  const named = await namedRoles(home.datasources);
  return open.filter((role) => !named.has(role));
}

export function warnOfUnknown(roles: readonly string[]): void {
  for (const role of roles)
    process.stderr.write(`Mind: no model and no cube schema of this installation names the role ${role}.\n`);
}
