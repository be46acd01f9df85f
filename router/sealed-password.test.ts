import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openVault } from '../server/vault/vault.ts';
import { withOpenPassword, withSealedPassword } from './sealed-password.ts';

const vault = openVault(randomBytes(32));
const ADDRESS = { jdbcUrl: 'jdbc:postgresql://db/shop', username: 'reader', password: 'hunter2 <&>' };

describe('a sealed password', () => {
  it('shows nothing of the password, and opens for its own address', () => {
    const sealed = withSealedPassword(vault, ADDRESS);
    expect(JSON.stringify(sealed)).not.toContain('hunter2');
    expect(sealed.password).toMatch(/^sealed:v1\.[\w-]+$/);
    expect(withOpenPassword(() => vault, sealed)).toEqual(ADDRESS);
  });

  it.each([
    ['another host', { jdbcUrl: 'jdbc:postgresql://evil/shop' }, vault],
    ['another user', { username: 'postgres' }, vault],
    ['another key', {}, openVault(randomBytes(32))],
  ])('does not open for %s', (_, change, other) => {
    const sealed = { ...withSealedPassword(vault, ADDRESS), ...change };
    expect(() => withOpenPassword(() => other, sealed)).toThrow('another key, or for another address');
  });

  it('replaces the password in the URL', () => {
    const sealed = withSealedPassword(vault, {
      jdbcUrl: 'jdbc:postgresql://db/shop?user=u&password=hunter2&sslmode=require',
    });
    expect(sealed).toMatchObject({ jdbcUrl: 'jdbc:postgresql://db/shop?sslmode=require', username: 'u' });
    expect(withOpenPassword(() => vault, sealed).password).toBe('hunter2');
    expect(withSealedPassword(vault, { jdbcUrl: 'jdbc:postgresql://db/shop?password=x' }).jdbcUrl).toBe(
      'jdbc:postgresql://db/shop',
    );
  });

  it('is absent where there is no password, and a plain password is returned without the vault', () => {
    const none = { jdbcUrl: 'jdbc:duckdb:data/shop.duckdb', username: undefined, password: undefined };
    expect(withSealedPassword(vault, none)).toEqual(none);
    const unused = (): never => {
      throw new Error('the vault is not needed');
    };
    expect(withOpenPassword(unused, ADDRESS)).toEqual(ADDRESS);
  });
});
