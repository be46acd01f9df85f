import { expect, test } from 'vitest';
import { parseGrants, parseTokens } from './tokens-and-grants.ts';

const token = {
  id: 't1',
  resourceKind: 'dashboard',
  resourcePath: 'shared/a.servicedash',
  label: 'Portal',
  owner: 'ana',
  createdAt: '1970-01-01T00:00:01.000Z',
  expiresAt: '1970-01-01T00:00:03.000Z',
  revoked: false,
  lastUsedAt: '1970-01-01T00:00:02.000Z',
};

test('a token is read with its times', () => {
  expect(parseTokens([token])).toEqual([
    {
      id: 't1',
      kind: 'dashboard',
      path: 'shared/a.servicedash',
      label: 'Portal',
      createdAt: new Date(1_000),
      expiresAt: new Date(3_000),
      revoked: false,
      lastUsedAt: new Date(2_000),
    },
  ]);
});

test('a token without a label or a use has neither', () => {
  expect(parseTokens([{ ...token, label: null, lastUsedAt: null }])).toMatchObject([
    { label: '', lastUsedAt: undefined },
  ]);
});

test.each([
  ['a time that is none', [{ ...token, expiresAt: 'soon' }]],
  ['an unknown kind', [{ ...token, resourceKind: 'report' }]],
  ['an error body', { error: 'INTERNAL' }],
])('%s is refused', (_, json) => {
  expect(() => parseTokens(json)).toThrow('an unexpected answer');
});

test('a public grant is read', () => {
  expect(
    parseGrants([
      {
        resourceKind: 'query',
        resourcePath: 'a.service',
        label: null,
        owner: 'ana',
        isOwn: true,
        createdAt: '1970-01-01T00:00:01.000Z',
      },
    ]),
  ).toEqual([{ kind: 'query', path: 'a.service', owner: 'ana', isOwn: true, createdAt: new Date(1_000) }]);
});
