/**
 * Tests apps in Angular and Next.js. Each is copied to an empty folder, where npm installs its framework and the element's
 * package from the server, and is built like its developers do. `npm test -- frameworks` runs this; `npm test` does not.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostServer } from '../host-server.ts';
import { tokenBackend } from '../token-backend.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { walkDesk } from './desk-walk.ts';
import { type Product, startProduct } from './product.ts';

const { version } = JSON.parse(readFileSync('element/package.json', 'utf8'));
/** The framework's own figures about its users are not sent. */
const ENVIRONMENT = {
  ...process.env,
  NODE_ENV: undefined,
  NEXT_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
  CI: '1',
};

let product: Product;
let browser: Browser;
const folders: string[] = [];

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs a command and returns its output, which is also in the error where it fails. */
async function run(folder: string, command: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env: ENVIRONMENT, maxBuffer: 10_000_000 });
  return stdout;
}

/** An installation and a build on a machine that does other work too. */
const BUILD_TIMEOUT_MS = 900_000;

/** Installs and builds an app in a folder of its own. Returns the folder of the app. */
async function buildApp(name: string): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), `service-${name}-`));
  folders.push(root);
  for (const each of [name, 'desk']) cpSync(resolve('demo/host-pages', each), join(root, each), { recursive: true });
  const folder = join(root, name);
  const embed = `${product.url}/ui/service-embed-${version}.tgz`;
  await run(folder, 'npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', embed);
  // The folder `desk`, which the apps share, names the element's types too.
  symlinkSync(join(folder, 'node_modules'), join(root, 'node_modules'));
  await run(folder, 'npm', 'run', 'build');
  return folder;
}

describe('the Angular app', () => {
  let hosts: Server;
  let origin: string;
  beforeAll(async () => {
    const built = join(await buildApp('angular'), 'dist');
    cpSync(built, resolve('demo/host-pages/angular/dist'), { recursive: true });
    hosts = hostServer({ mint: tokenBackend(product.url, 'admin', product.password) });
    origin = await addressOf(hosts);
  }, BUILD_TIMEOUT_MS);
  afterAll(() => {
    hosts?.close();
    hosts?.closeAllConnections();
    rmSync(resolve('demo/host-pages/angular/dist'), { recursive: true, force: true });
  });

  const desk = {
    name: 'angular',
    title: 'Assortment desk',
    chosen: 'Stationery',
    table: 'Best sellers',
    column: 1,
    documents: 3,
  };
  walkDesk(desk, () => ({ browser, origin, product }));
});

describe('the Next.js app', () => {
  let process: ChildProcess;
  let origin: string;
  beforeAll(async () => {
    const folder = await buildApp('next');
    expect(existsSync(join(folder, '.next'))).toBe(true);
    const free = createServer();
    origin = await addressOf(free);
    await new Promise((done) => free.close(done));
    const port = new URL(origin).port;
    process = spawn('node_modules/.bin/next', ['start', '--hostname', '127.0.0.1', '--port', port], {
      cwd: folder,
      env: {
        ...ENVIRONMENT,
        ANALYTICS_SERVER: product.url,
        ANALYTICS_USER: 'admin',
        ANALYTICS_PASSWORD: product.password,
      },
      stdio: 'pipe',
    });
    await new Promise<void>((ready, failed) => {
      let output = '';
      for (const stream of [process.stdout, process.stderr])
        stream?.on('data', (chunk: Buffer) => {
          output += chunk.toString();
          if (/Ready in/.test(output)) ready();
        });
      process.once('exit', () => failed(new Error(output)));
    });
  }, BUILD_TIMEOUT_MS);
  afterAll(() => {
    process?.kill();
  });

  test('shows the chart of its server without JavaScript', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(origin);
    const chart = page.locator('service-embed').first();
    await chart.locator('svg').waitFor();
    const named = await chart.locator('svg text').allTextContents();
    expect(named).toEqual(expect.arrayContaining(['North', 'South', 'Central', 'West']));
    await page.close();
  });

  test('keeps that chart when the element takes over, and a selected region filters the stores', async () => {
    const page: Page = await openPage(browser, { viewport: { width: 1280, height: 1000 } });
    const complained = complaints(page);
    await page.goto(origin);
    const chart = page.locator('service-embed').first();
    const stores = page.locator('.card', { has: page.getByRole('heading', { name: 'Stores', exact: true }) });
    await stores.locator('tbody tr').first().waitFor();
    await chart.locator('[tabindex="0"]').first().focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await stores.getByRole('button', { name: 'North' }).waitFor();
    await expect
      .poll(async () => new Set(await stores.locator('tbody tr > :nth-child(2)').allInnerTexts()))
      .toEqual(new Set(['North']));
    expect(complained).toEqual([]);
    await page.close();
  });

  test('keeps the password of its backend from the page', async () => {
    const text = await (await fetch(origin)).text();
    expect(text).toContain('shadowrootmode="open"');
    expect(text).not.toContain(product.password);
    expect(text).not.toMatch(/tx-/);
  });
});

async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}
