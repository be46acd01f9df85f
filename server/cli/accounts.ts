import type { Log } from '../../router/capabilities/log.ts';
import { recordCommand } from '../audit/command-entry.ts';
import { stateFile } from '../home-directory/home-directory.ts';
import type { Tenant, Tenants } from '../identity/index.ts';
import { DEFAULT_TENANT, type Identity, identityMigrations, openIdentity } from '../identity/index.ts';
import { CommandError } from '../installation/command-error.ts';
import { existingHome } from '../installation/existing-home.ts';
import { type Setup, setUp } from '../installation/setup.ts';
import { openState, type StateStore } from '../state/index.ts';

/**
 * Opens the accounts of an installation for one command, also while its server runs, and closes them afterwards.
 *
 * @param create whether to make a home folder that does not exist
 * @throws CommandError where there is no installation
 */
export async function withAccounts<Result>(
  homeDirectory: string,
  work: (identity: Identity, setup: Setup, state: StateStore) => Promise<Result>,
  create = false,
): Promise<Result> {
  const setup = create ? setUp(homeDirectory) : existingHome(homeDirectory);
  const { home, config, log } = setup;
  const state = await openState({
    url: config['service.state.url'] || undefined,
    sqliteFile: stateFile(home),
    log,
  });
  try {
    await state.migrate({ identity: identityMigrations });
    return await work(await openIdentity({ state, clock: Date.now, log }), setup, state);
  } finally {
    await state.close();
  }
}

/**
 * Returns the tenant of that name.
 *
 * @throws CommandError with the existing names
 */
export async function tenantNamed({ tenants }: Identity, name: string): Promise<Tenant> {
  const tenant = await tenants.find(name);
  if (tenant !== undefined) return tenant;
  const names = (await tenants.list()).map((each) => each.name);
  throw new CommandError(`There is no tenant ${name}; there are: ${names.join(', ')}.`);
}

/** Returns the tenant of that name; creates it where it does not exist, and records that in the audit log. */
export async function tenantMade({ tenants }: Identity, name: string, state: StateStore, log: Log): Promise<Tenant> {
  const present = await tenants.find(name);
  if (present !== undefined) return present;
  const made = await tenants.ensure(name);
  await recordOfInstallation(tenants, state, log, { action: 'tenant create', target: `name=${name}` });
  return made;
}

/** Records a change by a command in the audit log of the installation's administrators. */
export async function recordOfInstallation(
  tenants: Tenants,
  state: StateStore,
  log: Log,
  entry: { readonly action: string; readonly target: string | null },
): Promise<void> {
  const { id } = await tenants.ensure(DEFAULT_TENANT);
  await recordCommand(state, log, { tenant: id, kind: 'ADMINISTRATION', ...entry });
}
