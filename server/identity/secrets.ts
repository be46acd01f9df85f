import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { State } from '../../router/capabilities/state.ts';
import type { IdentityTables } from './tables.ts';

/**
 * Makes a secret of 256 random bits as 43 characters of Base64-URL: long enough that a fast hash of it cannot be
 * searched.
 */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns whether `text` has the form of `randomSecret`, so that looking it up makes sense. */
export function isRandomSecret(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Letters and digits that people do not confuse when they read them from a screen. */
const READABLE = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** Returns a password of 24 readable characters, about 139 bits. */
export function generatePassword(): string {
  return Array.from({ length: 24 }, () => READABLE.charAt(randomInt(READABLE.length))).join('');
}

/**
 * Returns SHA-256 of the text's UTF-8, in hex. For random secrets and look-up keys; passwords go through
 * `PasswordHashing`.
 */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Compares in a time that does not depend on where two texts differ. Their length is not a secret. */
export function equalInConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8')];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns a secret that all nodes share. The first call creates it. */
export async function sharedSecret(state: State, name: string): Promise<Buffer> {
  const tables = state.tables<IdentityTables>();
  await tables
    .insertInto('server_secrets')
    .values({ name, value: randomSecret() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { value } = await tables
    .selectFrom('server_secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return Buffer.from(value, 'base64url');
}
