import { expect } from '@open-wc/testing';
import { ServiceEmbed } from '../src/index.ts';
import { register } from '../src/register.ts';
import { answer, cell, dimension, EMBED_INVALID, manyRows, metric, SALES } from './answers.ts';
import { clearPage, drawn, inside, one, place, readSeries, shows, texts, waitUntil } from './embed-dom.ts';
import { frames } from './frames.ts';
import { Network } from './network.ts';

/** Creates an answer of one row with this name. */
function named(name: string) {
  return answer([dimension('a', 'Name'), metric('m', 'M')], [{ a: name, m: cell(1, '1') }]);
}

describe('an embed through its life', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  const requests = (count: number) =>
    waitUntil(() => network.calls.length === count, `there were never just ${count} requests`);
  const firstCell = (element: Element) => texts(inside(element), 'tbody td')[0];
  const firstCellIs = (element: Element, text: string) => waitUntil(() => firstCell(element) === text, `never ${text}`);

  it('draws again without a request when render, mode or height changes', async () => {
    const element = place();
    await requests(1);
    network.call().answer(SALES);
    await shows(element, '.scroller');
    element.setAttribute('render', 'chart');
    expect(readSeries(await drawn(element))[0]?.type).to.equal('bar');
    element.setAttribute('mode', 'line');
    await element.updateComplete;
    expect(readSeries(await drawn(element))[0]?.type).to.equal('line');
    element.setAttribute('height', '300px');
    await element.updateComplete;
    expect(element.getBoundingClientRect().height).to.equal(300);
    element.removeAttribute('render');
    await shows(element, '.scroller');
    expect(network.calls).to.have.length(1);
  });

  it('can be given its attributes as properties, render among them, as React and Vue do', async () => {
    const element = new ServiceEmbed();
    Object.assign(element, {
      server: 'https://analytics.test',
      path: 'shared/x.service',
      render: 'chart',
      mode: 'line',
    });
    document.body.append(element);
    await requests(1);
    network.call().answer(SALES);
    expect(readSeries(await drawn(element))[0]?.type).to.equal('line');
  });

  for (const [attribute, value] of [
    ['server', 'https://other.test'],
    ['path', 'shared/other.service'],
    ['kind', 'dashboard'],
    ['token', 'tx-other'],
  ] as const) {
    it(`asks again when ${attribute} changes, and gives up the request before`, async () => {
      const element = place();
      await requests(1);
      element.setAttribute(attribute, value);
      await requests(2);
      expect(network.call(0).aborted).to.equal(true);
      expect(network.call(1).aborted).to.equal(false);
    });
  }

  it('asks once for several changes at a time, and not for a change that means the same', async () => {
    const element = place();
    await requests(1);
    element.setAttribute('path', 'shared/a.service');
    element.setAttribute('token', 'tx-a');
    await requests(2);
    element.setAttribute('kind', 'query');
    element.setAttribute('path', 'shared/a.service');
    await element.updateComplete;
    await frames(1);
    expect(network.calls).to.have.length(2);
  });

  it('never shows an answer that comes after a newer one', async () => {
    const element = place({ path: 'shared/old.service' });
    await requests(1);
    element.setAttribute('path', 'shared/new.service');
    await requests(2);
    network.call(1).answer(named('new'));
    await firstCellIs(element, 'new');
    await network.call(0).answerAndSettle(named('old'));
    expect(firstCell(element)).to.equal('new');
  });

  it('never shows an answer that comes before a newer one either', async () => {
    const element = place({ path: 'shared/old.service' });
    await requests(1);
    element.setAttribute('path', 'shared/new.service');
    await requests(2);
    await network.call(0).answerAndSettle(named('old'));
    expect(inside(element).querySelector('.skeleton')).not.to.equal(null);
    network.call(1).answer(named('new'));
    await firstCellIs(element, 'new');
  });

  it('shows nothing of one resource while it loads another', async () => {
    const element = place();
    await requests(1);
    network.call().answer(named('first'));
    await firstCellIs(element, 'first');
    element.setAttribute('path', 'shared/second.service');
    await shows(element, '.skeleton');
    expect(inside(element).textContent).not.to.contain('first');
  });

  it('keeps its content while it tries a new token, and drops it when that fails', async () => {
    const element = place();
    await requests(1);
    network.call().answer(named('first'));
    await firstCellIs(element, 'first');
    element.setAttribute('token', 'tx-fresh');
    await requests(2);
    expect(firstCell(element)).to.equal('first');
    network.call(1).answer(EMBED_INVALID, 401);
    await shows(element, '[role=alert]');
    expect(inside(element).textContent).not.to.contain('first');
  });

  it('starts a long table of another resource at its top', async () => {
    const element = place();
    await requests(1);
    network.call().answer(manyRows(5_000));
    const scroller = await shows(element, '.scroller');
    scroller.scrollTop = 90_000;
    await waitUntil(() => inside(element).querySelector('tr[aria-rowindex="2502"]') !== null);
    element.setAttribute('path', 'shared/other.service');
    await requests(2);
    network.call(1).answer(manyRows(4_000));
    await waitUntil(() => inside(element).querySelector('tr[aria-rowindex="2"]') !== null);
    expect(one(inside(element), '.scroller').scrollTop).to.equal(0);
  });

  it('gives up its request when it leaves the page, and asks again when it is back', async () => {
    const element = place();
    await requests(1);
    element.remove();
    expect(network.call(0).aborted).to.equal(true);
    element.setAttribute('path', 'shared/elsewhere.service');
    await frames(1);
    expect(network.calls).to.have.length(1);
    document.body.append(element);
    await requests(2);
    expect(network.call(1).url.pathname).to.contain('elsewhere');
  });

  it('cancels layout and tiles of a dashboard, and later requests only the missing ones', async () => {
    const tiles = ['a', 'b'].map((id, x) => ({ id, kind: 'kpi', x, y: 0, w: 1, h: 1 }));
    const element = place({ kind: 'dashboard' });
    await requests(1);
    network.call().answer({ title: 'Two', tiles });
    await requests(3);
    network.to('/a').answer(named('a'));
    await shows(element, '.kpi');
    element.remove();
    expect(network.to('/b').aborted).to.equal(true);
    document.body.append(element);
    await requests(4);
    expect(network.call(3).url.pathname).to.match(/\/tiles\/b$/);
  });

  it('keeps its answer when it is moved within the page', async () => {
    const element = place();
    await requests(1);
    network.call().answer(named('kept'));
    await firstCellIs(element, 'kept');
    const box = document.createElement('div');
    document.body.append(box);
    box.append(element);
    await element.updateComplete;
    expect(firstCell(element)).to.equal('kept');
    expect(network.calls).to.have.length(1);
    box.remove();
  });

  it('is registered once, however often and by whichever copy that is tried', () => {
    class AnotherCopy extends ServiceEmbed {}
    expect(() => register(AnotherCopy)).not.to.throw();
    expect(customElements.get('service-embed')).to.equal(ServiceEmbed);
  });

  it('has an open shadow root and leaves no global behind', async () => {
    const before = new Set(Object.getOwnPropertyNames(window));
    const element = place();
    await requests(1);
    network.call().answer(SALES);
    await shows(element, 'table');
    expect(element.shadowRoot?.mode).to.equal('open');
    expect(Object.getOwnPropertyNames(window).filter((name) => !before.has(name))).to.deep.equal([]);
  });
});
