import { ADMINISTRATOR_ROLE } from '../../router/capabilities/identity.ts';
import { DEFAULT_TENANT, USER_ROLE } from '../identity/index.ts';
import type { Setup } from '../installation/setup.ts';
import { placesOf } from '../tenants/tenant-folders.ts';

/**
 * Returns the roles that no model and no cube schema of a tenant names, in the order of `roles`. A role may be given
 * before its model exists, so this deserves only a warning.
 */
export async function unknownRoles(
  { home }: Setup,
  roles: readonly string[],
  tenant: string,
): Promise<readonly string[]> {
  const open = roles.filter((role) => role !== USER_ROLE && role !== ADMINISTRATOR_ROLE);
  if (open.length === 0) return [];
  const { namedRoles } = await import('../launcher-offline.ts');
  const named = await namedRoles(placesOf(home, tenant === DEFAULT_TENANT ? undefined : tenant).datasources);
  return open.filter((role) => !named.has(role));
}

export function warnOfUnknown(roles: readonly string[]): void {
  for (const role of roles)
    process.stderr.write(`Warning: no model and no cube schema of this installation names the role ${role}.\n`);
}
