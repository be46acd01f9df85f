import { expect, test } from 'vitest';
import { KEY_SCOPE_NAMES, KEY_SCOPES, scopeOfOperation } from './key-scopes.ts';

test('a plugin belongs to one scope', () => {
  const plugins: readonly string[] = KEY_SCOPE_NAMES.flatMap((name) => KEY_SCOPES[name].plugins);
  expect(new Set(plugins).size).toBe(plugins.length);
});

test.each([
  ['semantic.query', 'query'],
  ['embed.createToken', 'embeds'],
  ['accounts.addUser', 'administration'],
  // A plugin that no list has yet is closed to narrow keys.
  ['newcomer.read', 'administration'],
  ['identity.session', undefined],
])('%s needs the scope %s', (procedure, scope) => {
  expect(scopeOfOperation(procedure)).toBe(scope);
});
