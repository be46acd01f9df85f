/** Opens an installation, or only warehouses, for commands that run without the server. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withOpenPassword } from '../../router/sealed-password.ts';
import { warehouseSettings } from '../config/warehouse-settings.ts';
import { stateFile } from '../home-directory/home-directory.ts';
import { ownFiles } from '../home-directory/protected-files.ts';
import { DEFAULT_TENANT, isAccountName } from '../identity/index.ts';
import { openLog } from '../log/log.ts';
import { placesOf } from '../tenants/tenant-folders.ts';
import { homeVault } from '../vault/vault.ts';
import type { WarehousesOptions } from '../warehouse/index.ts';
import { CommandError } from './command-error.ts';
import { type Setup, setUp } from './setup.ts';

/** Returns the options of warehouses outside any installation: relative file names start from the working folder. */
export function offlineWarehouses(): WarehousesOptions {
  return { statementTimeoutMs: 600_000, poolSize: 1, home: process.cwd(), log: openLog('silent') };
}

/**
 * Opens an existing installation with the datasources of one tenant. Creates nothing.
 *
 * @throws CommandError where the folder or the tenant does not exist
 */
export function existingHome(directory: string, tenant: string = DEFAULT_TENANT): Setup {
  if (!existsSync(join(directory, 'datasources'))) {
    throw new CommandError(
      `There is no installation in ${resolve(directory)}. Name its home folder with --home or SERVICE_HOME; \`service start\` makes a new one.`,
    );
  }
  const setup = setUp(directory);
  if (tenant === DEFAULT_TENANT) return setup;
  const { datasources } = placesOf(setup.home, isAccountName(tenant) ? tenant : '~');
  if (!existsSync(datasources)) throw new CommandError(`There are no datasources of a tenant ${tenant} here.`);
  return { ...setup, home: { ...setup.home, datasources } };
}

/** Returns the options of an installation's warehouses, with one connection each. */
export function warehousesOf({ home, config, log }: Setup): WarehousesOptions {
  return {
    ...warehouseSettings(config),
    poolSize: 1,
    refusesFile: ownFiles([stateFile(home)]),
    opensPassword: (address) => withOpenPassword(() => homeVault(home, config), address),
    home: home.root,
    log,
  };
}
