import { stateFile } from '../home-directory/home-directory.ts';
import type { Tenant } from '../identity/index.ts';
import { type Identity, identityMigrations, openIdentity } from '../identity/index.ts';
import { openState, type StateStore } from '../state/index.ts';
import { CommandError } from './command-error.ts';
import { type Setup, setUp } from './setup.ts';

/** Opens the accounts of an installation for one command, running or not, and closes them after it. */
export async function withAccounts<Result>(
  homeDirectory: string,
  work: (identity: Identity, setup: Setup, state: StateStore) => Promise<Result>,
): Promise<Result> {
  const setup = setUp(homeDirectory);
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
 * Returns the tenant of that name. With `make` it is made where there is none; else a missing one is an error naming
 * those there are.
 */
export async function tenantNamed(identity: Identity, name: string, make: boolean): Promise<Tenant> {
  if (make) return identity.tenants.ensure(name);
  const tenant = await identity.tenants.find(name);
  if (tenant !== undefined) return tenant;
  const names = (await identity.tenants.list()).map((each) => each.name);
  throw new CommandError(`There is no tenant ${name}; there are: ${names.join(', ')}.`);
}
