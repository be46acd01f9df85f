import { expect, oneEvent } from '@open-wc/testing';
import '../src/index.ts';
import type { EmbedFilter, ServiceEmbed } from '../src/index.ts';
import { answer, cell, dimension, EMBED_INVALID, metric, NO_ROWS, SALES } from './answers.ts';
import { Clock } from './clock.ts';
import { all, axeFindsNothing, clearPage, drawn, inside, one, place, shows, texts, waitUntil } from './embed-dom.ts';
import { frames, rest } from './frames.ts';
import { Network } from './network.ts';

describe('an embed and the page it is on', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  const requests = (count: number) => waitUntil(() => network.calls.length === count, `never just ${count} requests`);

  async function answered(body: unknown, attributes: Readonly<Record<string, string>> = {}, status = 200) {
    const element = place(attributes);
    await requests(1);
    network.call().answer(body, status);
    return element;
  }

  it('announces ready, load and render in order, through shadow roots', async () => {
    const outer = document.createElement('div');
    const root = outer.attachShadow({ mode: 'open' });
    document.body.append(outer);
    const events: string[] = [];
    for (const name of ['service-ready', 'service-load', 'service-render'] as const) {
      // Outside, only events that cross the shadow root arrive.
      outer.addEventListener(name, ({ detail }) => events.push(`${name} ${'view' in detail ? detail.view : ''}`));
    }
    const element = place();
    root.append(element);
    await requests(1);
    network.call().answer(SALES);
    await waitUntil(() => events.length === 3);
    expect(events).to.deep.equal(['service-ready ', 'service-load ', 'service-render table']);
    outer.remove();
  });

  it('announces everything about the trust in an answer, and shows the same', async () => {
    const meta = { rowCount: 2, truncated: true, partial: true, suppressed: { count: 3, reason: 'Small groups.' } };
    const element = place();
    const loaded = oneEvent(element, 'service-load');
    await requests(1);
    network.call().answer(answer([dimension('a', 'A')], [{ a: 'x' }, { a: 'y' }], { meta }));
    const { detail } = await loaded;
    expect(detail).to.deep.equal({
      kind: 'query',
      path: 'shared/sales.service',
      tile: undefined,
      title: 'Sales by region',
      rowCount: 2,
      asOf: new Date(1_790_000_000_000),
      cached: true,
      truncated: true,
      partial: true,
      suppressed: { count: 3, reason: 'Small groups.' },
      changed: true,
    });
    await shows(element, 'table');
    expect(texts(inside(element), '[part=gap]')).to.deep.equal([
      'Some of the data is missing',
      'Only the first 2 rows',
      '3 rows with hidden values',
    ]);
    expect(one(inside(element), '.status-line').textContent).to.contain('cached');
    await axeFindsNothing(element);
  });

  const failures: readonly [number | 'network', string, boolean][] = [
    [401, 'EMBED_INVALID', false],
    [403, 'EMBED_INVALID', false],
    [404, 'EMBED_INVALID', false],
    [400, 'REQUEST_REFUSED', false],
    [429, 'RATE_LIMITED', true],
    [502, 'SERVER_ERROR', true],
    ['network', 'NETWORK_ERROR', true],
  ];
  for (const [status, code, retriable] of failures) {
    it(`announces ${status} by the code ${code}, and whether a retry may succeed`, async () => {
      const element = place();
      const failed = oneEvent(element, 'service-error');
      await requests(1);
      if (status === 'network') network.call().breakOff();
      else network.call().answer({ error: 'X', message: 'secret' }, status);
      const { detail } = await failed;
      expect(detail).to.deep.equal({ kind: 'query', path: 'shared/sales.service', tile: undefined, code, retriable });
    });
  }

  it('refreshes on request, keeps its content meanwhile, and reports whether it changed', async () => {
    const element = await answered(SALES);
    await shows(element, 'table');
    const row = one(inside(element), 'tbody tr');
    const changes: boolean[] = [];
    const painted: string[] = [];
    element.addEventListener('service-load', ({ detail }) => changes.push(detail.changed));
    element.addEventListener('service-render', ({ detail }) => painted.push(detail.view));
    const again = element.refresh();
    await requests(2);
    expect(inside(element).querySelector('.skeleton')).to.equal(null);
    const later = { ...SALES, freshness: { computedAtMillis: 1_790_000_060_000, cached: false } };
    network.call(1).answer(later);
    await again;
    expect([changes, painted]).to.deep.equal([[false], []]);
    expect(one(inside(element), 'tbody tr')).to.equal(row);
    expect(one(inside(element), 'time').getAttribute('datetime')).to.equal('2026-09-21T14:14:20.000Z');
    const third = element.refresh();
    await requests(3);
    network.call(2).answer(NO_ROWS);
    await third;
    expect([changes, painted]).to.deep.equal([[false, true], ['empty']]);
  });

  it('keeps the last answer through a temporary failure and reports it, but not through a lost right', async () => {
    const element = await answered(SALES);
    await shows(element, 'table');
    let again = element.refresh();
    await requests(2);
    network.call(1).answer({}, 503);
    await again;
    expect(texts(inside(element), '[part=gap]')).to.deep.equal(['Could not be refreshed']);
    expect(texts(inside(element), 'tbody td:first-child')).to.deep.equal(['North', 'South']);
    again = element.refresh();
    await requests(3);
    network.call(2).answer(EMBED_INVALID, 401);
    await again;
    expect(inside(element).querySelector('table')).to.equal(null);
    expect(texts(inside(element), '[role=alert]')).to.deep.equal(['This embed is not available.']);
  });

  it('announces loading, the answer and the failure to screen readers', async () => {
    const element = place();
    const said = async () => {
      await element.updateComplete;
      return texts(inside(element), '.surface + [role=status]').join();
    };
    expect(await said()).to.equal('Loading…');
    await requests(1);
    network.call().answer(SALES);
    await shows(element, 'table');
    expect(await said()).to.equal('Sales by region: 2 rows');
  });

  it("shows the page's slots in their states", async () => {
    const element = document.createElement('service-embed');
    element.innerHTML = '<b slot="loading">Wait</b><b slot="empty">Nothing here</b><b slot="error">Gone</b>';
    Object.assign(element, { server: 'https://analytics.test', path: 'shared/x.service' });
    document.body.append(element);
    const visible = () =>
      all(element, 'b')
        .filter((each) => each.assignedSlot)
        .map((each) => each.textContent);
    await requests(1);
    expect(visible()).to.deep.equal(['Wait']);
    network.call().answer(NO_ROWS);
    await waitUntil(() => visible().join() === 'Nothing here');
    const again = element.refresh();
    await requests(2);
    network.call(1).answer({}, 401);
    await again;
    expect(visible()).to.deep.equal(['Gone']);
  });

  describe('exports', () => {
    const csv = async (element: ServiceEmbed) =>
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(await (await element.exportCsv()).arrayBuffer());

    it('all rows as CSV, numbers as numbers, text that no spreadsheet runs', async () => {
      const columns = [dimension('a', 'Name, "first"'), metric('m', 'Net sales'), metric('big', 'Big', 'integer')];
      const rows = [
        { a: '=HYPERLINK("x")', m: cell(1234.5, '1,234.50 €'), big: cell('90071992547409931234', '9…') },
        { a: 'two\nlines', m: { value: null, formatted: null, suppressed: true }, big: cell(null, null) },
      ];
      const element = await answered(answer(columns, rows));
      await shows(element, 'table');
      expect(await csv(element)).to.equal(
        '\uFEFF"Name, ""first""",Net sales,Big\r\n"\'=HYPERLINK(""x"")",1234.5,90071992547409931234\r\n"two\nlines",,\r\n',
      );
    });

    it('nothing before the first answer, and explains it', async () => {
      const element = place();
      for (const tried of [element.exportCsv(), element.exportImage()]) {
        const error: unknown = await tried.then(
          () => undefined,
          (reason) => reason,
        );
        expect(error).to.be.instanceOf(DOMException).with.property('name', 'InvalidStateError');
      }
    });

    it('a chart as SVG and as PNG', async () => {
      const element = await answered(SALES, { render: 'chart', theme: 'dark' });
      await drawn(element);
      await rest(inside(element));
      const svg = await (await element.exportImage({ type: 'svg' })).text();
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      expect(parsed.querySelector('parsererror')).to.equal(null);
      expect(texts(parsed, 'text')).to.include.members(['North', 'South', 'Net sales']);
      expect(parsed.querySelector('rect')?.getAttribute('fill')).to.equal('rgb(23, 27, 34)');
      const image = await createImageBitmap(await element.exportImage({ scale: 3 }));
      expect(image.width).to.equal(one(inside(element), '.chart').clientWidth * 3);
    });
  });

  describe('filters', () => {
    const sent = (index: number) => network.call(index).url.searchParams.get('filter');

    for (const [what, filter, expected] of [
      ['values by field', { 'stores.region': ['North', 'Süd & Co'] }, '{"stores.region":["North","Süd & Co"]}'],
      ['a list of conditions', [{ field: 'a.b', op: 'GTE', values: [5] }], '[{"field":"a.b","op":"GTE","values":[5]}]'],
      ['no value at all, which no row has', { 'a.b': [] }, '{"a.b":[]}'],
      ['missing values', [{ field: 'a.b', op: 'IS_NULL' }], '[{"field":"a.b","op":"IS_NULL"}]'],
    ] as const satisfies readonly (readonly [string, EmbedFilter, string])[]) {
      it(`narrow by ${what}`, async () => {
        const element = document.createElement('service-embed');
        Object.assign(element, { server: 'https://analytics.test', path: 'shared/x.service', filter });
        document.body.append(element);
        await requests(1);
        expect(sent(0)).to.equal(expected);
      });
    }

    for (const malformed of [
      '',
      '{',
      '"North"',
      '{"a":"North"}',
      '[{"field":"a","op":"LIKE","values":["x"]}]',
      '{"a":[{}]}',
      '[1]',
    ]) {
      it(`are an error when they are ${malformed || 'empty text'}, and nothing is asked without them`, async () => {
        const element = place({ filter: malformed });
        const { detail } = await oneEvent(element, 'service-error');
        expect([detail.code, detail.retriable]).to.deep.equal(['INVALID_FILTER', false]);
        expect((await shows(element, '[role=alert]')).textContent).to.contain('The filter of this embed is not valid.');
        expect(network.calls).to.have.length(0);
        await axeFindsNothing(element);
      });
    }

    it('that change are announced, and stay unchanged when the page cancels', async () => {
      const element = await answered(SALES);
      await shows(element, 'table');
      element.addEventListener('service-filter', (event) => event.preventDefault(), { once: true });
      element.filter = { a: ['1'] };
      await element.updateComplete;
      await frames(1);
      expect(network.calls).to.have.length(1);
      const filtered = oneEvent(element, 'service-filter');
      element.filter = { a: ['2'] };
      expect((await filtered).detail.filter).to.deep.equal({ a: ['2'] });
      await requests(2);
      expect(sent(1)).to.equal('{"a":["2"]}');
      expect(texts(inside(element), 'tbody td:first-child')).to.deep.equal(['North', 'South']);
    });

    it('narrow the tiles of a dashboard, but not its layout', async () => {
      const tiles = [{ id: 'a', kind: 'kpi', x: 0, y: 0, w: 1, h: 1 }];
      const element = place({ kind: 'dashboard', filter: '{"a":["1"]}' });
      await requests(1);
      expect(network.call().url.search).to.equal('');
      network.call().answer({ title: 'One', tiles });
      await requests(2);
      expect(sent(1)).to.equal('{"a":["1"]}');
      await element.updateComplete;
    });
  });

  describe('a server that is still loading', () => {
    let clock: Clock;
    beforeEach(() => {
      clock = new Clock();
    });
    afterEach(() => clock.restore());
    const LOADING = [{}, 503, { 'Retry-After': '2' }] as const;
    /** Places an element, and answers its read, which is the only one after `others`, that the server is loading. */
    const loading = async (others = 0) => {
      const element = place();
      await waitUntil(() => network.calls.length === others + 1);
      network.call(others).answer(...LOADING);
      await frames(2);
      return element;
    };

    it('is asked again by itself, and its answer is shown', async () => {
      const element = await loading();
      expect(inside(element).querySelector('.failure')).to.equal(null);
      await clock.advance(1_900);
      expect(network.calls.length).to.equal(1);
      // The pause is up to a half longer than the server's.
      await clock.advance(1_200);
      expect(network.calls.length).to.equal(2);
      network.call(1).answer(SALES);
      await shows(element, 'table');
    });

    it('is not waited for longer than that, and no other failure is', async () => {
      for (const [status, pause] of [
        [503, '3600'],
        [503, '-1'],
        [503, 'Fri, 27 Nov 2026 12:00:00 GMT'],
        [500, '2'],
      ] as const) {
        const element = place();
        const at = network.calls.length;
        await waitUntil(() => network.calls.length === at + 1);
        network.call(at).answer({}, status, { 'Retry-After': pause });
        await shows(element, '.failure');
      }
    });

    it('is given up after a while, and not asked once the element has left the page', async () => {
      const element = await loading();
      for (let call = 1; call < 80 && inside(element).querySelector('.failure') === null; call++) {
        await frames(2);
        await clock.advance(3_000);
        network.calls[call]?.answer(...LOADING);
      }
      await shows(element, '.failure');
      expect(network.calls.length).to.be.within(30, 46);
      element.remove();
      const left = await loading(network.calls.length);
      const count = network.calls.length;
      left.remove();
      await clock.advance(60_000);
      expect(network.calls.length).to.equal(count);
    });
  });

  describe('refreshing by itself', () => {
    let clock: Clock;
    beforeEach(() => {
      clock = new Clock();
    });
    afterEach(() => clock.restore());

    /** Counts reads of the repeated query, after the part that repeats them has loaded. */
    const advance = async (milliseconds: number): Promise<number> => {
      await frames(1);
      await clock.advance(milliseconds);
      return network.calls.length;
    };

    it('reads at each interval, and not after it has left the page', async () => {
      const element = await answered(SALES, { 'refresh-interval': '1' });
      await shows(element, 'table');
      await import('../src/refresh/part.ts');
      // The shortest interval is five seconds.
      expect(await advance(4_900)).to.equal(1);
      expect(await advance(200)).to.equal(2);
      network.call(1).answer(SALES);
      element.remove();
      expect(await advance(60_000)).to.equal(2);
    });

    it('pauses while the page is hidden, and reads at once when it is visible again and a read is due', async () => {
      let hidden = true;
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      const turn = (now: boolean): void => {
        hidden = now;
        document.dispatchEvent(new Event('visibilitychange'));
      };
      try {
        const element = await answered(SALES, { 'refresh-interval': '5' });
        await shows(element, 'table');
        await import('../src/refresh/part.ts');
        expect(await advance(60_000)).to.equal(1);
        turn(false);
        expect(await advance(0)).to.equal(2);
        network.call(1).answer(SALES);
        // Visible again a moment later, no read is due.
        turn(true);
        turn(false);
        expect(await advance(500)).to.equal(2);
      } finally {
        Reflect.deleteProperty(document, 'hidden');
      }
    });

    for (const attributes of [
      { render: 'table' },
      { render: 'chart' },
      { render: 'kpi' },
      { render: 'matrix' },
    ] as const) {
      it(`paints nothing of a ${attributes.render} again when nothing changed`, async () => {
        // A part that loads late would paint late.
        await Promise.all([import('../src/kpi/part.ts'), import('../src/formatting/part.ts')]);
        const element = await answered(SALES, attributes);
        await shows(
          element,
          { table: '[role=grid]', chart: '.chart svg', kpi: '.kpi', matrix: '.matrix' }[attributes.render],
        );
        await rest(inside(element));
        let mutations = 0;
        const watching = new MutationObserver((all) => {
          mutations += all.length;
        });
        watching.observe(inside(element), { subtree: true, childList: true, attributes: true, characterData: true });
        const again = element.refresh();
        await requests(2);
        network.call(1).answer(SALES);
        await again;
        await frames(5);
        watching.disconnect();
        expect(mutations).to.equal(0);
      });
    }
  });
});
