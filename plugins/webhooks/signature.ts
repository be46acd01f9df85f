/**
 * Signs deliveries by the rules of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over the id, the time and
 * the body, so that receivers may check them with any of its libraries. Pure.
 */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface SignedMessage {
  readonly id: string;
  /** The time of the attempt in seconds: a receiver refuses an old one, so that nobody can send a message again. */
  readonly timestampSeconds: number;
  readonly body: string;
}

/** Returns the headers of a delivery. With several secrets, a receiver accepts a signature by any of them. */
export function signedHeaders(
  { id, timestampSeconds, body }: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
