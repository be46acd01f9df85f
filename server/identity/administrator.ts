import { ADMINISTRATOR_ROLE } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import { ConflictError } from '../../router/errors.ts';
import { DEFAULT_TENANT } from './names.ts';
import { generatePassword } from './secrets.ts';
import type { Tenant, Tenants } from './tenants.ts';
import type { Users } from './users.ts';

/** The administrator of a first start. */
export const FIRST_ADMINISTRATOR = 'admin';

export interface FirstAdministrator {
  /** True if this start created `admin`. */
  readonly created: boolean;
  /** The generated password: show it now, because only its hash is stored. */
  readonly generatedPassword?: string;
}

/**
 * Makes sure at each start that an account can administer the installation. With a password from the environment, `admin` exists, is an administrator
 * and has that password: a restart with a new one resets a lost password. Without it, `admin` is created with a generated password if the default
 * tenant has no administrator.
 */
export async function ensureAdministrator(
  parts: { readonly tenants: Tenants; readonly users: Users; readonly log: Log },
  passwordFromEnvironment: string | undefined,
): Promise<FirstAdministrator> {
  const { tenants, users, log } = parts;
  const tenant = await tenants.ensure(DEFAULT_TENANT);
  if (passwordFromEnvironment !== undefined && passwordFromEnvironment !== '') {
    return { created: await setFromEnvironment(parts, tenant, passwordFromEnvironment) };
  }
  const accounts = await users.list(tenant.id);
  if (accounts.some(({ roles }) => roles.includes(ADMINISTRATOR_ROLE))) return { created: false };
  const generatedPassword = generatePassword();
  if (await tryToAdd(users, tenant, generatedPassword)) {
    log.info({ user: FIRST_ADMINISTRATOR }, 'administrator created with a generated password');
    return { created: true, generatedPassword };
  }
  // Another node has just created it and shows its password, or it exists without the role.
  if ((await users.rolesOf(tenant.id, FIRST_ADMINISTRATOR))?.includes(ADMINISTRATOR_ROLE)) return { created: false };
  throw new ConflictError(
    'The user admin is not an administrator, and there is no other administrator. Start once with SERVICE_ADMIN_PASSWORD to make admin one.',
  );
}

async function setFromEnvironment(
  { users, log }: { readonly users: Users; readonly log: Log },
  tenant: Tenant,
  password: string,
): Promise<boolean> {
  if (await tryToAdd(users, tenant, password)) {
    log.info({ user: FIRST_ADMINISTRATOR }, 'administrator created with the password from the environment');
    return true;
  }
  if ((await users.find(tenant.id, FIRST_ADMINISTRATOR))?.isDisabled === true) {
    await users.setDisabled(tenant.id, FIRST_ADMINISTRATOR, false);
    log.warn({ user: FIRST_ADMINISTRATOR }, 'enabled again because the environment names its password');
  }
  if ((await users.verify(tenant.id, FIRST_ADMINISTRATOR, password)) === undefined) {
    await users.passwd(tenant.id, FIRST_ADMINISTRATOR, password);
    log.warn({ user: FIRST_ADMINISTRATOR }, 'password reset to the one from the environment; sessions ended');
  }
  if (!(await users.rolesOf(tenant.id, FIRST_ADMINISTRATOR))?.includes(ADMINISTRATOR_ROLE)) {
    await users.grant(tenant.id, FIRST_ADMINISTRATOR, ADMINISTRATOR_ROLE);
    log.warn({ user: FIRST_ADMINISTRATOR }, 'made an administrator because the environment names its password');
  }
  return false;
}

async function tryToAdd(users: Users, tenant: Tenant, password: string): Promise<boolean> {
  if ((await users.find(tenant.id, FIRST_ADMINISTRATOR)) !== undefined) return false;
  try {
    await users.add({ tenant: tenant.id, name: FIRST_ADMINISTRATOR, password, roles: [ADMINISTRATOR_ROLE] });
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
}
