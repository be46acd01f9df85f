import { isAbsolute, resolve } from 'node:path';
import type { Driver } from '../driver.ts';
import { InvalidAddressError, refuseOwnFile } from '../jdbc-url.ts';
import { sqliteDialect } from './dialect.ts';

/** A SQLite file on this machine: `jdbc:sqlite:/data/shop.sqlite`, or a path relative to the home folder. User and password are ignored. */
export const sqlite: Driver = {
  dialect: sqliteDialect,
  place(_address, { target }, home) {
    return target === '' ? undefined : { kind: 'file', file: resolve(home, target) };
  },
  async open(_address, { target, parameters }, settings) {
    if (parameters.size > 0)
      throw new InvalidAddressError('An address of SQLite takes no parameters after a question mark.');
    // `file:` names have their own options, and a read-only database in memory would be empty.
    if (target === '' || target.startsWith(':') || target.includes('\0') || /^[a-z][a-z0-9+.-]+:/i.test(target)) {
      throw new InvalidAddressError(
        'An address of SQLite names a file on this machine: jdbc:sqlite:/path/to/file.sqlite.',
      );
    }
    const file = isAbsolute(target) ? target : resolve(settings.home, target);
    refuseOwnFile(file, settings.refusesFile);
    const { SqliteEngine } = await import('./engine.ts');
    return new SqliteEngine(file, settings);
  },
};
