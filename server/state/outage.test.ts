/** Tests outages of a real state database as a caller over HTTP sees them: 503 with Retry-After, and normal answers afterwards. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { OpenPort } from '../http/port.ts';
import { serve } from '../http/testing/serve.ts';
import { identityMigrations, openIdentity } from '../identity/index.ts';
import { openLog } from '../log/log.ts';
import { sqliteLibrary } from '../sqlite/library.ts';
import { eventually } from '../warehouse/testing/engines.ts';
import { openState, type StateStore } from './index.ts';
import { startPostgres, type TestDatabase } from './testing/postgres.ts';

const PASSWORD = 'a password for this test';
/** A SQLite statement waits for another process that writes; here less than the default of ten seconds. */
const WAIT_FOR_WRITER_MS = 1_000;
const PATIENCE_MS = 40_000;
let folder: string;
let opened: (() => Promise<void>)[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-outage-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>home</title>');
});
afterEach(async () => {
  for (const close of opened.toReversed()) await close();
  opened = [];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function host(url: string | undefined, sqliteFile: string) {
  const log = openLog('silent');
  const state: StateStore = await openState({ url, sqliteFile, waitForWriterMs: WAIT_FOR_WRITER_MS, log });
  await state.migrate({ identity: identityMigrations });
  const identity = await openIdentity({ state, clock: Date.now, log });
  await identity.ensureAdministrator(PASSWORD);
  const port: OpenPort = await serve([], { folder, state, identity });
  opened.push(
    () => state.close(),
    () => port.stop(100),
  );
  const at = `http://127.0.0.1:${port.port}`;
  return {
    /** Signs in, which reads and writes the state. */
    async login() {
      const body = JSON.stringify({ username: 'admin', password: PASSWORD });
      const response = await fetch(`${at}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
    },
    ready: async () => (await fetch(`${at}/readyz`)).status,
  };
}

const OUTAGE = {
  status: 503,
  retryAfter: expect.stringMatching(/^\d+$/),
  text: expect.stringContaining('STATE_UNAVAILABLE'),
};

/** A connection to a server that the test can cut and repair. */
class Link {
  #server: Server | undefined;
  #port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #target: URL;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  async mend(): Promise<void> {
    this.#server = createServer((inner) => {
      const outer = connect(Number(this.#target.port), this.#target.hostname);
      for (const socket of [inner, outer]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => [inner, outer].forEach((each) => void each.destroy()));
      }
      inner.pipe(outer).pipe(inner);
    }).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }

  get url(): string {
    const url = new URL(this.#target);
    url.port = String(this.#port);
    return url.href;
  }
}

test(
  'a PostgreSQL server that goes away and comes back',
  async () => {
    const database: TestDatabase = await startPostgres();
    opened.push(() => database.stop());
    const link = new Link(database.url);
    await link.mend();
    opened.push(() => link.cut());
    const service = await host(link.url, '');
    expect(await service.login()).toMatchObject({ status: 200 });
    await link.cut();
    expect(await service.login()).toEqual(OUTAGE);
    const { hostname, port } = new URL(link.url);
    expect((await service.login()).text).not.toContain(`${hostname}:${port}`);
    await link.mend();
    expect(await service.login()).toMatchObject({ status: 200 });
    expect(await service.ready()).toBe(200);
  },
  PATIENCE_MS,
);

test(
  'a PostgreSQL server that ends all connections, as on a restart',
  async () => {
    const database = await startPostgres();
    opened.push(() => database.stop());
    const service = await host(database.url, '');
    expect(await service.login()).toMatchObject({ status: 200 });
    const administrator = new pg.Client({ connectionString: database.url });
    await administrator.connect();
    // Requests run meanwhile: each is answered with its result or with an outage.
    const answers = Array.from({ length: 10 }, () => service.login());
    await administrator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await administrator.end();
    for (const { status } of await Promise.all(answers)) expect([200, 503]).toContain(status);
    await eventually(async () => (await service.login()).status === 200, 10_000);
  },
  PATIENCE_MS,
);

test(
  'a SQLite file that another process locks',
  async () => {
    const file = join(folder, 'state.sqlite');
    const service = await host(undefined, file);
    expect(await service.login()).toMatchObject({ status: 200 });
    const Library = sqliteLibrary();
    const other = new Library(file);
    other.exec('begin immediate');
    const start = performance.now();
    expect(await service.login()).toEqual(OUTAGE);
    expect(performance.now() - start).toBeGreaterThan(WAIT_FOR_WRITER_MS - 100);
    other.exec('rollback');
    other.close();
    expect(await service.login()).toMatchObject({ status: 200 });
    expect(await service.ready()).toBe(200);
  },
  PATIENCE_MS,
);
