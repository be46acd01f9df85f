import { expect, test } from 'vitest';
import type { DocumentEntry } from '../documents/document-entries.ts';
import { usesOf, usesWords } from './document-uses.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
const later = new Date('2026-03-02T00:00:00Z');
const board = (path: string, queries: readonly string[]): DocumentEntry => ({
  path,
  kind: 'dashboard',
  title: path,
  updatedAt: NOW,
  queries,
});
const token = (path: string, more: object = {}) => ({
  id: path,
  kind: 'query' as const,
  path,
  label: '',
  createdAt: NOW,
  expiresAt: later,
  revoked: false,
  lastUsedAt: undefined,
  ...more,
});

test('a query is used by dashboards with its tiles, by tokens that open it now, and by everybody while it is public', () => {
  const entries = [board('a.servicedash', ['x.service', 'y.service']), board('b.servicedash', ['y.service'])];
  const tokens = [
    token('x.service'),
    token('x.service', { revoked: true }),
    token('x.service', { expiresAt: NOW }),
    token('y.service'),
  ];
  const grants = [{ kind: 'query' as const, path: 'y.service', owner: 'ana', isOwn: true, createdAt: NOW }];
  const words = (path: string) => usesWords(usesOf({ path }, entries, { tokens, grants }, NOW));
  expect(words('x.service')).toBe('1 dashboard · 1 token');
  expect(words('y.service')).toBe('2 dashboards · 1 token · public');
  expect(words('z.service')).toBe('');
});
