/** Runs every example of the documentation that is marked `run`, unchanged except for the server's address. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from './app-build.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { mintToken, savePrivateQuery } from './embedding.ts';
import { type HostOptions, serveHost } from './host-page.ts';
import { type Product, startProduct } from './product.ts';

/** The addresses of the service in the documentation. */
const NAMED = /https:\/\/analytics\.example\.com|http:\/\/localhost:8080/g;
const PRIVATE = 'homes/admin/sales-by-region.service';
const EXAMPLES = ['start', 'guide', 'reference']
  .flatMap((folder) => readdirSync(`docs/${folder}`).map((file) => `docs/${folder}/${file}`))
  .filter((page) => page.endsWith('.md'))
  .flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    return [...text.matchAll(/^```(\w+) run\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: code = '', index }) => ({
      language,
      code,
      place: `${page}:${text.slice(0, index).split('\n').length}`,
    }));
  });
const of = (...languages: readonly string[]) => EXAMPLES.filter(({ language }) => languages.includes(language));
const onServer = ({ code }: { readonly code: string }) => code.includes('service-embed/ssr');

let product: Product;
let browser: Browser;
let delivered: { readonly version: string; readonly integrity: Readonly<Record<string, string>> };
const cleanUp: (() => unknown)[] = [];

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  await savePrivateQuery(product, PRIVATE, 'shared/demo/sales-by-region.service');
  delivered = (await (await fetch(`${product.url}/ui/service-embed.integrity.json`)).json()) as typeof delivered;
});

afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Adapts an example to this service: its address, its version, and its hashes in place of the dots. */
function here(code: string): string {
  const files = Object.keys(delivered.integrity);
  const part = (name: string) => files.find((file) => file.startsWith(`service-embed-${name}-`)) ?? 'no such part';
  const hash = (file: string) => delivered.integrity[file] ?? 'no such file';
  return code
    .replaceAll(NAMED, product.url)
    .replaceAll(/service-embed-(\w+)-0\.1\.0-…\.js/g, (_, name: string) => part(name))
    .replaceAll('service-embed@0.1.0.js', `service-embed@${delivered.version}.js`)
    .replaceAll(
      /(service-embed[\w@.-]*\.js)("[^"]*")sha384-…/g,
      (_, file: string, between: string) => file + between + hash(file),
    );
}

async function open(
  content: string,
  options: HostOptions = {},
): Promise<{ page: Page; complained: readonly string[] }> {
  const pages = content === '' ? {} : { '/': `<!doctype html><html lang="en"><title>Host</title>${content}</html>` };
  const host = await serveHost({ ...options, pages });
  cleanUp.push(() => host.stop());
  const page = await openPage(browser);
  cleanUp.push(() => page.close());
  const complained = complaints(page);
  await page.goto(host.url);
  return { page, complained };
}

const script = () => `<script src="${product.url}/ui/service-embed.js"></script>`;
const embed = (attributes: string) => `<service-embed server="${product.url}" ${attributes}></service-embed>`;
const chart = () => embed('path="shared/demo/sales-by-region.service" render="chart"');
const SHOWN = 'service-embed :is(tbody tr, [part~=kpi], canvas, svg)';

/** Selects the third bar by the keyboard. */
async function choose(page: Page): Promise<void> {
  await page.locator('service-embed [tabindex="0"]').first().focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
}

test('there are examples of every kind', () => {
  expect(new Set(EXAMPLES.map(({ language }) => language))).toEqual(
    new Set(['html', 'js', 'css', 'http', 'tsx', 'vue']),
  );
});

test.each(of('html'))('the HTML of $place shows data', async ({ code }) => {
  const { page, complained } = await open(`${code.includes('<script') ? '' : script()}${here(code)}`);
  await page.locator(SHOWN).first().waitFor();
  if (code.includes('render="chart"')) await page.locator('service-embed :is(canvas, svg)').first().waitFor();
  if (code.includes('filter='))
    expect(new Set(await page.locator('tbody tr > :nth-child(2)').allInnerTexts())).toEqual(
      new Set(['North', 'South']),
    );
  expect(complained).toEqual([]);
});

test.each(of('js').filter((each) => !onServer(each)))('the script of $place runs beside a chart', async ({ code }) => {
  const element = code.includes('getToken') ? embed(`path="${PRIVATE}" render="chart"`) : chart();
  const { page, complained } = await open(
    `${script()}${element}<script type="module">${here(code)}
     document.documentElement.dataset.ran = 'yes';</script>`,
    {
      backend: {
        '/my-backend/embed-token': async (search) => ({
          token: await mintToken(product, 'query', search.get('path') ?? ''),
          expiresAt: Date.now() + 3_600_000,
        }),
      },
    },
  );
  await page.locator('html[data-ran=yes]').waitFor();
  await page.locator('service-embed :is(canvas, svg)').first().waitFor();
  if (/embed\.filter\b/.test(code)) {
    const narrowed = page.waitForRequest(/filter=.*North/);
    await choose(page);
    await narrowed;
  }
  // A private document is refused without a token.
  expect(complained.filter((text) => !(code.includes('getToken') && /401/.test(text)))).toEqual([]);
});

test.each(of('js').filter(onServer))(
  'the server code of $place returns what is read without JavaScript',
  async ({ code }) => {
    const built = '../../element/dist/package/ssr.js';
    const { renderToString }: { readonly renderToString: unknown } = await import(built);
    const answered: string[] = [];
    const run = Object.getPrototypeOf(async () => {}).constructor(
      'renderToString',
      'response',
      'nonce',
      here(code).replace(/^import.*$/m, ''),
    );
    await run(renderToString, { end: (text: string) => answered.push(text) }, undefined);
    const context = await browser.newContext({ javaScriptEnabled: false });
    cleanUp.push(() => context.close());
    const page = await context.newPage();
    const host = await serveHost({
      pages: { '/': `<!doctype html><html lang="en"><title>Host</title>${answered.join('')}</html>` },
    });
    cleanUp.push(() => host.stop());
    await page.goto(host.url);
    await page.locator('service-embed svg').first().waitFor();
    expect(await page.locator('service-embed svg').first().textContent()).toContain('North');
  },
);

test.each(of('css'))('the style of $place takes effect', async ({ code }) => {
  const { page } = await open(
    `<style>${code}</style>${script()}${embed('path="shared/demo/sales-by-region.service"')}`,
  );
  await page.locator('service-embed th').first().waitFor();
  const computed =
    "getComputedStyle(document.querySelector('service-embed').shadowRoot.querySelector('th')).textTransform";
  expect(await page.evaluate(computed)).toBe('uppercase');
  const row = page.locator('service-embed tbody tr').first();
  expect((await row.boundingBox())?.height).toBeCloseTo(28, 0);
});

test.each(of('http'))('under the headers of $place everything is shown, and nothing is blocked', async ({ code }) => {
  const headers = Object.fromEntries(
    here(code)
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', ...value] = line.split(': ');
        return [name, value.join(': ')];
      }),
  );
  const dashboard = embed('path="shared/demo/shop-overview.servicedash" kind="dashboard"');
  const { page, complained } = await open(`${script()}${chart()}${dashboard}`, { headers });
  await page.locator('service-embed canvas, service-embed svg').first().waitFor();
  await page.locator('service-embed').last().scrollIntoViewIfNeeded();
  await page.locator('service-embed').last().locator(':is(canvas, svg)').first().waitFor();
  expect(await page.evaluate('crossOriginIsolated')).toBe('Cross-Origin-Embedder-Policy' in headers);
  expect(complained).toEqual([]);
});

describe.each([
  ['tsx', 'react'],
  ['vue', 'vue'],
] as const)('the component in %s', (language, framework) => {
  test.each(of(language))('of $place shows a chart, and the table of what is selected in it', async ({ code }) => {
    const project = buildApp(framework, here(code));
    cleanUp.push(() => rmSync(project, { recursive: true }));
    const { page, complained } = await open('', { directory: join(project, 'dist') });
    const regions = () => page.locator('service-embed').last().locator('tbody tr > :nth-child(2)').allInnerTexts();
    await page.locator('service-embed :is(canvas, svg)').first().waitFor();
    await expect.poll(async () => new Set(await regions()).size).toBe(4);
    await choose(page);
    await expect.poll(async () => new Set(await regions())).toEqual(new Set(['North']));
    expect(complained).toEqual([]);
  });
});
