/**
 * Tests how the element's script reaches a page: pinned and hashed, under the strictest policies, loaded twice, by
 * import map.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { complaints, openBrowser, openPage } from './browser.ts';
import { type Host, type HostOptions, serveHost } from './host-page.ts';
import { type Product, startProduct } from './product.ts';

interface Delivered {
  readonly version: string;
  readonly script: string;
  readonly integrity: Readonly<Record<string, string>>;
}

const REGIONS = ['Central', 'North', 'South', 'West'];
const WRONG_HASH = `sha384-${'A'.repeat(64)}`;

let product: Product;
let browser: Browser;
let delivered: Delivered;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  delivered = (await (await fetch(`${product.url}/ui/service-embed.integrity.json`)).json()) as Delivered;
});

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const embed = (attributes: string) => `<service-embed server="${product.url}" ${attributes}></service-embed>`;
const table = () => embed('path="shared/demo/sales-by-region.service"');
const chart = () => embed('path="shared/demo/sales-by-region.service" render="chart"');
const documented = () => `<script src="${product.url}/ui/service-embed.js"></script>`;

interface Opened {
  readonly page: Page;
  readonly host: Host;
  readonly complained: readonly string[];
  /** Returns the violations of the page's policy. */
  violations(): Promise<readonly string[]>;
}

/** Opens a page of another origin with this content. */
async function open(content: string, options: HostOptions = {}): Promise<Opened> {
  const html = `<!doctype html><html lang="en"><title>Somebody's page</title>${content}</html>`;
  const host = await serveHost({ ...options, pages: { '/': html } });
  opened.push({ close: () => host.stop() });
  const page = await openPage(browser);
  opened.push(page);
  const complained = complaints(page);
  await page.addInitScript(`
    globalThis.violations = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      violations.push([violatedDirective, blockedURI, sample].join(' ')),
    );
  `);
  await page.goto(host.url);
  return {
    page,
    host,
    complained,
    violations: () => page.evaluate('violations'),
  };
}

/** Reads the regions that a table shows. */
async function regions(page: Page): Promise<readonly string[]> {
  await page.locator('service-embed tbody tr').first().waitFor();
  const cells = await page.locator('service-embed').first().locator('tbody tr > :first-child').allInnerTexts();
  return cells.map((text) => text.trim()).sort();
}

const isDefined = (page: Page) => page.evaluate("customElements.get('service-embed') !== undefined");

describe('a pinned version', () => {
  const pinned = (integrity = delivered.integrity[delivered.script]) =>
    `<script src="${product.url}/ui/${delivered.script}" integrity="${integrity}" crossorigin="anonymous"></script>`;
  const hashesOfParts = (change: (hash: string) => string) => {
    const entries = Object.entries(delivered.integrity).map(([file, hash]) => [
      `${product.url}/ui/${file}`,
      file.startsWith('service-embed-') ? change(hash) : hash,
    ]);
    return `<script type="importmap">${JSON.stringify({ integrity: Object.fromEntries(entries) })}</script>`;
  };

  test('with its hash shows the table, and loads its parts from its own address', async () => {
    const { page, complained } = await open(`${pinned()}${chart()}`);
    expect(await regions(page)).toEqual(REGIONS);
    await page.locator('service-embed :is(canvas, svg)').first().waitFor();
    expect(complained).toEqual([]);
  });

  test('with a wrong hash is refused by the browser', async () => {
    const { page, complained } = await open(`${pinned(WRONG_HASH)}${table()}`);
    await expect.poll(() => complained.join()).toMatch(/integrity/);
    expect(await isDefined(page)).toBe(false);
  });

  test('that the server does not have is not loaded, and no other version instead', async () => {
    const { page } = await open(`<script src="${product.url}/ui/service-embed@99.0.0.js"></script>${table()}`);
    expect(await isDefined(page)).toBe(false);
    const answer = await fetch(`${product.url}/ui/service-embed@99.0.0.js`);
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining(delivered.version)]);
  });

  test('has its parts checked too, where an import map lists their hashes', async () => {
    const { page, complained } = await open(`${hashesOfParts((hash) => hash)}${pinned()}${chart()}`);
    await page.locator('service-embed :is(canvas, svg)').first().waitFor();
    expect(complained).toEqual([]);
  });

  test('shows a fallback for a part whose hash is wrong', async () => {
    const { page, complained } = await open(`${hashesOfParts(() => WRONG_HASH)}${pinned()}${chart()}`);
    await expect.poll(() => complained.join()).toMatch(/integrity/);
    await expect(page.locator('service-embed canvas').count()).resolves.toBe(0);
  });
});

describe('a page with a strict policy', () => {
  const everything = () => `
    ${embed('id="table" path="shared/demo/all-stores.service"')}
    ${embed('id="chart" path="shared/demo/sales-by-region.service" render="chart"')}
    ${embed('id="line" path="shared/demo/monthly-sales.service" render="chart" mode="line" theme="dark"')}
    ${embed('id="kpi" path="shared/demo/monthly-sales.service" render="kpi" measure="net_sales"')}
    ${embed('id="matrix" path="shared/demo/margin-by-category-and-channel.service" render="matrix"')}
    ${embed('id="dashboard" path="shared/demo/shop-overview.servicedash" kind="dashboard"')}`;

  const STRICT = {
    'the service named': () => ({ scripts: product.url, nonce: '' }),
    'a nonce': () => ({ scripts: "'nonce-r4nd0m' 'strict-dynamic'", nonce: ' nonce="r4nd0m"' }),
  };

  test.each(Object.entries(STRICT))('by %s shows and exports everything without one violation', async (_name, form) => {
    const { scripts, nonce } = form();
    const policy = [
      "default-src 'none'",
      `script-src ${scripts}`,
      `connect-src ${product.url}`,
      "style-src 'self'",
      // Only exportImage() as PNG needs it.
      'img-src blob:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types lit-html',
    ].join('; ');
    const { page, violations, complained } = await open(
      `<script src="${product.url}/ui/service-embed.js"${nonce}></script>${everything()}`,
      { headers: { 'content-security-policy': policy } },
    );
    for (const of of ['#table tbody tr', '#chart canvas, #chart svg', '#kpi [part~=kpi]', '#matrix table'])
      await page.locator(of).first().waitFor();
    await page.locator('#line').scrollIntoViewIfNeeded();
    await page.locator('#line :is(canvas, svg)').first().waitFor();
    await page.locator('#dashboard').scrollIntoViewIfNeeded();
    await page.locator('#dashboard :is(canvas, svg)').first().waitFor();
    // The table beside a chart, a sorted column, another theme.
    await page.locator('#chart [part~=toggle]').click();
    await page.locator('#table th').first().click();
    await page.locator('#line').evaluate((element) => element.setAttribute('theme', 'light'));
    const exported = await page.evaluate<{ csv: number; png: readonly number[]; svg: string }>(`(async () => {
      const [table, line] = ['table', 'line'].map((id) => document.getElementById(id));
      const csv = await (await table.exportCsv()).text();
      const png = await (await line.exportImage()).slice(0, 4).arrayBuffer();
      const svg = await (await line.exportImage({ type: 'svg' })).text();
      return { csv: csv.split('\\r\\n').length, png: [...new Uint8Array(png)], svg: svg.slice(0, 4) };
    })()`);
    expect(exported.csv).toBeGreaterThan(60);
    expect(exported.png).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(exported.svg).toBe('<svg');
    await page.evaluate("for (const element of document.querySelectorAll('service-embed')) element.remove()");
    expect(await violations()).toEqual([]);
    expect(complained).toEqual([]);
  });

  test('that isolates itself shows everything and stays isolated', async () => {
    const { page, complained } = await open(`${documented()}${everything()}`, {
      headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
    });
    expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    for (const of of ['#table tbody tr', '#chart canvas, #chart svg', '#kpi [part~=kpi]', '#matrix table'])
      await page.locator(of).first().waitFor();
    await page.locator('#dashboard').scrollIntoViewIfNeeded();
    await page.locator('#dashboard :is(canvas, svg)').first().waitFor();
    expect(complained).toEqual([]);
  });
});

describe('two scripts on one page', () => {
  let copies: string;

  /** Copies the built script and its parts as another version: with another file name and another version inside. */
  beforeAll(() => {
    copies = mkdtempSync(join(tmpdir(), 'service-embed-'));
    const { version } = delivered;
    for (const file of readdirSync('dist/ui').filter((name) => /^service-embed.*\.js$/.test(name)))
      writeFileSync(
        join(copies, file.replace(version, '9.9.9')),
        readFileSync(join('dist/ui', file), 'utf8').replaceAll(version, '9.9.9'),
      );
  });
  afterAll(() => rmSync(copies, { recursive: true }));

  const FIRST: Readonly<Record<string, () => readonly [scripts: string, wins: string]>> = {
    'the same twice': () => [`${documented()}${documented()}`, delivered.version],
    'the documented and the pinned address': () => [
      `${documented()}<script src="${product.url}/ui/${delivered.script}"></script>`,
      delivered.version,
    ],
    'another version last': () => [`${documented()}<script src="/service-embed.js"></script>`, delivered.version],
    'another version first': () => [`<script src="/service-embed@9.9.9.js"></script>${documented()}`, '9.9.9'],
  };

  test.each(Object.entries(FIRST))('(%s): the first one is used and the second one is ignored', async (_name, of) => {
    const [scripts, wins] = of();
    const { page, violations, complained } = await open(`${scripts}${chart()}`, {
      directory: copies,
      headers: {
        'content-security-policy': `script-src 'self' ${product.url}; require-trusted-types-for 'script'; trusted-types lit-html`,
      },
    });
    await page.locator('service-embed :is(canvas, svg)').first().waitFor();
    const version = await page.evaluate(`new Promise((resolve) => {
      const element = document.createElement('service-embed');
      element.addEventListener('service-ready', ({ detail }) => resolve(detail.version));
      document.body.append(element);
    })`);
    expect(version).toBe(wins);
    expect([await violations(), complained]).toEqual([[], []]);
  });
});

test("the script adds no global to the page except Lit's, whatever it shows", async () => {
  const { page } = await open(`${table()}${chart()}
    ${embed('path="shared/demo/margin-by-category-and-channel.service" render="matrix"')}
    ${embed('path="shared/demo/shop-overview.servicedash" kind="dashboard"')}`);
  const names = () => page.evaluate<readonly string[]>('Object.getOwnPropertyNames(window).sort()');
  const before = await names();
  await page.addScriptTag({ url: `${product.url}/ui/service-embed.js` });
  await page.locator('service-embed :is(canvas, svg)').first().waitFor();
  await page.locator('service-embed').last().scrollIntoViewIfNeeded();
  await page.locator('service-embed').last().locator(':is(canvas, svg)').first().waitFor();
  expect((await names()).filter((name) => !before.includes(name))).toEqual([
    'litElementVersions',
    'litHtmlVersions',
    'litPropertyMetadata',
    'reactiveElementVersions',
  ]);
});

test('a page without a bundler imports the package by an import map', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-host-'));
  try {
    for (const name of ['lit', 'lit-html', 'lit-element', '@lit/reactive-element'])
      cpSync(`node_modules/${name}`, join(folder, name), { recursive: true });
    cpSync('element/dist/package', join(folder, 'service-embed'), { recursive: true });
    const imports = {
      'service-embed': '/service-embed/index.js',
      lit: '/lit/index.js',
      'lit-html': '/lit-html/lit-html.js',
      'lit-html/': '/lit-html/',
      'lit-element/': '/lit-element/',
      '@lit/reactive-element': '/@lit/reactive-element/reactive-element.js',
    };
    const { page, complained } = await open(
      `<script type="importmap">${JSON.stringify({ imports })}</script>
       <script type="module">import 'service-embed';</script>${table()}`,
      { directory: folder },
    );
    await expect.poll(() => isDefined(page)).toBe(true);
    expect(await regions(page)).toEqual(REGIONS);
    expect(complained).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
