/** Walks through the demo's apps in frameworks, which show the same kind of page. */
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaints, networkLog, openPage } from './browser.ts';
import type { Product } from './product.ts';

export interface Desk {
  /** The folder of its page. */
  readonly name: string;
  readonly title: string;
  /** The value that Enter on the third point of the first chart selects. */
  readonly chosen: string;
  /** Title and column of the table that the selection filters. */
  readonly table: string;
  readonly column: number;
  /** The number of documents that it shows. */
  readonly documents: number;
}

/** Where a desk is served, and what it reads from. */
export interface Place {
  readonly browser: Browser;
  readonly origin: string;
  readonly product: Product;
}

/** Walks through a desk: its figures, a selection, the theme, a renewed token, a download, and leaving the page. */
export function walkDesk(
  { name, title, chosen, table: tableTitle, column, documents }: Desk,
  place: () => Place,
): void {
  let page: Page;
  let chart: Locator;
  let card: Locator;
  let network: ReturnType<typeof networkLog>;
  let complained: readonly string[];

  const embedReads = async () => (await network.all()).filter(({ url }) => url.includes('/rest/service/api/embed/'));
  const choices = () => card.locator(`tbody tr > :nth-child(${column + 1})`).allInnerTexts();

  beforeAll(async () => {
    const { browser, origin, product } = place();
    page = await openPage(browser, { colorScheme: 'light', viewport: { width: 1280, height: 1400 } });
    network = networkLog(page);
    complained = complaints(page);
    await page.goto(`${origin}/${name}/?server=${encodeURIComponent(product.url)}&tokens`);
    chart = page.locator('service-embed').nth(4);
    card = page.locator('.card', { has: page.getByRole('heading', { name: tableTitle, exact: true }) });
  });
  afterAll(() => page.close());

  test('shows its figures, charts and table with tokens from its own backend, one for each document', async () => {
    await page.getByRole('heading', { name: title }).waitFor();
    await card.locator('tbody tr').first().waitFor();
    await chart.locator(':is(canvas, svg)').first().waitFor();
    await expect
      .poll(() => page.locator('.figures [part~=kpi]').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^[\d,]+ EUR$/),
        expect.stringMatching(/^[\d,]+$/),
        expect.stringMatching(/^[\d.]+ EUR$/),
        expect.stringMatching(/^[\d.]+%$/),
      ]);
    await page.getByText(/^Figures of \d/).waitFor();
    const seen = await network.all();
    expect(seen.filter(({ url }) => url.includes('/embed-token')).map(({ status }) => status)).toEqual(
      Array<number>(documents).fill(200),
    );
    for (const read of await embedReads()) expect(read.headers['x-service-embed-token']).toMatch(/^tx-/);
  });

  test('a selected point filters the table', async () => {
    await chart.locator('[tabindex="0"]').first().focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await card.getByRole('button', { name: chosen }).waitFor();
    await expect.poll(async () => new Set(await choices())).toEqual(new Set([chosen]));
  });

  test('the theme changes without a request', async () => {
    const before = (await embedReads()).length;
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await expect.poll(() => chart.evaluate((element) => element.getAttribute('theme'))).toBe('dark');
    await page.getByRole('button', { name: 'Light theme' }).waitFor();
    expect((await embedReads()).length).toBe(before);
  });

  test('revoked tokens are renewed, and the selection and the content stay', async () => {
    const rows = await choices();
    const { product } = place();
    const tokens = (await product.call('GET', '/rest/service/api/embed/tokens')).body as readonly {
      readonly id: string;
    }[];
    for (const { id } of tokens) await product.call('DELETE', `/rest/service/api/embed/tokens/${id}`, {});
    const tokenRequests = (await network.all()).filter(({ url }) => url.includes('/embed-token')).length;
    await card.locator('service-embed').evaluate((element) => Reflect.get(element, 'refresh').call(element));
    const reads = await embedReads();
    expect(reads.slice(-2).map(({ status }) => status)).toEqual([401, 200]);
    expect((await network.all()).filter(({ url }) => url.includes('/embed-token'))).toHaveLength(tokenRequests + 1);
    expect(await choices()).toEqual(rows);
    await card.getByRole('button', { name: chosen }).waitFor();
    await expect(page.locator('service-embed [role=alert]').count()).resolves.toBe(0);
  });

  test('the table is downloaded as filtered', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      card.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
  });

  test('leaving the page and coming back is clean', async () => {
    await page.getByRole('button', { name: 'Notes' }).click();
    await page.getByRole('heading', { name: 'Notes' }).waitFor();
    expect(await page.locator('service-embed').count()).toBe(0);
    await page.getByRole('button', { name: 'Overview' }).click();
    await card.locator('tbody tr').first().waitFor();
    // The selection belonged to the previous page.
    expect(new Set(await choices()).size).toBeGreaterThan(1);
    expect(complained.filter((text) => !/401/.test(text))).toEqual([]);
  });
}
