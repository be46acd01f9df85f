/** Starts the built product in an empty home, like a user, and stops it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Names the environment variable with the file of the demo's warehouse, generated once for the whole run. */
export const DEMO_WAREHOUSE = 'SERVICE_E2E_WAREHOUSE';

/** Set where the product is already built: two runs in parallel would otherwise build over each other. */
export const IS_BUILT = 'SERVICE_E2E_BUILT';

const ADMIN_PASSWORD = 'an e2e password, long enough';

export interface Product {
  /** The administrator's password. */
  readonly password: string;
  readonly url: string;
  readonly home: string;
  /** Returns the output so far. */
  readonly output: () => string;
  /** Sends a REST request as the administrator, with basic credentials. */
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }>;
  stop(): Promise<void>;
  /** Ends the process like a crash. */
  kill(): Promise<void>;
}

export interface ProductOptions {
  /** The home of another node, which this product leaves in place when it stops; by default a new empty home. */
  readonly home?: string;
  /** Generates the demo's warehouse at the start instead of copying the run's. */
  readonly fresh?: boolean;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startProduct({
  home: shared,
  fresh = false,
  args = ['--demo'],
  environment = {},
}: ProductOptions = {}): Promise<Product> {
  const home = shared ?? mkdtempSync(join(tmpdir(), 'service-home-'));
  const generated = process.env[DEMO_WAREHOUSE];
  if (!fresh && generated !== undefined && args.includes('--demo')) {
    mkdirSync(join(home, 'data'), { mode: 0o700, recursive: true });
    copyFileSync(generated, join(home, 'data/demo-shop.duckdb'));
  }
  const child = spawn(process.execPath, ['dist/service.js', 'start', '--home', home, '--port', '0', ...args], {
    env: { ...process.env, SERVICE_ADMIN_PASSWORD: ADMIN_PASSWORD, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = await address(child, () => output);
  await datasourcesLoaded(url);
  const authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;
  return {
    url,
    home,
    password: ADMIN_PASSWORD,
    output: () => output,
    async call(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
    },
    async stop() {
      await ended(child, 'SIGTERM');
      if (shared === undefined) rmSync(home, { recursive: true, force: true });
    },
    kill: () => ended(child, 'SIGKILL'),
  };
}

function address(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('did not start in 110 s'), 110_000);
    const poll = setInterval(() => {
      const match = /http:\/\/localhost:\d+/.exec(output());
      if (match !== null && /administrator/.test(output())) finish(() => resolve(match[0]));
    }, 20);
    const fail = (why: string) => finish(() => reject(new Error(`the product ${why}:\n${output()}`)));
    const finish = (then: () => void) => {
      clearTimeout(timer);
      clearInterval(poll);
      then();
    };
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
}

/** A start answers before its datasources are loaded; reads of a page that opens meanwhile may be refused and repeated. */
async function datasourcesLoaded(url: string): Promise<void> {
  const end = Date.now() + 110_000;
  for (;;) {
    const response = await fetch(`${url}/readyz`);
    const { missing = [] } = (await response.json()) as { readonly missing?: readonly string[] };
    const loading = missing.filter((part) => part.startsWith('datasource'));
    if (loading.length === 0) return;
    if (Date.now() > end) throw new Error(`the product still loads in 110 s: ${loading.join()}`);
    await pause(50);
  }
}

function ended(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill(signal);
  });
}
