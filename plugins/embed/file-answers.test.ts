/** Tests the reads that answer files: what they contain, for whom, and what is refused. */
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileAnswer } from '../../router/file-answer.ts';
import { openRepository } from '../../server/repository/index.ts';
import { onEveryEngine } from '../../server/state/testing/engines.ts';
import { embedMigrations } from './index.ts';
import { ana, bob, dashboard, EMBED, type Installation, install, tenant, tokenFor, VIEW } from './testing/fixture.ts';

onEveryEngine((state) => {
  let house: Installation;
  beforeEach(async () => {
    house = await install({
      state: await state.open({ embed: embedMigrations }),
      openRepository: (directory) => openRepository({ directory, defaultTenant: tenant }),
    });
    await house.place('homes/ana/d.servicedash', dashboard);
  });
  afterEach(async () => {
    expect(house.rest.errors.filter((error) => error.kind === 'INTERNAL')).toEqual([]);
    await house.close();
  });

  const read = async (path: string, token?: string) =>
    house.rest.call(`GET ${EMBED}/${path}`, token === undefined ? {} : { embedToken: token });
  const fileOf = (body: unknown): FileAnswer => {
    if (body instanceof FileAnswer) return body;
    throw new Error(`This is no file: ${JSON.stringify(body)}`);
  };
  const filter = encodeURIComponent(JSON.stringify({ 'stores.region': ['North'] }));

  it('a saved query is a CSV table, a workbook and a document, narrowed by the filter', async () => {
    const token = await tokenFor(house, ana, 'shared/q.service');
    const csv = fileOf((await read(`query/shared/q.service?format=csv&locale=de&filter=${filter}`, token)).body);
    expect([csv.name, csv.contentType]).toEqual(['Of shared.csv', 'text/csv; charset=utf-8']);
    expect([...csv.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(strFromU8(csv.bytes)).toBe('Region;Net sales\r\nNorth;1234,5\r\n;\r\n');
    expect(house.source.runs.at(-1)?.runtimeFilters).toEqual([{ field: 'stores.region', op: 'IN', values: ['North'] }]);
    const xlsx = fileOf((await read(`query/shared/q.service?format=xlsx&filter=${filter}`, token)).body);
    // By the caption that the reader sees.
    expect(strFromU8(unzipSync(xlsx.bytes)['xl/sharedStrings.xml'] ?? new Uint8Array())).toContain(
      'Filter: Region = North',
    );
    const pdf = fileOf((await read('query/shared/q.service?format=pdf&paper=letter', token)).body);
    expect([pdf.name, JSON.parse(strFromU8(pdf.bytes))]).toEqual([
      'Of shared.pdf',
      expect.objectContaining({ paper: 'letter', layout: expect.objectContaining({ title: 'Of shared' }) }),
    ]);
  });

  it('a dashboard is one workbook with a sheet for each tile, or one document', async () => {
    const token = await tokenFor(house, ana, 'homes/ana/d.servicedash');
    const xlsx = fileOf((await read('dashboard/homes/ana/d.servicedash?format=xlsx', token)).body);
    expect(xlsx.name).toBe('Shop.xlsx');
    const book = strFromU8(unzipSync(xlsx.bytes)['xl/workbook.xml'] ?? new Uint8Array());
    expect([...book.matchAll(/<sheet [^>]*?name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'By region',
      'own',
      'Revenue',
      'lost',
    ]);
    const pdf = fileOf((await read('dashboard/homes/ana/d.servicedash?format=pdf', token)).body);
    // A tile whose query is gone is not available; the document has the others.
    expect(Object.keys(JSON.parse(strFromU8(pdf.bytes)).tiles).toSorted()).toEqual(['chart', 'kpi', 'own']);
    const tile = fileOf((await read('dashboard/homes/ana/d.servicedash/tiles/kpi?format=csv', token)).body);
    expect(tile.name).toBe('Revenue.csv');
  });

  it('a document has the rest of a long series, narrowed like its tile; a chart goes without one that is refused', async () => {
    const rest = '{"field":"stores.region","except":["North",null]}';
    const titles: Readonly<Record<string, string>> = {
      chart: `By region needs ${rest}`,
      kpi: 'Revenue needs {"field":"stores.city","except":["x"]}',
    };
    const tiles = dashboard.tiles.flatMap((tile) => {
      const title = titles[tile.id];
      return title === undefined ? [] : [{ ...tile, title }];
    });
    await house.place('homes/ana/rest.servicedash', { ...dashboard, tiles });
    const token = await tokenFor(house, ana, 'homes/ana/rest.servicedash');
    house.source.runs.length = 0;
    const pdf = fileOf((await read(`dashboard/homes/ana/rest.servicedash?format=pdf&filter=${filter}`, token)).body);
    const written = JSON.parse(strFromU8(pdf.bytes));
    expect(Object.keys(written.tiles)).toEqual(['chart', 'kpi']);
    expect(Object.keys(written.others)).toEqual(['chart']);
    expect(
      house.source.runs.flatMap(({ others: asked, runtimeFilters }) => (asked ? [{ asked, runtimeFilters }] : [])),
    ).toEqual([
      {
        asked: { field: 'stores.region', except: ['North', null] },
        runtimeFilters: [{ field: 'stores.region', op: 'IN', values: ['North'] }],
      },
    ]);
  });

  it('a tile has the filter that its page has for it, and says so on its sheet', async () => {
    const token = await tokenFor(house, ana, 'homes/ana/d.servicedash');
    const tileFilters = encodeURIComponent(JSON.stringify({ kpi: '{"stores.region":["South"]}' }));
    const path = `dashboard/homes/ana/d.servicedash?format=xlsx&filter=${filter}&tileFilters=${tileFilters}`;
    const files = unzipSync(fileOf((await read(path, token)).body).bytes);
    const texts = strFromU8(files['xl/sharedStrings.xml'] ?? new Uint8Array());
    expect(texts).toContain('Filter: Region = North');
    expect(texts).toContain('Filter: Region = South');
    const filters = house.source.runs.map(({ request, runtimeFilters }) => [request, runtimeFilters?.[0]?.values]);
    expect(filters).toEqual(
      expect.arrayContaining([
        [{ of: 'kpi' }, ['South']],
        [{ of: 'shared' }, ['North']],
      ]),
    );
    for (const wrong of ['x', '[]', '{"kpi":5}'])
      expect(
        await read(`dashboard/homes/ana/d.servicedash?format=xlsx&tileFilters=${encodeURIComponent(wrong)}`, token),
      ).toMatchObject({ status: 400, body: { field: 'tileFilters' } });
  });

  it('a file has its rows in the order that its reader asks for', async () => {
    const token = await tokenFor(house, ana, 'shared/q.service');
    const csv = async (direction: string) => {
      const sort = encodeURIComponent(JSON.stringify({ column: 'stores.region', direction }));
      return strFromU8(fileOf((await read(`query/shared/q.service?format=csv&sort=${sort}`, token)).body).bytes);
    };
    // A missing value comes last in either direction.
    expect(await csv('asc')).toBe('Region,Net sales\r\nNorth,1234.5\r\n,\r\n');
    expect(await csv('desc')).toBe('Region,Net sales\r\nNorth,1234.5\r\n,\r\n');
    const board = await tokenFor(house, ana, 'homes/ana/d.servicedash');
    const wrong = encodeURIComponent('{"kpi":{"column":"margin","direction":"asc"}}');
    expect(await read(`dashboard/homes/ana/d.servicedash?format=xlsx&tileSorts=${wrong}`, board)).toMatchObject({
      status: 400,
      body: { field: 'tileSorts' },
    });
  });

  it('a file is refused like the read that it is made of', async () => {
    const token = await tokenFor(house, ana, 'shared/q.service');
    const refused = await read('query/shared/other.service', token);
    for (const path of ['query/homes/ana/q.service', 'dashboard/homes/ana/d.servicedash'])
      for (const format of ['csv', 'xlsx', 'pdf'])
        expect(await read(`${path}?format=${format}`, token)).toEqual(refused);
    const { status } = await house.pages.call(`GET ${VIEW}/query/homes/ana/q.service?format=xlsx`, { caller: bob });
    expect(status).toBe(404);
    const own = await house.pages.call(`GET ${VIEW}/query/homes/ana/q.service?format=xlsx`, { caller: ana });
    expect(own.body).toBeInstanceOf(FileAnswer);
  });

  it.each([
    ['query/shared/q.service?format=xls', 'format'],
    ['query/shared/q.service?format=pdf&paper=a5', 'paper'],
    ['query/shared/q.service?format=csv&locale=no_such', 'locale'],
    ['query/shared/q.service?format=csv&timeZone=Mars/Base', 'timeZone'],
    ['query/shared/q.service?format=xlsx&filter=x', 'filter'],
    ['query/shared/q.service?format=xlsx&sort=net_sales', 'sort'],
    [`query/shared/q.service?format=xlsx&sort=${encodeURIComponent('{"column":"margin","direction":"asc"}')}`, 'sort'],
    [
      `query/shared/q.service?format=xlsx&sort=${encodeURIComponent('{"column":"net_sales","direction":"up"}')}`,
      'sort',
    ],
  ])('%s is refused at its place', async (path, field) => {
    const token = await tokenFor(house, ana, 'shared/q.service');
    expect(await read(path, token)).toMatchObject({ status: 400, body: { field } });
  });

  it('a dashboard has no single table', async () => {
    const token = await tokenFor(house, ana, 'homes/ana/d.servicedash');
    expect(await read('dashboard/homes/ana/d.servicedash?format=csv', token)).toMatchObject({
      status: 400,
      body: { field: 'format', available: ['xlsx', 'pdf'] },
    });
  });
});
