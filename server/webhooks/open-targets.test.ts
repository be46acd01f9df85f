/** Posts to a server of this machine, which is named, and refuses addresses that are not. */
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTargets } from './open-targets.ts';

const received: { readonly method: string; readonly body: string; readonly signature: string }[] = [];
let server: Server;
let port = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      received.push({ method: request.method ?? '', body, signature: String(request.headers['webhook-signature']) });
      if (request.url === '/silent') return;
      if (request.url === '/moved') response.writeHead(302, { location: '/hook' }).end();
      else response.writeHead(202).end('x'.repeat(100_000));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const targets = (privateHosts: readonly string[] = ['127.0.0.1'], addresses = ['93.184.216.34']) =>
  openTargets({ privateHosts, denyHosts: [], ownPort: 1, resolve: async () => addresses });
const post = (path: string, signal = new AbortController().signal, of = targets()) =>
  of.post(`http://127.0.0.1:${port}${path}`, { 'webhook-signature': 'v1,abc' }, '{"a":1}', signal);
const refusal = (url: string, of = targets([])) =>
  of.check(url).then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

it('posts the body with its headers, and returns the status', async () => {
  expect(await post('/hook')).toEqual({ status: 202 });
  expect(received.at(-1)).toEqual({ method: 'POST', body: '{"a":1}', signature: 'v1,abc' });
});

it('follows no redirect', async () => {
  expect(await post('/moved')).toEqual({ status: 302 });
  expect(received.at(-1)).toMatchObject({ method: 'POST' });
});

it('reports a target that does not answer', async () => {
  const stop = new AbortController();
  const silent = post('/silent', stop.signal);
  while (received.at(-1)?.method !== 'POST') await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect(await silent).toEqual({ reason: 'It did not answer in time.' });
  server.closeAllConnections();
});

it('refuses private addresses when a target is saved, and again when it is sent', async () => {
  expect(await refusal(`http://127.0.0.1:${port}/hook`)).toContain('private network');
  expect(await refusal('https://hooks.example.com/', targets([], ['10.0.0.1']))).toContain('private network');
  expect(await refusal('https://169.254.169.254/')).toContain('private network');
  const before = received.length;
  expect(await post('/hook', undefined, targets([]))).toMatchObject({ reason: expect.stringContaining('private') });
  expect(received).toHaveLength(before);
});

it.each([
  ['ftp://hooks.example.com/', 'begins with https'],
  ['no address', 'begins with https'],
  ['https://ann:word@hooks.example.com/', 'without a user name'],
  ['http://hooks.example.com/', 'by https:// only'],
])('%s is refused', async (url, message) => {
  expect(await refusal(url)).toContain(message);
});

it('accepts an address of the web, and one of the own network that is named', async () => {
  expect(await refusal('https://hooks.example.com/in?key=1')).toBe('nothing was refused');
  expect(await refusal(`http://127.0.0.1:${port}/hook`, targets())).toBe('nothing was refused');
});
