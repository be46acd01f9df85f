import { isAbsolute, resolve } from 'node:path';
import type { Driver } from '../driver.ts';
import { InvalidAddressError, refuseOwnFile } from '../jdbc-url.ts';
import { duckdbDialect } from './dialect.ts';

/**
 * DuckDB in this process: `jdbc:duckdb:/data/shop.duckdb`, a path relative to the home folder, or `jdbc:duckdb:` for an empty database in memory.
 * User and password are ignored.
 */
export const duckdb: Driver = {
  dialect: duckdbDialect,
  place(_address, { target }, home) {
    return target === '' || target === ':memory:' ? undefined : { kind: 'file', file: resolve(home, target) };
  },
  async open(_address, { target, parameters }, settings) {
    if (parameters.size > 0)
      throw new InvalidAddressError('An address of DuckDB takes no parameters after a question mark.');
    // Names like `md:shop` or `s3://…` would make DuckDB load an extension and connect to other machines.
    if (target.includes('\0') || /^[a-z][a-z0-9+.-]+:/i.test(target)) {
      throw new InvalidAddressError(
        'An address of DuckDB names a file on this machine: jdbc:duckdb:/path/to/file.duckdb.',
      );
    }
    const inMemory = target === '' || target === ':memory:';
    const file = inMemory ? undefined : isAbsolute(target) ? target : resolve(settings.home, target);
    if (file !== undefined) refuseOwnFile(file, settings.refusesFile);
    const { DuckdbEngine } = await import('./engine.ts');
    return new DuckdbEngine(file, settings);
  },
};
