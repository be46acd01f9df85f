import { describe, expect, it } from 'vitest';
import { DRIVERS } from '../server/warehouse/drivers.ts';
import { parseJdbcUrl } from '../server/warehouse/jdbc-url.ts';
import { CONNECTION_FORMS, type ConnectionValues, formOfUrl, jdbcUrlOf, partsOf } from './connection-forms.ts';
import { ENGINE_NAMES, ENGINES, type EngineName } from './warehouse-engines.ts';

/** A URL of each engine as its documentation writes it, and the values of its form. */
const WRITTEN: Readonly<Record<EngineName, readonly [string, ConnectionValues]>> = {
  duckdb: ['jdbc:duckdb:data/shop.duckdb', { file: 'data/shop.duckdb' }],
  sqlite: ['jdbc:sqlite:/data/shop.db', { file: '/data/shop.db' }],
  postgresql: [
    'jdbc:postgresql://db.example:5433/my%20shop?sslmode=verify-full',
    { host: 'db.example', port: '5433', database: 'my shop', tls: 'verify' },
  ],
  mysql: ['jdbc:mysql://db:3306/shop?sslMode=required', { host: 'db', port: '3306', database: 'shop', tls: 'require' }],
  mariadb: ['jdbc:mariadb://[::1]:3306/shop', { host: '::1', port: '3306', database: 'shop', tls: 'prefer' }],
  clickhouse: [
    'jdbc:clickhouse://ch:8443/shop?ssl=true',
    { host: 'ch', port: '8443', database: 'shop', tls: 'verify' },
  ],
  trino: [
    'jdbc:trino://trino:8080/hive/shop',
    { host: 'trino', port: '8080', catalog: 'hive', schema: 'shop', tls: 'disable' },
  ],
};

describe.each(ENGINE_NAMES)('the form of %s', (engine) => {
  const [url, values] = WRITTEN[engine];

  it('writes the URL of its values, and reads them from it', () => {
    expect(jdbcUrlOf(engine, values)).toBe(url);
    expect(formOfUrl(url)).toEqual({ engine, values });
  });

  it('writes URLs that its driver reads, with every choice of TLS', () => {
    const form = CONNECTION_FORMS[engine];
    const choices = form.kind === 'server' ? form.tls.map(({ value }) => value) : [undefined];
    for (const tls of choices) {
      const written = jdbcUrlOf(engine, { ...values, ...(tls === undefined ? {} : { tls }) });
      const parsed = parseJdbcUrl(ENGINES[engine].prefix, written);
      const place = DRIVERS[engine].place({ jdbcUrl: written, username: 'ann', password: '' }, parsed, '/home');
      expect(place).toMatchObject(
        form.kind === 'file'
          ? { file: engine === 'duckdb' ? '/home/data/shop.duckdb' : '/data/shop.db' }
          : { host: values.host, port: Number(values.port) },
      );
    }
  });

  it('has a field for each part that its URL names', () => {
    expect(partsOf(engine)).toEqual(expect.arrayContaining(Object.keys(values)));
  });
});

it('a URL with parameters that a form has not is left to the raw address', () => {
  expect(formOfUrl('jdbc:postgresql://db/shop?connectTimeout=3')).toBeUndefined();
  expect(formOfUrl('jdbc:oracle:thin:@db')).toBeUndefined();
});

it('a form without a port uses the port of the engine, which TLS may change', () => {
  expect(jdbcUrlOf('clickhouse', { host: 'ch', database: 'shop', tls: 'verify' })).toBe(
    'jdbc:clickhouse://ch:8443/shop?ssl=true',
  );
  expect(jdbcUrlOf('trino', { host: 't', catalog: 'hive' })).toBe('jdbc:trino://t:8080/hive');
});
