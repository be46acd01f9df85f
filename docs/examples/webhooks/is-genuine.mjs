import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns whether a delivery is from the server that has the secret, and not older than five minutes. `body` is the text as it came. */
export function isGenuine(headers, body, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers;
  if (Math.abs(Date.now() / 1000 - Number(at)) > 300) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest();
  return signatures.split(' ').some((each) => {
    const signature = Buffer.from(each.slice('v1,'.length), 'base64');
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}
