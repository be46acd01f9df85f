import { expect, test } from 'vitest';
import { Client } from '../api-client/client.ts';
import { parseDocuments, readDocuments } from './document-entries.ts';

const at = '2026-11-20T08:00:00.000Z';
const query = (title: string) => ({ path: `shared/${title}.service`, kind: 'query', title, updatedAt: at });

test('documents are sorted by title as people sort', () => {
  expect(parseDocuments([query('beta'), query('Zeta'), query('Álpha')]).map(({ title }) => title)).toEqual([
    'Álpha',
    'beta',
    'Zeta',
  ]);
});

test('the time of a change is an instant', () => {
  expect(parseDocuments([query('a')])[0]?.updatedAt.getTime()).toBe(Date.UTC(2026, 10, 20, 8));
});

test('an unknown kind is refused', () => {
  expect(() => parseDocuments([{ ...query('a'), kind: 'notebook' }])).toThrow(
    'kind is not one of dashboard, ai, query',
  );
});

test('dashboards come before ask boxes, and ask boxes before queries', async () => {
  const answers: Readonly<Record<string, unknown>> = {
    '/rest/service/api/repository?kind=query': [query('a')],
    '/rest/service/api/repository?kind=ai': [{ path: 'shared/y.serviceask', kind: 'ai', title: 'y', updatedAt: at }],
    '/rest/service/api/repository?kind=dashboard': [
      { path: 'shared/z.servicedash', kind: 'dashboard', title: 'z', updatedAt: at },
    ],
  };
  const client = new Client({ cookies: () => '', fetch: async (path) => Response.json(answers[path]) });
  expect((await readDocuments(client, new AbortController().signal)).map(({ kind }) => kind)).toEqual([
    'dashboard',
    'ai',
    'query',
  ]);
});
