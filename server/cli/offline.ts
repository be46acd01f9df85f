/** What commands need that look at an installation, or at files, without the server. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withOpenPassword } from '../../router/sealed-password.ts';
import { warehouseSettings } from '../config/warehouse-settings.ts';
import { stateFile } from '../home-directory/home-directory.ts';
import { openLog } from '../log/log.ts';
import { homeVault } from '../vault/vault.ts';
import type { WarehousesOptions } from '../warehouse/index.ts';
import { ownFiles } from '../warehouse/own-files.ts';
import { CommandError } from './command-error.ts';
import { type Setup, setUp } from './setup.ts';

/** Warehouses for a command that belongs to no installation: relative file names start from the working folder. */
export function offlineWarehouses(): WarehousesOptions {
  return { statementTimeoutMs: 600_000, poolSize: 1, home: process.cwd(), log: openLog('silent') };
}

/** Opens an installation that is there already; a mistyped folder is told, not made. */
export function existingHome(directory: string): Setup {
  if (!existsSync(join(directory, 'datasources'))) {
    throw new CommandError(`There is no installation in ${resolve(directory)}; name its home folder with --home.`);
  }
  return setUp(directory);
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
