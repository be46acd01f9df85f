import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'tx-';
const BYTES = 32;

/** Returns a new token: `tx-` and 256 random bits in Base64-URL. It says nothing of what it opens. */
export function newToken(): string {
  return PREFIX + randomBytes(BYTES).toString('base64url');
}

/** What is kept of a token. Without salt or stretching: 256 random bits cannot be guessed from their hash. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** True for a token's text, false for the id of a token. */
export function looksLikeToken(text: string): boolean {
  return text.startsWith(PREFIX);
}
