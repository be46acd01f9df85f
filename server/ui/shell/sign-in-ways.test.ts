import { expect, test } from 'vitest';
import { Client } from '../api-client/client.ts';
import { buildSingleSignOnAddress, readRefusal, readSignInWays, removeRefusal } from './sign-in-ways.ts';

function clientAnswering(json: unknown) {
  const paths: string[] = [];
  const client = new Client({
    fetch: async (path) => {
      paths.push(path);
      return Response.json(json);
    },
    cookies: () => '',
  });
  return { paths, client };
}

test('without an identity provider the form is the only way', async () => {
  const { paths, client } = clientAnswering({ singleSignOn: null });
  expect(await readSignInWays(client, undefined)).toEqual({ singleSignOn: undefined, refusal: undefined });
  expect(paths).toEqual(['/login/ways']);
});

test('the code of a failed sign-in gives its message', async () => {
  const { paths, client } = clientAnswering({ singleSignOn: { label: 'Corp', path: '/login/oidc' }, refusal: 'No.' });
  expect(await readSignInWays(client, 'name_taken')).toEqual({
    singleSignOn: { label: 'Corp', path: '/login/oidc' },
    refusal: 'No.',
  });
  expect(paths).toEqual(['/login/ways?refusal=name_taken']);
});

test('the code is removed from the address of the page, so that its message appears once', () => {
  expect(readRefusal('?sign-in=expired&a=1')).toBe('expired');
  expect(readRefusal('?a=1')).toBeUndefined();
  expect(removeRefusal('http://h/ui/?sign-in=expired&a=1#x')).toBe('/ui/?a=1#x');
});

test('the link to the provider returns to the page', () => {
  expect(buildSingleSignOnAddress({ label: 'Corp', path: '/login/oidc' }, 'http://h/ui/view/?path=a b#c')).toBe(
    '/login/oidc?next=%2Fui%2Fview%2F%3Fpath%3Da%2520b%23c',
  );
});
