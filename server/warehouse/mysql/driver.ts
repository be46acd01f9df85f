import type { Dialect } from '../../../router/capabilities/dialect.ts';
import { UNHEARD } from '../../log/discarding-log.ts';
import type { Driver } from '../driver.ts';
import { mysqlAddress } from './address.ts';
import { mariadbDialect, mysqlDialect } from './dialect.ts';

/** MySQL 8.0.17 and later: `jdbc:mysql://host:port/database?sslMode=…`, as in its JDBC driver. */
export const mysql: Driver = driver(mysqlDialect);

/** MariaDB 10.5 and later: `jdbc:mariadb://host:port/database?sslMode=…`. */
export const mariadb: Driver = driver(mariadbDialect);

function driver(dialect: Dialect): Driver {
  return {
    dialect,
    place(address, url) {
      // A statement may name tables of any database of the server.
      const { host, port } = mysqlAddress(address, url, UNHEARD);
      return { kind: 'server', protocol: 'mysql', host, port, database: undefined };
    },
    async open(address, url, settings) {
      const target = mysqlAddress(address, url, settings.log);
      const { MysqlEngine } = await import('./engine.ts');
      return new MysqlEngine(target, dialect, settings);
    },
  };
}
