import { describe, expect, it } from 'vitest';
import type { WarehouseAddress } from '../../../router/capabilities/warehouse.ts';
import { InvalidAddressError, parseJdbcUrl } from '../jdbc-url.ts';
import { quietLog } from '../testing/engines.ts';
import { postgresAddress } from './address.ts';

const read = (rest: string, address: Omit<WarehouseAddress, 'jdbcUrl'> = { username: 'reader' }) => {
  const jdbcUrl = `jdbc:postgresql:${rest}`;
  return postgresAddress({ jdbcUrl, ...address }, parseJdbcUrl('jdbc:postgresql:', jdbcUrl), quietLog);
};

describe('an address of PostgreSQL', () => {
  it.each([
    ['//db.example:6432/shop', 'db.example', 6432, 'shop'],
    ['//db.example/shop', 'db.example', 5432, 'shop'],
    ['//db.example:6432/', 'db.example', 6432, 'reader'],
    ['//db.example', 'db.example', 5432, 'reader'],
    ['//[::1]:6432/shop', '::1', 6432, 'shop'],
    ['shop', 'localhost', 5432, 'shop'],
    ['/', 'localhost', 5432, 'reader'],
    ['//db/my%20shop', 'db', 5432, 'my shop'],
  ])('%s has its server and database', (rest, host, port, database) => {
    expect(read(rest)).toMatchObject({ host, port, database, user: 'reader' });
  });

  it('takes user and password from its parameters where they are not given separately', () => {
    expect(read('//h/d?user=a%40b&password=p%26q', {})).toMatchObject({ user: 'a@b', password: 'p&q' });
    expect(read('//h/d?user=a&password=p', { username: 'b', password: 'q' })).toMatchObject({
      user: 'b',
      password: 'q',
    });
  });

  it('reads schemas, TLS and time limit', () => {
    expect(read('//h/d?currentSchema=sales,%20public&sslmode=require&connectTimeout=3')).toMatchObject({
      searchPath: ['sales', 'public'],
      sslMode: 'require',
      connectTimeoutMs: 3000,
    });
    expect(read('//h/d').sslMode).toBe('prefer');
    expect(read('//h/d?ssl=true').sslMode).toBe('verify-full');
    expect(read('//h/d?ssl=false').sslMode).toBe('prefer');
  });

  it.each([
    '//h1,h2/d',
    '//h:99999/d',
    '//h:x/d',
    '//h/d/e',
    '//h/%zz',
    '//h/d?sslmode=maybe',
    '//h/d?connectTimeout=soon',
  ])('%s is refused', (rest) => {
    expect(() => read(rest)).toThrow(InvalidAddressError);
  });

  it('without a user is refused', () => {
    expect(() => read('//h/d', {})).toThrow(InvalidAddressError);
  });
});
