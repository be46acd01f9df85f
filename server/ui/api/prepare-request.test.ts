import { expect, test } from 'vitest';
import { prepareRequest } from './prepare-request.ts';

const COOKIES = 'XSRF-TOKEN=t-1';

test('a repository path keeps its slashes, a query parameter keeps its encoding', () => {
  const { url } = prepareRequest(
    { url: 'http://localhost:8080/rest/service/api/repository/shared%2Fdemo%2fa%20b.service?path=x%2Fy' },
    '',
  );
  expect(url).toBe('http://localhost:8080/rest/service/api/repository/shared/demo/a%20b.service?path=x%2Fy');
});

test('a write carries the CSRF token, a read does not', () => {
  expect(prepareRequest({ url: '/x', method: 'DELETE' }, COOKIES).headers?.['X-XSRF-TOKEN']).toBe('t-1');
  expect(prepareRequest({ url: '/x', method: 'get' }, COOKIES).headers).not.toHaveProperty('X-XSRF-TOKEN');
  expect(prepareRequest({ url: '/x' }, COOKIES).headers).not.toHaveProperty('X-XSRF-TOKEN');
});

test('existing headers stay', () => {
  expect(prepareRequest({ url: '/x', method: 'POST', headers: { Accept: 'text/markdown' } }, COOKIES).headers).toEqual({
    Accept: 'text/markdown',
    'X-Requested-With': 'XMLHttpRequest',
    'X-XSRF-TOKEN': 't-1',
  });
});
