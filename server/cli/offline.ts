/** What commands need that look at an installation, or at files, without the server. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { withOpenPassword } from '../../router/sealed-password.ts';
import { warehouseSettings } from '../config/warehouse-settings.ts';
import { stateFile } from '../home-directory/home-directory.ts';
import { DEFAULT_TENANT, isAccountName } from '../identity/index.ts';
import { openLog } from '../log/log.ts';
import { placesOf } from '../tenants/tenant-folders.ts';
import { homeVault } from '../vault/vault.ts';
import type { WarehousesOptions } from '../warehouse/index.ts';
import { ownFiles } from '../warehouse/own-files.ts';
import { CommandError } from './command-error.ts';
import { type Setup, setUp } from './setup.ts';

/** Opens warehouses for a command that belongs to no installation: relative file names start from the working folder. */
export function offlineWarehouses(): WarehousesOptions {
  return { statementTimeoutMs: 600_000, poolSize: 1, home: process.cwd(), log: openLog('silent') };
}

/** Makes the option `--tenant NAME`, of commands that look at datasources. */
export const tenantOption = () => new Option('--tenant <name>', 'whose datasources are meant').default(DEFAULT_TENANT);

/**
 * Opens an installation that is there already, with the datasources of one tenant; a mistyped folder or tenant is told,
 * not made.
 */
export function existingHome(directory: string, tenant: string = DEFAULT_TENANT): Setup {
  if (!existsSync(join(directory, 'datasources'))) {
    throw new CommandError(`There is no installation in ${resolve(directory)}; name its home folder with --home.`);
  }
  const setup = setUp(directory);
  if (tenant === DEFAULT_TENANT) return setup;
  const { datasources } = placesOf(setup.home, isAccountName(tenant) ? tenant : '~');
  if (!existsSync(datasources)) throw new CommandError(`There are no datasources of a tenant ${tenant} here.`);
  return { ...setup, home: { ...setup.home, datasources } };
}

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
