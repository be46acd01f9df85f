import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Home, locateHome } from './home-directory.ts';
import { announceServer, runningServer, serverUrl } from './running-address.ts';

let home: Home;
let url: string;
const server = createServer((request, response) => {
  response.writeHead(request.url === '/analytics/healthz' ? 200 : 404).end();
});

beforeAll(async () => {
  home = locateHome(mkdtempSync(join(tmpdir(), 'service-address-')));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/analytics`;
});
afterAll(() => {
  server.close();
  rmSync(home.root, { recursive: true });
});

test('commands find the server of their home by its announcement, until it stops', async () => {
  expect(await runningServer(home)).toBeUndefined();
  const withdraw = announceServer(home, url);
  expect(await runningServer(home)).toBe(url);
  withdraw();
  expect(await runningServer(home)).toBeUndefined();
});

test('the announcement of a killed server is ignored', async () => {
  const withdraw = announceServer(home, 'http://127.0.0.1:9/');
  expect(await runningServer(home)).toBeUndefined();
  withdraw();
});

test('a server withdraws only its own announcement', async () => {
  const withdraw = announceServer(home, url);
  writeFileSync(join(home.root, 'server-address'), JSON.stringify({ url, process: process.pid + 1 }));
  withdraw();
  expect(await runningServer(home)).toBe(url);
});

test.each(['', 'half a li', '{"url":"file:///etc/passwd","process":1}', '[]'])(
  'an announcement with the content %j is ignored',
  async (text) => {
    writeFileSync(join(home.root, 'server-address'), text);
    expect(await runningServer(home)).toBeUndefined();
  },
);

test.each([
  ['127.0.0.1', 'http://localhost:8080/base'],
  ['0.0.0.0', 'http://localhost:8080/base'],
  ['::', 'http://localhost:8080/base'],
  ['192.0.2.7', 'http://192.0.2.7:8080/base'],
  ['2001:db8::7', 'http://[2001:db8::7]:8080/base'],
  ['analytics.example', 'http://analytics.example:8080/base'],
])('a server that listens on %s is reached at %s', (host, expected) => {
  expect(serverUrl(host, 8080, '/base')).toBe(expected);
});
