import { UNHEARD } from '../../log/discarding-log.ts';
import type { Driver } from '../driver.ts';
import { hostAndPort } from '../server-address.ts';
import { trinoAddress } from './address.ts';
import { trinoDialect } from './dialect.ts';

/** Trino 418 and later over its client protocol: `jdbc:trino://host:8080/catalog/schema?SSL=true`. No library is needed for it. */
export const trino: Driver = {
  dialect: trinoDialect,
  place(address, url) {
    const { endpoint, catalog } = trinoAddress(address, url, UNHEARD);
    return { kind: 'server', protocol: 'trino', ...hostAndPort(endpoint), database: catalog };
  },
  async open(address, url, settings) {
    const target = trinoAddress(address, url, settings.log);
    const { TrinoEngine } = await import('./engine.ts');
    return new TrinoEngine(target, settings);
  },
};
