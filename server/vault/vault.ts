import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Vault } from '../../router/capabilities/vault.ts';
import type { Config } from '../config/settings.ts';
import type { Home } from '../home-directory/home-directory.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Prefix of the encryption scheme, so that another scheme can follow. */
const SCHEME = 'v1.';

/**
 * Opens the vault of a key: AES-256-GCM (NIST SP 800-38D) with a random nonce for each text, and its context as
 * additional authenticated data.
 */
export function openVault(key: Buffer): Vault {
  if (key.length !== KEY_BYTES) throw new Error(`the key of the vault has ${key.length} bytes, not ${KEY_BYTES}`);
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return SCHEME + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed, context) {
      if (!sealed.startsWith(SCHEME)) return undefined;
      const bytes = Buffer.from(sealed.slice(SCHEME.length), 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
      } catch {
        // The tag does not fit: another key or context, or a changed text.
        return undefined;
      }
    },
  };
}

/** Opens the vault of an installation. */
export function homeVault({ data }: Pick<Home, 'data'>, config: Pick<Config, 'service.secrets.key'>): Vault {
  return openVault(vaultKey(config['service.secrets.key'], join(data, 'secrets.key')));
}

/** Returns the key of the settings, or the key in the file, which is created with a random key when it is missing. */
export function vaultKey(configured: string, file: string): Buffer {
  if (configured !== '') return Buffer.from(configured, 'base64');
  const read = (): Buffer => Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  try {
    return read();
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
  try {
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // Another process of the same home was faster.
    if (!isCode(error, 'EEXIST')) throw error;
  }
  return read();
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
