import { expect } from '@open-wc/testing';
import type { ErrorDetail, LoadDetail } from '../src/events.ts';
import '../src/index.ts';
import { SALES } from './answers.ts';
import { all, axeFindsNothing, clearPage, inside, one, place, shows, texts, waitUntil } from './embed-dom.ts';
import { Network } from './network.ts';

const BOX = { title: 'Ask the shop', suggestions: ['Which regions sell most?', 'And which least?'], configured: true };
const QUERY = { connection: 'demo', model: 'shop', rows: [{ dataset: 'stores', field: 'region' }] };

/** Writes events like the server sends them. */
const stream = (...events: readonly (readonly [event: string, data: object])[]) =>
  events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
const answered = (more: object = {}) =>
  stream(
    ['thinking', { attempt: 1 }],
    ['query', { attempt: 1 }],
    ['validation', { attempt: 1, valid: true }],
    ['answer', { ...SALES, title: 'Which regions sell most?', queryUsed: QUERY, followUps: ['By Country'], ...more }],
  );

describe('kind="ai"', () => {
  let network: Network;
  beforeEach(() => {
    network = new Network();
  });
  afterEach(() => {
    clearPage();
    network.restore();
  });

  async function box(json: object = BOX, attributes: Readonly<Record<string, string>> = {}) {
    const element = place({ kind: 'ai', path: 'shared/ask.serviceask', ...attributes });
    await waitUntil(() => network.calls.length === 1, 'the box was never read');
    network.call().answer(json);
    await shows(element, '.ask-title');
    return element;
  }

  async function ask(element: HTMLElement, question: string) {
    const before = network.calls.length;
    const input = one(inside(element), '.ask-input') as HTMLInputElement;
    input.value = question;
    one(inside(element), '.ask-button').click();
    await waitUntil(() => network.calls.length === before + 1, 'nothing was asked');
    return network.call(before);
  }

  it('offers suggestions before the first question', async () => {
    const element = await box();
    expect(network.call().url.pathname).to.equal('/rest/service/api/embed/ai/shared/ask.serviceask');
    expect(texts(inside(element), '.ask-chip')).to.deep.equal(BOX.suggestions);
    await axeFindsNothing(element);
  });

  it('sends the token in the header only, and shows the answer, its query and follow-up questions', async () => {
    const element = await box();
    const loads: LoadDetail[] = [];
    element.addEventListener('service-load', ({ detail }) => loads.push(detail));
    const call = await ask(element, ' Which regions sell most? ');
    expect(call.init).to.include({ method: 'POST', credentials: 'omit' });
    expect(call.headers.get('X-Service-Embed-Token')).to.equal('tx-secret');
    expect(JSON.parse(String(call.init.body))).to.deep.equal({
      question: 'Which regions sell most?',
      history: [],
      clarify: true,
    });
    expect(one(inside(element), '.ask-button').textContent).to.equal('Stop');
    expect(texts(inside(element), '.ask-progress')).to.deep.equal(['Reading the question…']);
    call.answer(answered());
    await shows(element, '.ask-answer .chart svg');
    expect((one(inside(element), '.ask-text') as HTMLTextAreaElement).value).to.equal(JSON.stringify(QUERY, null, 2));
    expect(texts(inside(element), '.ask-chip')).to.deep.equal(['By Country']);
    expect(loads.map(({ kind, rowCount }) => ({ kind, rowCount }))).to.deep.equal([{ kind: 'ai', rowCount: 2 }]);
    expect(await element.exportCsv()).to.be.instanceOf(Blob);
    await axeFindsNothing(element);
  });

  it('asks by the session with the CSRF pair', async () => {
    const element = await box(BOX, { token: 'session' });
    // biome-ignore lint/suspicious/noDocumentCookie: as the service sets it; the Cookie Store is not in every browser.
    document.cookie = 'XSRF-TOKEN=a%2Bb.c';
    const call = await ask(element, 'Which regions sell most?');
    // biome-ignore lint/suspicious/noDocumentCookie: the same.
    document.cookie = 'XSRF-TOKEN=; max-age=0';
    expect(call.url.pathname).to.equal('/rest/service/api/view/ai/shared/ask.serviceask');
    expect(call.init).to.include({ method: 'POST', credentials: 'same-origin' });
    expect(call.headers.get('X-XSRF-TOKEN')).to.equal('a+b.c');
  });

  it('sends the conversation to the server: the questions and their queries, never a result', async () => {
    const element = await box();
    (await ask(element, 'Which regions sell most?')).answer(answered());
    const chip = await shows(element, '.ask-exchange .ask-chip');
    chip.click();
    await waitUntil(() => network.calls.length === 3);
    const { question, history } = JSON.parse(String(network.call(2).init.body));
    expect(question).to.equal('By Country');
    expect(history).to.deep.equal([
      { role: 'user', content: 'Which regions sell most?' },
      { role: 'assistant', content: JSON.stringify(QUERY) },
    ]);
    expect(inside(element).activeElement).to.equal(one(inside(element), '.ask-button'));
    await waitUntil(() => texts(inside(element), '.ask-earlier li')[0] === 'Which regions sell most?');
  });

  it('runs a query that the visitor has corrected, and explains one that is wrong', async () => {
    const element = await box();
    (await ask(element, 'Which regions sell most?')).answer(answered());
    const text = (await shows(element, '.ask-text')) as HTMLTextAreaElement;
    one(inside(element), '.ask-query summary').click();
    const run = async (query: string) => {
      text.value = query;
      one(inside(element), '.ask-query button').click();
    };
    await run('no JSON');
    expect(text.validity.customError).to.equal(true);
    expect(network.calls).to.have.length(2);
    const corrected = { ...QUERY, limit: 3 };
    text.dispatchEvent(new Event('input'));
    await run(JSON.stringify(corrected));
    await waitUntil(() => network.calls.length === 3, 'nothing was run');
    expect(JSON.parse(String(network.call(2).init.body))).to.deep.equal({
      question: 'Which regions sell most?',
      history: [],
      request: corrected,
    });
    const refused = { error: 'VALIDATION_ERROR', message: 'There is no field "regoin".', available: ['region'] };
    network.call(2).answer(stream(['query', { attempt: 1 }], ['error', refused]));
    await shows(element, '.ask-exchange .notice');
    expect(inside(element).textContent).to.contain('There is no field "regoin". · region');
    expect((one(inside(element), '.ask-text') as HTMLTextAreaElement).value).to.equal(JSON.stringify(corrected));
    await axeFindsNothing(element);
  });

  it('asks back where a question has two readings, and answers the one that is chosen', async () => {
    const element = await box();
    const readings = [
      { label: 'Net sales', request: QUERY },
      { label: 'Gross sales', request: { ...QUERY, limit: 9 } },
    ];
    (await ask(element, 'Sales?')).answer(stream(['clarification', { question: 'Which sales?', readings }]));
    await shows(element, '.ask-back');
    expect(texts(inside(element), '.ask-exchange .ask-chip')).to.deep.equal(['Net sales', 'Gross sales']);
    await axeFindsNothing(element);
    all(inside(element), '.ask-exchange .ask-chip')[1]?.click();
    await waitUntil(() => network.calls.length === 3, 'nothing was chosen');
    const { question, request } = JSON.parse(String(network.call(2).init.body));
    expect([question, request]).to.deep.equal(['Sales?', readings[1]?.request]);
    network.call(2).answer(answered());
    await shows(element, '.ask-answer');
  });

  it('marks an answer as wrong, once', async () => {
    const element = await box();
    (await ask(element, 'Which regions sell most?')).answer(answered());
    (await shows(element, '.ask-wrong')).click();
    await waitUntil(() => network.calls.length === 3, 'nothing was marked');
    expect(network.call(2).url.pathname).to.equal('/rest/service/api/embed/feedback/shared/ask.serviceask');
    expect(JSON.parse(String(network.call(2).init.body))).to.deep.equal({
      question: 'Which regions sell most?',
      verdict: 'wrong',
      queryUsed: QUERY,
    });
    network.call(2).answer({ kept: true });
    await shows(element, '.ask-marked');
    expect(all(inside(element), '.ask-wrong')).to.have.length(0);
  });

  it('explains a question that was not understood, and offers suggestions', async () => {
    const element = await box();
    const data = { error: 'OFF_TOPIC', message: 'The <b>weather</b> is not in the data.', available: ['Sales?'] };
    (await ask(element, 'Will it rain?')).answer(stream(['error', data]));
    await shows(element, '.ask-exchange .notice');
    expect(inside(element).textContent).to.contain('The <b>weather</b> is not in the data.');
    expect(texts(inside(element), '.ask-exchange .ask-chip')).to.deep.equal(['Sales?']);
    await axeFindsNothing(element);
  });

  it('shows one message for any other failure, gives the page its code, and can ask again', async () => {
    const element = await box();
    const errors: ErrorDetail[] = [];
    element.addEventListener('service-error', ({ detail }) => errors.push(detail));
    (await ask(element, 'Sales?')).answer({ error: 'UPSTREAM_ERROR', message: 'a secret' }, 502);
    const again = await shows(element, '.ask-failed .ask-chip');
    expect(inside(element).textContent).not.to.contain('secret');
    expect(errors).to.deep.include({
      kind: 'ai',
      path: 'shared/ask.serviceask',
      tile: undefined,
      code: 'SERVER_ERROR',
      retriable: true,
    });
    again.click();
    await waitUntil(() => network.calls.length === 3);
    network.call(2).answer(answered());
    await shows(element, '.ask-answer');
  });

  it('stops a question that is given up, and when it leaves the page', async () => {
    const element = await box();
    const call = await ask(element, 'Sales?');
    one(inside(element), '.ask-button').click();
    await waitUntil(() => call.aborted && all(inside(element), '.ask-exchange').length === 0);
    const other = await ask(element, 'Sales again?');
    element.remove();
    expect(other.aborted).to.equal(true);
  });

  it('reports a box that accepts no questions, and a box that may not be read', async () => {
    const closed = await box({ ...BOX, configured: false });
    expect(all(inside(closed), '.ask-input')).to.have.length(0);
    expect(inside(closed).textContent).to.contain('Questions are not available here right now');
    const refused = place({ kind: 'ai', path: 'shared/other.serviceask' });
    await waitUntil(() => network.calls.length === 2);
    network.call(1).answer({ error: 'EMBED_INVALID' }, 401);
    await shows(refused, '.failure');
    expect(inside(refused).textContent).to.contain('This embed is not available.');
  });
});
