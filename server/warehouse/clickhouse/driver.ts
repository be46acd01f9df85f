import { UNHEARD } from '../../log/discarding-log.ts';
import type { Driver } from '../driver.ts';
import { hostAndPort } from '../server-address.ts';
import { clickhouseAddress } from './address.ts';
import { clickhouseDialect } from './dialect.ts';

/** ClickHouse 24.8 and later over its HTTP interface: `jdbc:clickhouse://host:8123/database?ssl=true`. No library is needed for it. */
export const clickhouse: Driver = {
  dialect: clickhouseDialect,
  place(address, url) {
    // A statement may name tables of any database of the server.
    const { endpoint } = clickhouseAddress(address, url, UNHEARD);
    return { kind: 'server', protocol: 'clickhouse', ...hostAndPort(endpoint), database: undefined };
  },
  async open(address, url, settings) {
    const target = clickhouseAddress(address, url, settings.log);
    const { ClickhouseEngine } = await import('./engine.ts');
    return new ClickhouseEngine(target, settings);
  },
};
