import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../src/index.ts';
import { answer, cell, dimension, metric, SALES } from './answers.ts';
import {
  all,
  axeFindsNothing,
  clearPage,
  inside,
  one,
  place,
  placeAnswered,
  shows,
  texts,
  waitUntil,
} from './embed-dom.ts';
import { Network } from './network.ts';

/** Files that the page saves, in place of a download. */
class Saved {
  readonly files: { readonly name: string; readonly text: Promise<string> }[] = [];
  readonly #click = HTMLAnchorElement.prototype.click;
  readonly #address = URL.createObjectURL;

  constructor() {
    const blobs = new Map<string, Blob>();
    URL.createObjectURL = (blob) => {
      const address = this.#address.call(URL, blob);
      if (blob instanceof Blob) blobs.set(address, blob);
      return address;
    };
    const { files } = this;
    HTMLAnchorElement.prototype.click = function click() {
      files.push({ name: this.download, text: blobs.get(this.href)?.text() ?? Promise.reject(new Error('no file')) });
    };
  }

  restore(): void {
    HTMLAnchorElement.prototype.click = this.#click;
    URL.createObjectURL = this.#address;
  }
}

describe('the menu of files', () => {
  let network: Network;
  let saved: Saved;
  beforeEach(() => {
    network = new Network();
    saved = new Saved();
  });
  afterEach(() => {
    clearPage();
    network.restore();
    saved.restore();
  });

  it('is there only where the page offers files', async () => {
    const element = await placeAnswered(network, SALES);
    await shows(element, 'tbody tr');
    expect(all(inside(element), '.export')).to.deep.equal([]);
    element.setAttribute('export', 'xlsx, csv, docx');
    await shows(element, '.export');
    expect(texts(inside(element), '.export-item')).to.deep.equal(['CSV table', 'Excel workbook']);
    await axeFindsNothing(element);
  });

  it('opens and saves by the keyboard, in the notation of the visitor', async () => {
    const body = answer(
      [dimension('city', 'City'), metric('net', 'Net')],
      [{ city: '=1+1', net: cell(1234.5, '1,234.50') }],
    );
    const element = await placeAnswered(network, body, { export: 'csv', locale: 'de' });
    await shows(element, '.export');
    one(inside(element), '.export-button').focus();
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => one(inside(element), '.export-menu').matches(':popover-open'));
    await waitUntil(() => inside(element).activeElement?.className === 'export-item');
    await axeFindsNothing(element);
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => saved.files.length === 1);
    expect(await saved.files[0]?.text).to.match(/City;Net\r\n'=1\+1;1234,5\r\n$/);
    await waitUntil(() => texts(inside(element), '.export-state')[0] === 'Die Datei ist erstellt.');
    await sendKeys({ press: 'Escape' });
    await waitUntil(() => !one(inside(element), '.export-menu').matches(':popover-open'));
    await waitUntil(() => inside(element).activeElement?.className === 'export-button');
  });

  it('asks the server for a workbook with the token in a header, as the filter narrows it, once at a time', async () => {
    const element = await placeAnswered(network, SALES, {
      export: 'xlsx',
      filter: '{"stores.region":["North"]}',
      locale: 'fr-CH',
      'time-zone': 'Europe/Zurich',
    });
    await shows(element, '.export');
    const item = one(inside(element), '.export-item');
    item.click();
    item.click();
    await waitUntil(() => network.calls.length === 2);
    const { url, headers, init } = network.call(1);
    expect([url.pathname, headers.get('x-service-embed-token'), init.credentials]).to.deep.equal([
      '/rest/service/api/embed/query/shared/sales.service',
      'tx-secret',
      'omit',
    ]);
    expect(Object.fromEntries(url.searchParams)).to.deep.equal({
      format: 'xlsx',
      locale: 'fr-CH',
      timeZone: 'Europe/Zurich',
      filter: '{"stores.region":["North"]}',
    });
    await waitUntil(() => item.getAttribute('aria-disabled') === 'true');
    network.call(1).answer('the workbook');
    await waitUntil(() => saved.files.length === 1);
    expect(saved.files[0]?.name).to.match(/\.xlsx$/);
    expect(await saved.files[0]?.text).to.equal('the workbook');
    expect(network.calls.length).to.equal(2);
  });

  it('asks for the rows in the order that the visitor chose', async () => {
    const element = await placeAnswered(network, SALES, { export: 'xlsx' });
    await shows(element, '.export');
    await shows(element, '[role=grid]');
    one(inside(element), 'th:nth-child(2)').click();
    await element.updateComplete;
    one(inside(element), '.export-item').click();
    await waitUntil(() => network.calls.length === 2);
    expect(JSON.parse(network.call(1).url.searchParams.get('sort') ?? '')).to.deep.equal({
      column: 'net_sales',
      direction: 'desc',
    });
  });

  it('says that a file could not be made, without the reason', async () => {
    const element = await placeAnswered(network, SALES, { export: 'pdf' });
    await shows(element, '.export');
    one(inside(element), '.export-item').click();
    await waitUntil(() => network.calls.length === 2);
    network.call(1).answer({ error: 'EMBED_INVALID', message: 'secret' }, 401);
    await waitUntil(() => all(inside(element), '.export-state.failed').length === 1);
    expect(texts(inside(element), '.export-state')).to.deep.equal(['The file could not be made. Try again.']);
  });

  it('of a dashboard has its files, and the table and the picture of each tile', async () => {
    const element = place({
      kind: 'dashboard',
      path: 'shared/d.servicedash',
      export: 'csv,xlsx,png,pdf',
      locale: 'de-DE',
    });
    await waitUntil(() => network.calls.length > 0);
    network.call().answer({
      title: 'Retail',
      layout: { columns: 12 },
      tiles: [
        { id: 'chart', kind: 'chart', title: 'By region', x: 0, y: 0, w: 8, h: 4 },
        { id: 'lost', kind: 'kpi', measure: 'x', title: 'Lost', x: 8, y: 0, w: 4, h: 4 },
      ],
    });
    await waitUntil(() => network.calls.length === 3);
    network.to('/tiles/chart').answer(SALES);
    network.to('/tiles/lost').answer({}, 409);
    await shows(element, '.chart svg');
    await waitUntil(() => all(inside(element), '.export-item').length === 5);
    expect(texts(inside(element), '.export-name')).to.deep.equal(['Ganzes Dashboard', 'By region']);
    expect(texts(inside(element), '.export-item')).to.deep.equal([
      'Excel-Arbeitsmappe',
      'PDF, A4',
      'PDF, Letter',
      'CSV-Tabelle',
      'PNG-Bild',
    ]);
    await axeFindsNothing(element);
    // The picture is an image of the drawing.
    all(inside(element), '.export-item').at(-1)?.click();
    await waitUntil(() => saved.files.length === 1);
    expect(await saved.files[0]?.text).to.contain('PNG');
  });
});
