/** Tests that pages work at every depth: their relative addresses lead to the same files, and an address without a page says so. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE_LIST, pageFile } from '../ui/pages.ts';
import { missingPage, pages } from './static-files.ts';

const HTML =
  '<link href="../assets/a.css"><script src="../theme.js"></script><script src="./own.js"></script><a href="../../rest/x">x</a><a href="#main">y</a>';
const HOME = '<script src="./assets/home.js"></script>';

let directory: string;
let server: Server;
let origin: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'service-pages-'));
  for (const { name } of PAGE_LIST) {
    mkdirSync(join(directory, pageFile(name), '..'), { recursive: true });
    writeFileSync(join(directory, pageFile(name)), name === 'home' ? HOME : `${HTML}<title>${name}</title>`);
  }
  const app = express();
  app.use('/in/ui', pages(directory), missingPage(directory), (_request, response) => {
    response.status(404).json({ error: 'NOT_FOUND' });
  });
  await new Promise<void>((resolve) => {
    server = app.listen(0, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

const get = (path: string, accept = 'text/html') => fetch(origin + path, { headers: { accept }, redirect: 'manual' });

/** Returns the absolute paths that a browser makes of the addresses in a page. */
async function pathsIn(path: string): Promise<readonly string[]> {
  const html = await (await get(path)).text();
  return [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(
    ([, address = '']) => new URL(address, origin + path).pathname,
  );
}

test('the addresses in the home page lead to its files', async () => {
  expect(await pathsIn('/in/ui/')).toEqual(['/in/ui/assets/home.js']);
});

test.each(PAGE_LIST.filter(({ name, below }) => name !== 'home' && below !== 'only'))(
  'the addresses in $path lead to its files',
  async ({ path, name }) => {
    expect(await pathsIn(`/in${path}`)).toEqual([
      '/in/ui/assets/a.css',
      '/in/ui/theme.js',
      `/in/ui/${name}/own.js`,
      '/in/rest/x',
    ]);
  },
);

test.each(PAGE_LIST.filter(({ below }) => below !== undefined))(
  'the addresses below $path lead to the same files',
  async ({ path, name }) => {
    for (const rest of ['a', 'a/', 'a/b%2Fc', 'a/ui/assets/b'])
      expect(await pathsIn(`/in${path}${rest}`)).toEqual([
        '/in/ui/assets/a.css',
        '/in/ui/theme.js',
        `/in/ui/${name}/own.js`,
        '/in/rest/x',
      ]);
  },
);

test.each([
  ['/in/ui', '/in/ui/'],
  ['/in/ui/api?x=1', '/in/ui/api/?x=1'],
])('%s redirects to %s', async (path, address) => {
  const response = await get(path);
  expect([response.status, response.headers.get('location')]).toEqual([301, address]);
});

test('an address without a page is explained to people, and is an error for programs', async () => {
  const page = await get('/in/ui/no/such/page');
  expect([page.status, page.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(await page.text()).toContain('<title>not-found</title>');
  expect(await pathsIn('/in/ui/no/such/page')).toContain('/in/ui/theme.js');
  const program = await get('/in/ui/no/such/page', '*/*');
  expect([program.status, await program.json()]).toEqual([404, { error: 'NOT_FOUND' }]);
});

test('an unchanged page is not sent again', async () => {
  const tag = (await get('/in/ui/api/')).headers.get('etag') ?? '';
  const again = await fetch(`${origin}/in/ui/api/`, {
    headers: { 'if-none-match': tag, 'cache-control': 'max-age=0' },
  });
  expect(again.status).toBe(304);
});
