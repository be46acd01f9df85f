import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openVault, vaultKey } from './vault.ts';

describe('the vault', () => {
  const vault = openVault(randomBytes(32));

  it('opens its sealed texts, only in the same context', () => {
    const sealed = vault.seal('pässword', 'tenant/connection');
    expect(sealed).not.toContain('pässword');
    expect(vault.open(sealed, 'tenant/connection')).toBe('pässword');
    expect(vault.open(sealed, 'other/connection')).toBeUndefined();
  });

  it('seals the same text differently each time', () => {
    expect(vault.seal('a', 'x')).not.toBe(vault.seal('a', 'x'));
  });

  it('refuses a text that was changed, truncated or sealed with another key', () => {
    const sealed = vault.seal('secret', 'x');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(vault.open(`v1.${changed.toString('base64url')}`, 'x')).toBeUndefined();
      expect(vault.open(`v1.${bytes.subarray(0, at).toString('base64url')}`, 'x')).toBeUndefined();
    }
    expect(openVault(randomBytes(32)).open(sealed, 'x')).toBeUndefined();
    expect(vault.open('no sealed text', 'x')).toBeUndefined();
  });

  it('has one key in a home, readable only by its owner', () => {
    const folder = mkdtempSync(join(tmpdir(), 'service-vault-'));
    const file = join(folder, 'secrets.key');
    const key = vaultKey('', file);
    expect(key).toHaveLength(32);
    expect(vaultKey('', file)).toEqual(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const configured = randomBytes(32);
    expect(vaultKey(configured.toString('base64'), file)).toEqual(configured);
    rmSync(folder, { recursive: true });
  });
});
