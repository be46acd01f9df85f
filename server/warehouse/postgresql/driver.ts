import { UNHEARD } from '../../log/discarding-log.ts';
import type { Driver } from '../driver.ts';
import { postgresAddress } from './address.ts';
import { postgresqlDialect } from './dialect.ts';

/** PostgreSQL 14 and later: `jdbc:postgresql://host:port/database?currentSchema=…&sslmode=…`, as in its JDBC driver. */
export const postgresql: Driver = {
  dialect: postgresqlDialect,
  place(address, url) {
    const { host, port, database } = postgresAddress(address, url, UNHEARD);
    return { kind: 'server', protocol: 'postgresql', host, port, database };
  },
  async open(address, url, settings) {
    const target = postgresAddress(address, url, settings.log);
    const { PostgresEngine } = await import('./engine.ts');
    return new PostgresEngine(target, settings);
  },
};
