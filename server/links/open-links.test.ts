/** Downloads from a server of this machine, which is named, and from hosts that are not. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAllowed, parseAllowedLink } from './allowed-links.ts';
import { openLinks } from './open-links.ts';

const CSV = 'id,amount\n1,2.50\n';
let server: Server;
let origin: string;
let directory: string;

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [path = ''] = url.split('?');
  if (path === '/exports/orders.csv') response.writeHead(200, { 'content-type': 'text/csv' }).end(CSV);
  else if (path === '/exports/named')
    response.writeHead(200, { 'content-disposition': "attachment; filename*=UTF-8''Ums%C3%A4tze.csv" }).end(CSV);
  else if (path === '/exports/typed') response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  else if (path === '/exports/moved.csv') response.writeHead(302, { location: '/exports/orders.csv' }).end();
  else if (path === '/exports/out.csv') response.writeHead(302, { location: '/private/orders.csv' }).end();
  else if (path === '/exports/away.csv') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  else if (path === '/exports/round.csv') response.writeHead(302, { location: '/exports/round.csv' }).end();
  else if (path === '/exports/page.csv') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>');
  else if (path === '/exports/long.csv') {
    response.writeHead(200, { 'content-type': 'text/csv' });
    for (let part = 0; part < 40; part++) response.write('x'.repeat(100));
    response.end();
  } else response.writeHead(path === '/exports/signed.csv' ? 403 : 404).end();
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'service-links-'));
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

function links({ privateHosts = ['127.0.0.1'], allow = [`${origin}/exports/`] } = {}) {
  return openLinks({
    allow,
    privateHosts,
    denyHosts: [],
    ownPort: 1,
    maxBytes: 1_000,
    directory,
    freeSpace: { requireRoomFor: async () => undefined },
    resolve: async () => ['10.1.2.3'],
  });
}

async function refusal(link: string, options: Parameters<typeof links>[0] = {}): Promise<string> {
  return links(options)
    .fetch([link], undefined)
    .then(
      () => 'nothing was refused',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
}

it('downloads files under their names, and removes them when they are released', async () => {
  const fetched = await links().fetch(
    ['orders.csv', 'named', 'typed', 'moved.csv?key=1'].map((each) => `${origin}/exports/${each}`),
    undefined,
  );
  expect(fetched.files.map(({ name, size }) => [name, size])).toEqual([
    ['orders.csv', CSV.length],
    ['Umsätze.csv', CSV.length],
    ['typed.json', 2],
    ['orders.csv', CSV.length],
  ]);
  expect(readFileSync(fetched.files[0]?.path ?? '', 'utf8')).toBe(CSV);
  await fetched.release();
  expect(readdirSync(directory)).toEqual([]);
});

it('has one signature for equal files', async () => {
  const signature = async (...names: string[]) =>
    (
      await links().fetch(
        names.map((each) => `${origin}/exports/${each}`),
        undefined,
      )
    ).signature;
  expect(await signature('orders.csv')).toBe(await signature('moved.csv'));
  expect(await signature('orders.csv')).not.toBe(await signature('named'));
});

it.each([
  ['/private/orders.csv', /is not allowed/],
  ['/exports/../private/orders.csv', /is not allowed/],
  ['/exports/..%2fprivate/orders.csv', /is not allowed/],
  ['/exports/out.csv', /redirects to .* which is not allowed/],
  ['/exports/away.csv', /redirects to http:\/\/169\.254\.169\.254, which is not allowed/],
  ['/exports/round.csv', /redirects more than 5 times/],
  ['/exports/page.csv', /leads to a web page/],
  ['/exports/none.csv', /was answered 404: there is no such file/],
  ['/exports/signed.csv?key=secret', /was answered 403: its server asks for a sign-in/],
  ['/exports/long.csv', /is larger than/],
])('refuses %s with the reason', async (path, message) => {
  const refused = await refusal(`${origin}${path}`);
  expect(refused).toMatch(message);
  expect(refused).not.toContain('secret');
});

it('leaves no file of a download that was refused', async () => {
  const before = readdirSync(directory).length;
  await refusal(`${origin}/exports/long.csv`);
  expect(readdirSync(directory)).toHaveLength(before);
});

it('refuses private addresses that are not named, also of an allowed host', async () => {
  expect(await refusal(`${origin}/exports/orders.csv`, { privateHosts: [] })).toMatch(/leads to a private network/);
  expect(await refusal('https://files.example.com/a.csv', { allow: ['files.example.com'] })).toMatch(
    /leads to a private network/,
  );
});

it('refuses every link where none is allowed, and credentials in a link', async () => {
  expect(await refusal(`${origin}/exports/orders.csv`, { allow: [] })).toMatch(/Links are not allowed on this server/);
  expect(await refusal(`${origin.replace('//', '//ann:word@')}/exports/orders.csv`)).toMatch(/without a user name/);
  expect(await refusal('file:///etc/passwd')).toMatch(/begins with https/);
});

it.each([
  ['files.example.com', 'https://files.example.com/any/a.csv', true],
  ['files.example.com', 'http://files.example.com/a.csv', false],
  ['files.example.com', 'https://files.example.com:8443/a.csv', false],
  ['files.example.com', 'https://files.example.com.evil.test/a.csv', false],
  ['*.example.com', 'https://deep.files.example.com/a.csv', true],
  ['*.example.com', 'https://example.com/a.csv', false],
  ['*.example.com', 'https://evilexample.com/a.csv', false],
  ['https://files.example.com/exports', 'https://files.example.com/exports/a.csv', true],
  ['https://files.example.com/exports', 'https://files.example.com/exports-old/a.csv', false],
  ['https://files.example.com/exports/', 'https://files.example.com/a.csv', false],
])('%s for %s: %s', (entry, link, isFine) => {
  const allowed = parseAllowedLink(entry);
  expect(allowed !== undefined && isAllowed(new URL(link), [allowed])).toBe(isFine);
});

it.each(['ftp://files.example.com', 'https://ann:word@files.example.com', 'https://'])('%s is no entry', (entry) => {
  expect(parseAllowedLink(entry)).toBeUndefined();
});
