/**
 * Tests the main job on a foreign page of another origin: once with a script tag and the element only, once as an app
 * that bundles the package.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { complaints, networkLog, openBrowser, openPage } from './browser.ts';
import { mintToken, readAnswerRows, SECURITY_HEADERS, savePrivateQuery, tableCells } from './embedding.ts';
import { type Host, serveHost } from './host-page.ts';
import { type Product, startProduct } from './product.ts';

const PATH = 'homes/admin/sales-by-region.service';

type Form = (product: Product, attributes: string) => Promise<Host>;

const FORMS: Readonly<Record<string, Form>> = {
  'a script tag': (product, attributes) =>
    serveHost({
      pages: {
        '/': `<!doctype html><html lang="en"><title>Somebody's page</title>
          <script src="${product.url}/ui/service-embed.js"></script>
          <service-embed ${attributes}></service-embed></html>`,
      },
    }),

  /** The demo's bundled app as Vite builds it, with this test's attributes on the element. */
  'a bundled app': async (product, attributes) => {
    const app = 'demo/host-pages/bundled';
    const built = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', app, '--logLevel', 'error'], {
      encoding: 'utf8',
      // Like its developer: the test runner's NODE_ENV would bundle the development build of Lit.
      env: { ...process.env, NODE_ENV: 'production' },
    });
    if (built.status !== 0) throw new Error(built.stderr);
    const page = readFileSync(`${app}/dist/index.html`, 'utf8').replace(
      /<service-embed[^>]*>/,
      `<service-embed ${attributes}>`,
    );
    const host = await serveHost({ pages: { '/': page }, directory: `${app}/dist` });
    return { ...host, url: `${host.url}/?server=${encodeURIComponent(product.url)}` };
  },
};

describe.each(Object.entries(FORMS))('%s on a page of another origin', (_name, serve) => {
  let product: Product;
  let browser: Browser;
  let host: Host;
  let page: Page;
  let token: string;
  let network: ReturnType<typeof networkLog>;
  let complained: readonly string[];

  beforeAll(async () => {
    product = await startProduct();
    browser = await openBrowser();
    await savePrivateQuery(product, PATH, 'shared/demo/sales-by-region.service');
    token = await mintToken(product, 'query', PATH);
    host = await serve(product, `server="${product.url}" path="${PATH}" token="${token}"`);
    page = await openPage(browser);
    const context = page.context();
    // The visitor is signed in at the service: the embed must not send that session.
    await context.addCookies([{ name: 'SERVICE_SESSION', value: 'a-session-of-the-visitor', url: product.url }]);
    network = networkLog(page);
    complained = complaints(page);
    await page.goto(host.url);
  });

  afterAll(async () => {
    await browser?.close();
    await host?.stop();
    await product?.stop();
  });

  test("shows the table of the saved query, cell by cell like the server's answer", async () => {
    await page.locator('service-embed table').waitFor();
    const expected = await readAnswerRows(product, PATH, token);
    expect(expected.length).toBeGreaterThan(2);
    expect(await tableCells(page.locator('service-embed table'))).toEqual(expected);
  });

  test('becomes a chart when the attribute changes, with readable categories and without another request', async () => {
    const before = (await network.all()).filter(({ url }) => url.includes('/embed/query/')).length;
    await page.locator('service-embed').evaluate((element) => element.setAttribute('render', 'chart'));
    await page.locator('service-embed :is(canvas, svg)').first().waitFor();
    const expected = await readAnswerRows(product, PATH, token);
    expect(await tableCells(page.locator('service-embed table'))).toEqual(expected);
    const drawn = await page.locator('service-embed :is(canvas, svg)').first().boundingBox();
    expect(drawn?.width).toBeGreaterThan(200);
    expect(drawn?.height).toBeGreaterThan(200);
    expect((await network.all()).filter(({ url }) => url.includes('/embed/query/'))).toHaveLength(before);
  });

  test('shows after its token is revoked that it is unavailable, and no reason', async () => {
    const revoked = await product.call('DELETE', `/rest/service/api/embed/tokens/${token}`, {});
    expect(revoked).toMatchObject({ status: 200, body: { status: 'OK' } });
    await page.reload();
    const alert = page.locator('service-embed [role=alert]');
    await alert.waitFor();
    const text = (await alert.textContent()) ?? '';
    expect(text).toMatch(/unavailable|not available/i);
    expect(text).not.toMatch(/EMBED_INVALID|token|401/i);
    await expect(page.locator('service-embed table').count()).resolves.toBe(0);
  });

  test('the token travels only in its header, no cookie is sent, and each embed answer has the three headers', async () => {
    const toService = (await network.all()).filter(({ url }) => url.startsWith(product.url));
    const reads = toService.filter(({ url, method }) => url.includes('/rest/service/api/embed/') && method === 'GET');
    expect(reads.length).toBeGreaterThanOrEqual(2);
    expect(reads.map(({ status }) => status)).toContain(401);
    for (const seen of toService) {
      expect(seen.url).not.toContain(token);
      expect(seen.headers.cookie).toBeUndefined();
      expect(seen.headers.authorization).toBeUndefined();
    }
    for (const read of reads) {
      expect(read.headers['x-service-embed-token']).toBe(token);
      expect(read.responseHeaders).toMatchObject(SECURITY_HEADERS);
    }
  });

  test('the page logs no error except the refused read', () => {
    expect(complained.filter((text) => !/401/.test(text))).toEqual([]);
  });
});
