import { expect, test } from 'vitest';
import { RequestFailedError } from '../api-client/client.ts';
import { toShareError } from './share-error.ts';

const failed = (status: number | undefined, code?: string) =>
  new RequestFailedError('From the server.', { status, code });

test.each([
  [401, 'UNAUTHENTICATED', 'signed-out'],
  [403, 'FORBIDDEN', 'forbidden'],
  [404, 'NOT_FOUND', 'gone'],
  [409, 'TOKEN_LIMIT', 'limit'],
  [409, 'GRANT_EXISTS', 'public-already'],
  [500, 'INTERNAL', 'other'],
  [undefined, undefined, 'unreachable'],
] as const)('status %s with code %s is %s', (status, code, kind) => {
  expect(toShareError(failed(status, code)).kind).toBe(kind);
});

test("the server's message is shown, except for a rejected CSRF token, which a reader cannot interpret", () => {
  expect(toShareError(failed(403, 'FORBIDDEN')).message).toBe('From the server.');
  expect(toShareError(failed(403, 'CSRF_REJECTED')).message).toBe('Reload the page, then try again.');
});

test('an unexpected answer has its own message', () => {
  expect(toShareError(new Error('Odd.'))).toMatchObject({ kind: 'other', message: 'Odd.' });
});
