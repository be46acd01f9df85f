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

test('the words of the server are shown, but for a rejected CSRF token, which says nothing to a reader', () => {
  expect(toShareError(failed(403, 'FORBIDDEN')).message).toBe('From the server.');
  expect(toShareError(failed(403, 'CSRF_REJECTED')).message).toBe('Reload the page, then try again.');
});

test('an answer of another form is told in its own words', () => {
  expect(toShareError(new Error('Odd.'))).toMatchObject({ kind: 'other', message: 'Odd.' });
});
