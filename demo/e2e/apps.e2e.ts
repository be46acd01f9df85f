/**
 * Tests the demo's apps in frameworks, built like their developers do and served by the demo's host server under its
 * policy.
 */
import { spawnSync } from 'node:child_process';
import type { Server } from 'node:http';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { hostServer } from '../host-server.ts';
import { tokenBackend } from '../token-backend.ts';
import { openBrowser } from './browser.ts';
import { type Desk, walkDesk } from './desk-walk.ts';
import { type Product, startProduct } from './product.ts';

const APPS: readonly Desk[] = [
  { name: 'react', title: 'Category desk', chosen: 'Stationery', table: 'Best sellers', column: 1, documents: 4 },
  { name: 'vue', title: 'Store desk', chosen: 'North', table: 'Stores', column: 1, documents: 4 },
  { name: 'svelte', title: 'Region desk', chosen: 'North', table: 'Stores', column: 1, documents: 4 },
];

let product: Product;
let browser: Browser;
let hosts: Server;
let origin: string;

function run(...command: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    // Like a developer: the test runner's NODE_ENV would bundle the development builds of Lit and React.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error(`${command.join(' ')}\n${stdout}${stderr}`);
}

beforeAll(async () => {
  for (const { name } of APPS)
    run('node_modules/vite/bin/vite.js', 'build', `demo/host-pages/${name}`, '--logLevel', 'error');
  product = await startProduct();
  browser = await openBrowser();
  hosts = hostServer({ mint: tokenBackend(product.url, 'admin', product.password) });
  await new Promise<void>((resolve) => hosts.listen(0, '127.0.0.1', resolve));
  const address = hosts.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});

afterAll(async () => {
  await browser?.close();
  hosts?.close();
  hosts?.closeAllConnections();
  await product?.stop();
});

test('the apps compile with the element’s own typings, without a cast', () => {
  for (const { name } of APPS)
    run('node_modules/typescript-7/bin/tsc', '-p', `demo/host-pages/${name}`, '--singleThreaded');
});

describe.each(APPS)('the $name app', (app) => walkDesk(app, () => ({ browser, origin, product })));
