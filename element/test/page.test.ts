import { expect, nextFrame } from '@open-wc/testing';
import '../src/index.ts';
import { SALES } from './answers.ts';
import { clearPage, drawn, inside, place, shows, waitUntil } from './embed-dom.ts';
import { Network } from './network.ts';

/** Counts what the element leaves running: listeners on the window and the document, timers, observers. */
class Footprint {
  listeners = 0;
  observers = 0;
  readonly timers = new Set<unknown>();
  readonly #undo: (() => void)[] = [];

  constructor() {
    for (const target of [window, document]) {
      this.#wrap(target, 'addEventListener', (add) => (...given: unknown[]) => {
        this.listeners += 1;
        return add.apply(target, given);
      });
      this.#wrap(target, 'removeEventListener', (remove) => (...given: unknown[]) => {
        this.listeners -= 1;
        return remove.apply(target, given);
      });
    }
    this.#wrap(window, 'setTimeout', (set) => (...given: unknown[]) => {
      const [run, ...rest] = given;
      const timer: unknown = set.call(
        window,
        () => {
          this.timers.delete(timer);
          if (typeof run === 'function') run();
        },
        ...rest,
      );
      this.timers.add(timer);
      return timer;
    });
    this.#wrap(window, 'clearTimeout', (clear) => (timer: unknown) => {
      this.timers.delete(timer);
      clear.call(window, timer);
    });
    for (const kind of [ResizeObserver, IntersectionObserver]) {
      const seen = new WeakSet<object>();
      this.#wrap(kind.prototype, 'observe', (observe) => {
        const count = (observer: object): void => {
          if (!seen.has(observer)) this.observers += 1;
          seen.add(observer);
        };
        return function (this: object, ...given: unknown[]) {
          count(this);
          return observe.apply(this, given);
        };
      });
      this.#wrap(kind.prototype, 'disconnect', (disconnect) => {
        const count = (observer: object): void => {
          if (seen.delete(observer)) this.observers -= 1;
        };
        return function (this: object) {
          count(this);
          return disconnect.apply(this, []);
        };
      });
    }
  }

  restore(): void {
    for (const undo of this.#undo) undo();
  }

  // biome-ignore lint/complexity/noBannedTypes: any function of the platform.
  #wrap(owner: object, name: string, wrapped: (original: Function) => unknown): void {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== 'function') throw new Error(`There is no ${name}.`);
    Reflect.set(owner, name, wrapped(original));
    this.#undo.push(() => Reflect.set(owner, name, original));
  }
}

describe('an embed in a page', () => {
  afterEach(clearPage);

  it('leaves nothing behind when it has come and gone 1,000 times', async function () {
    this.timeout(90_000);
    const network = new Network();
    // What arrives once for all of them is here before the counting begins.
    const first = place({ render: 'chart' });
    await waitUntil(() => network.calls.length === 1);
    network.call().answer(SALES);
    await drawn(first);
    first.render = 'table';
    await shows(first, '[role=grid]');
    first.remove();
    globalThis.fetch = () => Promise.resolve(new Response(JSON.stringify(SALES)));
    const footprint = new Footprint();
    try {
      for (let cycle = 0; cycle < 1_000; cycle += 1) {
        // One in ten is a chart that is really drawn; one in ten is torn out before it has its answer.
        const element = place({ render: cycle % 10 === 0 ? 'chart' : 'table', 'refresh-interval': '60' });
        element.getToken = () => ({ token: 'tx', expiresAt: Date.now() + 3_600_000 });
        const awaited = cycle % 10 === 0 ? '.chart svg' : 'table';
        // Frame by frame: a wait with a time limit would be counted as a timer.
        while (cycle % 10 !== 1 && !inside(element).querySelector(awaited)) await nextFrame();
        element.remove();
      }
      // The test's own waiting is over; what is still planned is the element's.
      for (let frame = 0; frame < 20; frame += 1) await nextFrame();
      expect(footprint.observers).to.equal(0);
      expect(footprint.listeners).to.equal(0);
      expect(footprint.timers.size).to.equal(0);
      expect(document.querySelectorAll('service-embed')).to.have.length(0);
    } finally {
      footprint.restore();
      network.restore();
    }
  });

  it('runs under a policy that requires Trusted Types and refuses inline styles', async function () {
    this.timeout(30_000);
    const frame = document.createElement('iframe');
    frame.src = '/element/test/pages/strict.html';
    const message = new Promise<unknown>((resolve) => {
      addEventListener('message', ({ data, source }) => source === frame.contentWindow && resolve(data));
    });
    document.body.append(frame);
    expect(await message).to.deep.equal({
      violations: [],
      views: ['chart:bar', 'chart:pie', 'table', 'matrix', 'kpi'],
      left: 0,
    });
    frame.remove();
  });

  it("replaces a server's rendering when its own content is ready", async () => {
    const network = new Network();
    const box = document.createElement('div');
    box.setHTMLUnsafe(`<service-embed server="https://analytics.test" path="shared/x.service">
      <template shadowrootmode="open"><p class="written">Written by the server</p></template></service-embed>`);
    document.body.append(box);
    const element = box.querySelector('service-embed');
    if (!element) throw new Error('There is no element.');
    await waitUntil(() => network.calls.length === 1);
    expect(inside(element).querySelector('.written')).not.to.equal(null);
    network.call().answer(SALES);
    await shows(element, 'table');
    expect(inside(element).querySelector('.written')).to.equal(null);
    box.remove();
    network.restore();
  });
});
