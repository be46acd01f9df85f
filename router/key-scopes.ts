/** The scopes of API keys: each is a part of the API, a list of plugins. A plugin in no list belongs to `administration`. */
export const KEY_SCOPES = {
  query: {
    title: 'Ask data',
    description: 'Describe and query semantic models and cubes, also in words and as an agent.',
    plugins: ['semantic', 'cube', 'semanticAsk', 'cubeAsk', 'skills'],
  },
  documents: {
    title: 'Documents',
    description: 'Read, write and show saved queries, dashboards and ask boxes.',
    plugins: ['repository', 'view'],
  },
  embeds: {
    title: 'Embeds',
    description: 'Make, list and revoke embed tokens and public grants.',
    plugins: ['embed'],
  },
  data: {
    title: 'Data and models',
    description: 'Bring data in, and change datasources, connections and models.',
    plugins: ['datasources', 'data', 'modelDocuments', 'askedQuestions', 'inference', 'designer'],
  },
  administration: {
    title: 'Administration',
    description: 'Users, API keys, tenants, webhooks, the audit log, running queries and billing.',
    plugins: ['accounts', 'agents', 'audit', 'tenants', 'activity', 'billing', 'webhooks'],
  },
} as const;

export type KeyScope = keyof typeof KEY_SCOPES;

export const KEY_SCOPE_NAMES = Object.keys(KEY_SCOPES) as readonly KeyScope[];

/** Every key may learn its own identity. */
const ALWAYS = 'identity';

/**
 * Returns the scope that an operation belongs to; undefined for one that every key may call.
 *
 * @param procedure its path in the router: `semantic.query`
 */
export function scopeOfOperation(procedure: string): KeyScope | undefined {
  const [plugin = ''] = procedure.split('.');
  if (plugin === ALWAYS) return undefined;
  const scope = KEY_SCOPE_NAMES.find((name) => KEY_SCOPES[name].plugins.some((each) => each === plugin));
  return scope ?? 'administration';
}
