/** Tests hosts of warehouses: they are refused by their addresses, after name resolution and again when connecting. */
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptLog } from '../../router/testing/kept-log.ts';
import { NetworkGuard, type NetworkGuardOptions } from './network-guard.ts';
import { type OpenWarehouses, openWarehouses } from './open-warehouses.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'db.example.com': ['203.0.113.7'],
  'inside.example.com': ['10.1.2.3'],
  'half.example.com': ['203.0.113.7', '127.0.0.1'],
  'nowhere.example.com': [],
};
const guard = (options: Partial<NetworkGuardOptions> = {}) =>
  new NetworkGuard({
    allowHosts: [],
    denyHosts: [],
    isHosted: true,
    ownPort: 8080,
    resolve: async (host) => NAMES[host] ?? [host],
    ...options,
  });

describe('in hosted mode', () => {
  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '169.254.169.254',
    '100.100.100.200',
    '::1',
    '[::1]',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'inside.example.com',
    'INSIDE.example.com.',
    'half.example.com',
  ])('%s is refused', async (host) => {
    await expect(guard().addressOf(host, 5432)).rejects.toThrow('service.connections.allowHosts');
  });

  // As the system's resolver interprets them.
  it.each(['2130706433', '0x7f.1', '0177.0.0.1', '127.1', 'localhost'])(
    '%s is this machine, and is refused',
    async (host) => {
      const real = new NetworkGuard({ allowHosts: [], denyHosts: [], isHosted: true, ownPort: 8080 });
      await expect(real.addressOf(host, 5432)).rejects.toThrow('service.connections.allowHosts');
    },
  );

  it.each([
    ['db.example.com', '203.0.113.7'],
    ['203.0.113.9', '203.0.113.9'],
    ['172.32.0.1', '172.32.0.1'],
    ['2001:db8::7', '2001:db8::7'],
    ['nowhere.example.com', undefined],
  ])('%s is connected to at %s', async (host, address) => {
    expect(await guard().addressOf(host, 5432)).toBe(address);
  });

  it.each([
    ['inside.example.com', 'inside.example.com'],
    ['*.example.com', 'inside.example.com'],
    ['10.0.0.0/8', 'inside.example.com'],
    ['10.1.2.3:5432', 'inside.example.com'],
    ['[::1]:5432', '::1'],
    ['fd00::/8', 'fd00::9'],
    ['*', '127.0.0.1'],
  ])('the setting %s allows %s', async (entry, host) => {
    expect(await guard({ allowHosts: ['other.example', entry] }).addressOf(host, 5432)).toBeDefined();
  });

  it.each([
    ['10.1.2.3:5433', 'inside.example.com'],
    ['example.com', 'inside.example.com'],
    ['10.0.0.0/16', 'inside.example.com'],
  ])('the setting %s does not allow %s', async (entry, host) => {
    await expect(guard({ allowHosts: [entry] }).addressOf(host, 5432)).rejects.toThrow('may not be connected to');
  });

  it('the service’s own port is refused, unless it is allowed with its port', async () => {
    await expect(guard({ allowHosts: ['127.0.0.1'] }).addressOf('127.0.0.1', 8080)).rejects.toThrow();
    expect(await guard({ allowHosts: ['127.0.0.1'] }).addressOf('127.0.0.1', 5432)).toBe('127.0.0.1');
    expect(await guard({ allowHosts: ['127.0.0.1:8080'] }).addressOf('127.0.0.1', 8080)).toBe('127.0.0.1');
  });
});

it('a denied host is refused in any mode, also when it is allowed, too', async () => {
  const denying = { isHosted: false, denyHosts: ['203.0.113.0/24', 'evil.example'], allowHosts: ['*'] };
  await expect(guard(denying).addressOf('db.example.com', 5432)).rejects.toThrow('denyHosts');
  expect(await guard(denying).addressOf('127.0.0.1', 5432)).toBe('127.0.0.1');
  expect(await guard({ isHosted: false }).addressOf('10.0.0.1', 5432)).toBeUndefined();
});

describe('a connection', () => {
  const GREETING = 'A secret word of the other side';
  let other: Server;
  let port: number;
  let warehouses: OpenWarehouses;
  const log = keptLog();
  let resolved: readonly string[] = ['127.0.0.1'];

  beforeAll(async () => {
    other = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(`HTTP/1.1 500 ${GREETING}\r\nContent-Length: 31\r\n\r\n${GREETING}`);
    });
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const address = other.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
    warehouses = openWarehouses({
      statementTimeoutMs: 5_000,
      poolSize: 1,
      home: '/',
      log,
      connectFailureMs: 700,
      network: guard({ allowHosts: ['127.0.0.1'], resolve: async () => resolved }),
    });
  });
  afterAll(async () => {
    await warehouses.close();
    other.close();
  });

  const fail = async (jdbcUrl: string) => {
    const warehouse = await warehouses.open({ jdbcUrl, username: 'u', password: 'p' });
    const started = performance.now();
    const error = await warehouse.ping().catch((thrown: unknown) => thrown);
    if (!(error instanceof Error)) throw new Error('it was reached');
    const causes = `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`;
    return { message: error.message, causes, millis: performance.now() - started };
  };

  it.each(['postgresql', 'mysql', 'clickhouse'])(
    'of %s does not distinguish a closed port from another service’s, in text or in time',
    async (engine) => {
      const closed = await fail(`jdbc:${engine}://db.example.com:1/shop`);
      const speaking = await fail(`jdbc:${engine}://db.example.com:${port}/shop`);
      expect(speaking.message).toBe(closed.message);
      for (const { millis, causes } of [closed, speaking]) {
        expect(millis).toBeGreaterThanOrEqual(690);
        expect(causes).not.toContain('secret');
      }
      expect(JSON.stringify(log)).not.toContain('secret');
    },
  );

  it.each(['postgresql', 'mysql', 'clickhouse', 'trino'])(
    'of %s is refused when the name has an internal address by then',
    async (engine) => {
      const secure = engine === 'trino' ? '?SSL=true' : '';
      const jdbcUrl = `jdbc:${engine}://rebound.example.com:${port}/shop${secure}`;
      resolved = ['203.0.113.7'];
      await warehouses.check({ jdbcUrl, username: 'u', password: 'p' });
      resolved = ['10.0.0.7'];
      expect((await fail(jdbcUrl)).message).toContain('may not be connected to');
      await expect(warehouses.check({ jdbcUrl, username: 'u', password: 'p' })).rejects.toThrow('may not be');
      resolved = ['127.0.0.1'];
    },
  );
});
