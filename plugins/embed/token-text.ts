import { hash, randomBytes } from 'node:crypto';

const PREFIX = 'tx-';
const BYTES = 32;

/** Returns a new token: `tx-` and 256 random bits in Base64-URL. The text reveals nothing about its document. */
export function newToken(): string {
  return PREFIX + randomBytes(BYTES).toString('base64url');
}

/** Hashes a token for storage. Without salt or stretching: 256 random bits cannot be guessed from their hash. */
export function hashOfToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Distinguishes a token's text from the id of a token. */
export function looksLikeToken(text: string): boolean {
  return text.startsWith(PREFIX);
}
