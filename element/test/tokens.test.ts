import { expect, oneEvent } from '@open-wc/testing';
import '../src/index.ts';
import type { GetToken, ServiceEmbed } from '../src/index.ts';
import { EMBED_INVALID, SALES } from './answers.ts';
import { Clock } from './clock.ts';
import { clearPage, inside, shows, texts, waitUntil } from './embed-dom.ts';
import { Network } from './network.ts';

describe('the tokens of an embed', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  const requests = (count: number) => waitUntil(() => network.calls.length === count, `never just ${count} requests`);
  const sent = (index: number) => network.call(index).headers.get('X-Service-Embed-Token');

  function withTokens(getToken: GetToken, more: Partial<ServiceEmbed> = {}): ServiceEmbed {
    const element = document.createElement('service-embed');
    Object.assign(element, { server: 'https://analytics.test', path: 'shared/x.service', getToken, ...more });
    document.body.append(element);
    return element;
  }

  it('come from one call for all elements with the same resource, and the call names it', async () => {
    const asked: unknown[] = [];
    const pending: ((token: string) => void)[] = [];
    const getToken: GetToken = (request) => {
      asked.push(request);
      return new Promise((resolve) => pending.push(resolve));
    };
    const first = withTokens(getToken);
    const second = withTokens(getToken);
    const other = withTokens(getToken, { path: 'shared/y.service' });
    for (const element of [first, second, other]) await element.updateComplete;
    await waitUntil(() => pending.length === 2);
    for (const resolve of pending) resolve('tx-1');
    await requests(3);
    expect([sent(0), sent(1), sent(2)]).to.deep.equal(['tx-1', 'tx-1', 'tx-1']);
    expect(asked).to.have.deep.members([
      { server: 'https://analytics.test', kind: 'query', path: 'shared/x.service' },
      { server: 'https://analytics.test', kind: 'query', path: 'shared/y.service' },
    ]);
  });

  it('are requested once more after a refusal, and the content stays', async () => {
    let count = 0;
    const element = withTokens(async () => `tx-${++count}`);
    await requests(1);
    network.call().answer(SALES);
    await shows(element, 'table');
    void element.refresh();
    await requests(2);
    network.call(1).answer(EMBED_INVALID, 401);
    await requests(3);
    expect([sent(1), sent(2)]).to.deep.equal(['tx-1', 'tx-2']);
    expect(texts(inside(element), 'tbody td:first-child')).to.deep.equal(['North', 'South']);
    network.call(2).answer(EMBED_INVALID, 401);
    await shows(element, '[role=alert]');
    expect(count).to.equal(2);
  });

  it('that the page gave as an attribute are used first', async () => {
    const element = withTokens(async () => 'tx-renewed', { token: 'tx-first' });
    await requests(1);
    expect(sent(0)).to.equal('tx-first');
    network.call().answer(EMBED_INVALID, 401);
    await requests(2);
    expect(sent(1)).to.equal('tx-renewed');
    network.call(1).answer(SALES);
    await shows(element, 'table');
  });

  it('are renewed before they end, without another read, unless the page declines', async () => {
    const clock = new Clock();
    try {
      let count = 0;
      const getToken: GetToken = async () => ({ token: `tx-${++count}`, expiresAt: Date.now() + 600_000 });
      const element = withTokens(getToken);
      const expiring = oneEvent(element, 'service-token-expiring');
      await requests(1);
      network.call().answer(SALES);
      await shows(element, 'table');
      // A tenth of its ten minutes is left.
      await clock.advance(539_999);
      expect(count).to.equal(1);
      await clock.advance(1);
      expect((await expiring).detail.expiresAt.getTime()).to.equal(Date.now() + 60_000);
      expect(count).to.equal(2);
      expect(network.calls).to.have.length(1);
      element.addEventListener('service-token-expiring', (event) => event.preventDefault());
      await clock.advance(600_001);
      expect(count).to.equal(2);
      void element.refresh();
      await requests(2);
      expect(sent(1)).to.equal('tx-3');
    } finally {
      clock.restore();
    }
  });

  it('that do not come are an error, tried again after a pause, and at once when the page is online again', async () => {
    const clock = new Clock();
    try {
      let count = 0;
      const getToken: GetToken = async () => {
        count += 1;
        if (count < 3) throw new Error('offline');
        return 'tx-late';
      };
      const element = withTokens(getToken);
      const { detail } = await oneEvent(element, 'service-error');
      expect([detail.code, detail.retriable]).to.deep.equal(['TOKEN_UNAVAILABLE', true]);
      // The first pause is a second, give or take a quarter.
      await clock.advance(700);
      expect(count).to.equal(1);
      await clock.advance(600);
      expect(count).to.equal(2);
      dispatchEvent(new Event('online'));
      await waitUntil(() => count === 3);
      await requests(1);
      expect(sent(0)).to.equal('tx-late');
      network.call().answer(SALES);
      await shows(element, 'table');
    } finally {
      clock.restore();
    }
  });

  it('are not renewed for an element that has left the page', async () => {
    const clock = new Clock();
    try {
      let count = 0;
      const element = withTokens(async () => ({ token: `tx-${++count}`, expiresAt: Date.now() + 300_000 }));
      await requests(1);
      element.remove();
      await clock.advance(300_001);
      expect(count).to.equal(1);
    } finally {
      clock.restore();
    }
  });

  it('of no use are no tokens', async () => {
    const element = withTokens(() => '');
    const { detail } = await oneEvent(element, 'service-error');
    expect(detail.code).to.equal('TOKEN_UNAVAILABLE');
    expect(network.calls).to.have.length(0);
  });
});
