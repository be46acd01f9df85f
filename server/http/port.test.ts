import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type OpenPort, openPort } from './port.ts';

let port: OpenPort | undefined;
afterEach(async () => {
  await port?.stop(0);
});

test('until the server is ready, the process reports that it is alive and what is missing; then the server answers', async () => {
  port = await openPort('127.0.0.1', 0);
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port?.port}${path}`);
    return { status: response.status, after: response.headers.get('retry-after'), body: await response.json() };
  };
  expect(await get('/healthz')).toEqual({ status: 200, after: null, body: { status: 'OK' } });
  expect(await get('/readyz?x')).toEqual({
    status: 503,
    after: '1',
    body: { status: 'NOT_READY', missing: ['state', 'datasources'] },
  });
  expect(await get('/rest/service/api/ai/cubes')).toMatchObject({
    status: 503,
    after: '1',
    body: { error: 'STARTING' },
  });
  const page = await fetch(`http://127.0.0.1:${port.port}/ui/`, { headers: { accept: 'text/html,*/*' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('<meta http-equiv="refresh" content="1">');
  port.serve((_, response) => response.end('{"here":true}'));
  expect(await get('/readyz')).toMatchObject({ status: 200, body: { here: true } });
});

test('a taken port is reported with what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const address = other.address();
  const taken = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(openPort('127.0.0.1', taken)).rejects.toThrow(`Port ${taken} is taken; choose another with --port N.`);
  other.close();
});

test('an address of another machine is reported with what to do', async () => {
  await expect(openPort('192.0.2.1', 0)).rejects.toThrow('192.0.2.1 is not an address of this machine');
});
