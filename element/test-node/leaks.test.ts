import type { CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as data from './gallery/data.ts';
import { bundledElement, openChromium, openHostPage } from './host-page.ts';

const CYCLES = 400;
/** Number of cycles after which everything that loads or compiles once is loaded. */
const WARM_UP = 60;

let close = async (): Promise<void> => {};
let page: Page;
let tools: CDPSession;
beforeAll(async () => {
  const browser = await openChromium();
  close = () => browser.close();
  page = await openHostPage(browser, { files: await bundledElement(), html: '' });
  tools = await page.context().newCDPSession(page);
});
afterAll(() => close());

/** Counts live objects after garbage collection. */
interface Alive {
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
  readonly elements: number;
  readonly charts: number;
  readonly observers: number;
  readonly timers: number;
}

async function alive(): Promise<Alive> {
  // Twice, because a finalizer's objects are garbage only after it has run.
  for (let time = 0; time < 2; time += 1) {
    await tools.send('HeapProfiler.collectGarbage');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
  const { metrics } = await tools.send('Performance.getMetrics');
  const metric = (name: string): number => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  return {
    heap: metric('JSHeapUsedSize'),
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
    elements: await instances("customElements.get('service-embed').prototype"),
    charts: await instances('window.chartPrototype'),
    observers: (await instances('ResizeObserver.prototype')) + (await instances('IntersectionObserver.prototype')),
    timers: await page.evaluate('window.timers.size'),
  };
}

/** Counts the objects with this prototype. */
async function instances(prototype: string): Promise<number> {
  const { result } = await tools.send('Runtime.evaluate', { expression: prototype });
  const { objects } = await tools.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' });
  const counted = await tools.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: 'function () { return this.length; }',
    returnByValue: true,
  });
  await tools.send('Runtime.releaseObject', { objectId: objects.objectId ?? '' });
  return counted.result.value;
}

/** Puts an element on the page, waits until it is painted, and removes it; every tenth time before its answer. */
function mountAndUnmount(cycles: number): Promise<void> {
  return page.evaluate(async (count) => {
    const forms = [{ render: 'table' }, { render: 'chart', mode: 'line' }, { kind: 'dashboard' }];
    for (let cycle = 0; cycle < count; cycle += 1) {
      const form = forms[cycle % forms.length] ?? {};
      const element = document.createElement('service-embed');
      Object.assign(element, { server: '/', path: 'shared/x.service', refreshInterval: 60, theme: 'auto', ...form });
      Object.assign(element, { getToken: () => ({ token: 'tx', expiresAt: Date.now() + 3_600_000 }) });
      const painted = new Promise((done) => {
        // The last chart of a dashboard.
        const views = 'kind' in form ? 5 : 1;
        let seen = 0;
        element.addEventListener('service-render', () => {
          seen += 1;
          if (seen === views) done(undefined);
        });
      });
      document.body.append(element);
      if (cycle % 10 === 9) await Promise.resolve();
      else await painted;
      element.remove();
    }
  }, cycles);
}

test(`${CYCLES} tables, charts and dashboards come and go, and leave nothing behind`, {
  timeout: 300_000,
}, async () => {
  await tools.send('Performance.enable');
  await page.evaluate(
    ([query, board, tiles]) => {
      window.fetch = async (input) => {
        const path = new URL(String(input), location.href).pathname;
        const tile = /\/tiles\/(.*)$/.exec(path)?.[1];
        const body = tile ? tiles[tile] : path.includes('/dashboard/') ? board : query;
        return new Response(JSON.stringify(body));
      };
      const timers = new Set<unknown>();
      const { setTimeout: set, clearTimeout: clear } = window;
      Object.assign(window, {
        timers,
        setTimeout(run: () => void, wait: number) {
          const timer = set(() => {
            timers.delete(timer);
            run();
          }, wait);
          timers.add(timer);
          return timer;
        },
        clearTimeout(timer: number) {
          timers.delete(timer);
          clear(timer);
        },
      });
    },
    [data.months, { ...data.board, tiles: data.fiveTiles }, data.tiles] as const,
  );
  await page.addScriptTag({
    type: 'module',
    content: "import { chartPrototype } from '/element/echarts.js'; Object.assign(window, { chartPrototype });",
  });
  await page.waitForFunction('window.chartPrototype');
  await page.evaluate(
    () =>
      new Promise((painted) => {
        const element = document.createElement('service-embed');
        Object.assign(element, { server: '/', path: 'shared/x.service', render: 'chart' });
        element.addEventListener('service-render', painted);
        document.body.append(element);
      }),
  );
  // Living objects are found, so the counting works.
  const there = await alive();
  expect([there.elements, there.charts]).toEqual([1, 1]);
  expect(there.observers).toBeGreaterThanOrEqual(1);
  await page.evaluate(() => document.querySelector('service-embed')?.remove());
  await mountAndUnmount(WARM_UP);
  const before = await alive();
  const begun = performance.now();
  await mountAndUnmount(CYCLES);
  const seconds = (performance.now() - begun) / 1_000;
  const after = await alive();
  const grown = (after.heap - before.heap) / 1_000;
  process.stdout.write(
    `${CYCLES} cycles in ${seconds.toFixed(0)} s: heap ${(before.heap / 1e6).toFixed(1)} MB, then ${(after.heap / 1e6).toFixed(1)} MB ` +
      `(${grown.toFixed(0)} KB more); nodes ${before.nodes}, then ${after.nodes}; listeners ${before.listeners}, then ${after.listeners}; ` +
      `elements ${after.elements}, charts ${after.charts}, observers ${after.observers}, timers ${after.timers}\n`,
  );
  expect(after.timers).toBe(0);
  // The engine may still reference the last element, never more.
  expect(after.elements).toBeLessThanOrEqual(1);
  expect(after.charts).toBeLessThanOrEqual(1);
  expect(after.observers).toBeLessThanOrEqual(3);
  expect(after.listeners - before.listeners).toBeLessThanOrEqual(20);
  expect(after.nodes - before.nodes).toBeLessThanOrEqual(500);
  // A leaked element would cost some 50 KB each time, 20 MB in all.
  expect(grown).toBeLessThan(1_000);
});
