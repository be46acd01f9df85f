import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderToString } from '../src/ssr/index.ts';
import { compare } from './gallery/compare.ts';
import * as data from './gallery/data.ts';
import { bundledElement, openChromium, openHostPage, type Reply } from './host-page.ts';

const SHARED = { server: '/', locale: 'en-GB', 'time-zone': 'UTC' };
const QUERY = { ...SHARED, path: 'shared/x.service' };
const BOARD = { ...SHARED, path: 'shared/x.servicedash', kind: 'dashboard' };
const VIEWPORT = { width: 1_112, height: 1_200 };

const forms = [
  ['a table', { answer: data.stores, attributes: QUERY }],
  [
    'a chart',
    // As wide as the page without the margins of the drawing, and as high as the element without those and the line
    // below.
    { answer: data.regions, attributes: { ...QUERY, render: 'chart', height: '340px' }, width: 1_070, height: 279 },
  ],
  ['a number', { answer: data.months, attributes: { ...QUERY, render: 'kpi', measure: 'online', height: '190px' } }],
  ['a matrix', { answer: data.cube, attributes: { ...QUERY, render: 'matrix', height: '440px' } }],
  ['a dashboard', { layout: data.board, tiles: data.tiles, attributes: BOARD }],
] as const;

let browser: Browser;
let files: ReadonlyMap<string, string>;
beforeAll(async () => {
  browser = await openChromium();
  files = await bundledElement();
});
afterAll(() => browser?.close());

/** Takes a picture for a look, in a folder that is not kept. */
async function picture(page: Page, name: string): Promise<Buffer> {
  const png = await page.screenshot({ animations: 'disabled' });
  const folder = new URL('../../.cache/ssr/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name.replaceAll(' ', '-')}.png`, folder), png);
  return png;
}

describe("a server's rendering", () => {
  for (const [what, options] of forms) {
    test(`shows ${what} without JavaScript, under a policy that allows one style sheet by its nonce`, async () => {
      const page = await openHostPage(browser, {
        files,
        script: false,
        html: await renderToString({ ...options, nonce: 'abc' }),
        policy: "default-src 'none'; style-src 'nonce-abc'; img-src data:",
        context: { javaScriptEnabled: false, viewport: VIEWPORT },
      });
      const refused: string[] = [];
      page.on('console', (message) => refused.push(message.text()));
      await page.reload();
      expect(refused).toEqual([]);
      const surface = await page.locator('service-embed [part=surface]').boundingBox();
      expect(surface?.width).toBe(VIEWPORT.width - 16);
      if (what === 'a dashboard') {
        const [first, second] = await page.locator('service-embed .tile-kpi').all();
        const [a, b] = [await first?.boundingBox(), await second?.boundingBox()];
        // Side by side, with a gap of 12.
        expect(a?.y).toBe(b?.y);
        expect((b?.x ?? 0) - (a?.x ?? 0) - (a?.width ?? 0)).toBeCloseTo(12, 0);
      }
      await picture(page, `${what} without JavaScript`);
      await page.context().close();
    });

    test(`stays ${what} while the element takes over, frame by frame, and then works`, async () => {
      const later = async (reply: Reply): Promise<Reply> => {
        await new Promise((done) => setTimeout(done, 150 + Math.round(100 * Math.abs(Math.sin(replies++)))));
        return reply;
      };
      let replies = 0;
      const page = await openHostPage(browser, {
        files,
        // Before the element's own script runs: records each frame.
        html: `${await renderToString(options)}<script>
          seen = [];
          (function look() {
            const { shadowRoot } = document.querySelector('service-embed');
            const count = (selector) => shadowRoot.querySelectorAll(selector).length;
            seen.push({ height: shadowRoot.host.offsetHeight, skeletons: count('.skeleton'), cells: count('td'),
              charts: count('[part=chart] svg'), shapes: count('[part=chart] svg path') > 3, numbers: count('.kpi'), lines: count('.sparkline') });
            requestAnimationFrame(look);
          })();
        </script>`,
        answers: (path) => {
          // The subtotals of a matrix take their time.
          if (path.includes('without=')) return new Promise(() => {});
          if ('answer' in options) return later({ body: options.answer });
          const tile = /\/tiles\/(.*)$/.exec(path)?.[1];
          return later({ body: tile === undefined ? options.layout : options.tiles[tile] });
        },
        context: { viewport: VIEWPORT },
      });
      await page.locator('service-embed [part=surface]').waitFor();
      const written = await picture(page, `${what} as written`);
      await page.waitForFunction("document.querySelector('service-embed').shadowRoot.querySelector('[role=status]')");
      const before: number = await page.evaluate('seen.length');
      await page.waitForFunction(`seen.length > ${before + 15}`);
      const seen: readonly Readonly<Record<string, unknown>>[] = await page.evaluate('seen');
      expect(seen.length).toBeGreaterThan(15);
      // Every frame shows the reader the same.
      expect([...new Set(seen.map((frame) => JSON.stringify(frame)))]).toHaveLength(1);
      expect(seen[0]?.skeletons).toBe(0);
      const taken = await picture(page, `${what} taken over`);
      const { changed, mean } = await compare(page, written, taken);
      expect(changed).toBeLessThan(0.03);
      expect(mean).toBeLessThan(0.02);
      const interactive = { 'a table': '[role=grid]', 'a matrix': '.matrix button', 'a number': '.kpi' }[
        what as string
      ];
      await page
        .locator(`service-embed ${interactive ?? '[role=slider]'}`)
        .first()
        .waitFor({ state: 'attached' });
      await page.context().close();
    });
  }

  test('follows the system and the page in its colours without JavaScript, charts too', async () => {
    const page = await openHostPage(browser, {
      files,
      script: false,
      html: `<style>body { background: #000; } service-embed { --service-embed-chart-2: rgb(1, 200, 3); }</style>${await renderToString(
        {
          layout: data.board,
          tiles: data.tiles,
          attributes: { ...BOARD, theme: 'auto' },
        },
      )}`,
      context: { javaScriptEnabled: false, viewport: VIEWPORT, colorScheme: 'dark' },
    });
    const fills = (selector: string): Promise<readonly string[]> =>
      page
        .locator(`service-embed .painted svg ${selector}`)
        .evaluateAll((all) => [...new Set(all.map((each) => getComputedStyle(each).fill))]);
    // The texts of legends and axes, in the dark theme's own colours.
    expect([...(await fills('text'))].sort()).toEqual(['rgb(159, 171, 185)', 'rgb(230, 234, 240)']);
    expect(await fills('path')).toContain('rgb(1, 200, 3)');
    await picture(page, 'a dark dashboard without JavaScript');
    await page.context().close();
  });
});
