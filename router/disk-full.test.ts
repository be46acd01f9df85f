import { expect, it } from 'vitest';
import { isDiskFull } from './disk-full.ts';
import { InternalError } from './errors.ts';
import { toServiceError } from './to-service-error.ts';

it.each([
  ['the operating system', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })],
  ['a quota', Object.assign(new Error('write'), { code: 'EDQUOT' })],
  ['SQLite', Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })],
  ['SQLite without a code', new Error('database or disk is full')],
  ['PostgreSQL', Object.assign(new Error('could not write'), { code: '53100' })],
  ['DuckDB', new Error('IO Error: Could not write file "/x/made.duckdb": No space left on device')],
  ['what another error wraps', new InternalError('An upload failed.', { cause: new Error('no space left on device') })],
])("a full disk, as %s reports it, is a 503 with an explanation, without the engine's text", (_who, error) => {
  expect(isDiskFull(error)).toBe(true);
  const answered = toServiceError(error);
  expect([answered.status, answered.code]).toEqual([503, 'STORAGE_FULL']);
  expect(answered.message).toContain('disk of this server is full');
  expect(answered.message).not.toContain('/x/');
});

it('any other failure stays an internal error', () => {
  expect(toServiceError(new Error('disk I/O error')).status).toBe(500);
  expect(isDiskFull('no space left on device')).toBe(false);
});
