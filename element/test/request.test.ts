import { expect } from '@open-wc/testing';
import '../src/index.ts';
import { clearPage, inside, place, shows, texts, waitUntil } from './embed-dom.ts';
import { frames } from './frames.ts';
import { Network } from './network.ts';

const answerOf = (city: string) => ({
  title: 'Cities',
  columns: [{ key: 'shops.city', label: 'City', type: 'dimension', dataType: 'text' }],
  records: [{ 'shops.city': city }],
  meta: { rowCount: 1, truncated: false },
  freshness: { computedAtMillis: 0, cached: false },
});

describe('the request of an embed', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  const requested = () => waitUntil(() => network.calls.length > 0, 'nothing was requested');

  it('carries the token in the header and nowhere else, and no credentials', async () => {
    place({ token: 'tx-secret' });
    await requested();
    const { url, init, headers } = network.call();
    expect(url.href).to.equal('https://analytics.test/rest/service/api/embed/query/shared/sales.service');
    expect(init.credentials).to.equal('omit');
    expect(init.referrerPolicy).to.equal('no-referrer');
    expect(headers.get('X-Service-Embed-Token')).to.equal('tx-secret');
    expect([...headers.keys()]).to.have.members(['accept', 'x-service-embed-token']);
  });

  it('carries no token header for a public grant', async () => {
    place({ token: '' });
    await requested();
    expect(network.call().headers.has('X-Service-Embed-Token')).to.equal(false);
  });

  it('goes by the session on a page of the service, to the reads of its own pages', async () => {
    place({ token: 'session' });
    await requested();
    const { url, init } = network.call();
    expect(url.pathname).to.equal('/rest/service/api/view/query/shared/sales.service');
    // Never `include`: a page of another origin has no credentials to send by it.
    expect(init.credentials).to.equal('same-origin');
  });

  it('goes to no server where the page reads the answers itself, and another reader is another answer', async () => {
    const element = place({ server: '', path: '', token: '' });
    element.reader = () => Promise.resolve(answerOf('Oslo'));
    await waitUntil(() => texts(inside(element), 'td')[0] === 'Oslo', 'the first answer never appeared');
    let deliver: (answer: unknown) => void = () => {};
    element.reader = () => new Promise((resolve) => (deliver = resolve));
    await element.updateComplete;
    expect(texts(inside(element), 'td')[0]).to.equal('Oslo');
    deliver(answerOf('Rome'));
    await waitUntil(() => texts(inside(element), 'td')[0] === 'Rome', 'the second answer never appeared');
    expect(network.calls.filter(({ url }) => url.pathname.startsWith('/rest/'))).to.have.length(0);
  });

  it('encodes each segment of the path and keeps its slashes', async () => {
    place({ path: '/shared/été 50%/a?b#c&token=x.service' });
    await requested();
    expect(network.call().url.href).to.equal(
      'https://analytics.test/rest/service/api/embed/query/shared/%C3%A9t%C3%A9%2050%25/a%3Fb%23c%26token%3Dx.service',
    );
  });

  it('keeps the path prefix of a service behind a proxy, with or without a slash at its end', async () => {
    place({ server: 'https://host.test/analytics/' });
    await requested();
    expect(network.call().url.pathname).to.equal('/analytics/rest/service/api/embed/query/shared/sales.service');
  });

  it('requests a dashboard for kind="dashboard", and a query for an unknown kind', async () => {
    place({ kind: 'dashboard' });
    place({ kind: 'report' });
    await waitUntil(() => network.calls.length === 2);
    // The dashboard's own part is fetched first.
    expect(network.calls.map(({ url }) => url.pathname.split('/')[5]).sort()).to.deep.equal(['dashboard', 'query']);
  });

  for (const [what, attributes] of [
    ['a path that climbs', { path: 'shared/../../admin' }],
    ['a path with an empty segment', { path: 'shared//x' }],
    ['a path that is no text', { path: 'shared/\ud800' }],
    ['a server that is no http address', { server: 'javascript:alert(1)' }],
    ['a token that no header can hold', { token: 'tx-\n€' }],
  ] as const) {
    it(`is never sent for ${what}`, async () => {
      const element = place(attributes);
      const error = await shows(element, '[role=alert]');
      expect(error.textContent).to.contain('This embed is not available.');
      expect(network.calls).to.have.length(0);
    });
  }

  it('waits until server and path are both set', async () => {
    const element = document.createElement('service-embed');
    element.setAttribute('server', 'https://analytics.test');
    document.body.append(element);
    expect((await shows(element, '.notice')).textContent).to.contain('server and path');
    await frames(1);
    expect(network.calls).to.have.length(0);
    element.setAttribute('path', 'shared/x.service');
    await requested();
  });
});
