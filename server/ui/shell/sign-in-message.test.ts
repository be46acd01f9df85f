import { expect, test } from 'vitest';
import { RequestFailedError } from '../api-client/client.ts';
import { describeSignInFailure } from './sign-in-message.ts';

const refused = (status: number | undefined, retryAfterSeconds?: number) =>
  new RequestFailedError('From the server.', { status, retryAfterSeconds });

test('wrong credentials are reported without naming the wrong part', () => {
  expect(describeSignInFailure(refused(401))).toBe('The user name or the password is wrong.');
});

test.each([
  [1, 'in 1 second'],
  [45, 'in 45 seconds'],
  [60, 'in 1 minute'],
  [61, 'in 2 minutes'],
  [900, 'in 15 minutes'],
])('too many attempts with %i seconds to wait show %s', (seconds, words) => {
  expect(describeSignInFailure(refused(429, seconds))).toBe(`Too many attempts. Try again ${words}.`);
});

test('too many attempts without a time give "later"', () => {
  expect(describeSignInFailure(refused(429))).toBe('Too many attempts. Try again later.');
});

test('any other failure keeps its message', () => {
  expect(describeSignInFailure(refused(500))).toBe('From the server.');
  expect(describeSignInFailure(refused(undefined))).toBe('From the server.');
});
