/** Tests documents on paper: their pages, their texts, and that charts are vectors. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { arrange } from '../paper/bands.ts';
import { writePaper } from '../paper/paper.ts';

const text = (key: string, label: string) => ({ key, label, type: 'dimension', dataType: 'text' });
const metric = (key: string, label: string) => ({ key, label, type: 'metric', dataType: 'decimal' });
const cell = (value: number, formatted: string) => ({ value, formatted });
const answerOf = (title: string, columns: readonly object[], records: readonly object[], meta: object = {}) => ({
  title,
  columns,
  records,
  meta: { rowCount: records.length, truncated: false, ...meta },
  freshness: { computedAtMillis: Date.UTC(2026, 10, 26, 5, 30), cached: false },
});

const REGIONS = answerOf(
  'Regions',
  [text('region', 'Region'), metric('net', 'Net sales')],
  [
    { region: 'North', net: cell(1234.5, '1,234.50 EUR') },
    { region: 'South', net: cell(987, '987.00 EUR') },
  ],
);
const LONG = answerOf(
  'Stores',
  [text('store', 'Store'), metric('net', 'Net sales')],
  Array.from({ length: 90 }, (_, index) => ({ store: `Store ${index + 1}`, net: cell(index, `${index}.00`) })),
  { suppressed: { count: 2, reason: 'fewer than 5' } },
);
const tile = (id: string, kind: string, x: number, y: number, w: number, h: number, more: object = {}) => ({
  id,
  kind,
  x,
  y,
  w,
  h,
  title: `The ${id}`,
  ...more,
});
const BOARD = {
  title: 'Shop overview',
  description: 'Sales of the chain.',
  layout: { columns: 12 },
  tiles: [
    tile('intro', 'text', 0, 0, 12, 1, { text: 'Net of **discounts**.', format: 'markdown' }),
    tile('total', 'kpi', 0, 1, 6, 2, { measure: 'net' }),
    tile('lost', 'chart', 6, 1, 6, 2),
    tile('chart', 'chart', 0, 3, 8, 4, { chartType: 'bar' }),
    tile('list', 'table', 8, 3, 4, 4),
    tile('all', 'table', 0, 7, 12, 4),
  ],
};
const TILES = { total: REGIONS, chart: REGIONS, list: LONG, all: LONG };

const task = (more: object = {}) => ({
  paper: 'a4',
  locale: 'en',
  timeZone: 'UTC',
  layout: BOARD,
  tiles: TILES,
  filters: ['Region = North'],
  ...more,
});

const PDFTOTEXT = spawnSync('pdftotext', ['-v']).status === 0;
const NOT_RUN = PDFTOTEXT ? '' : ' [not run: pdftotext is not here: install poppler-utils.]';
const textOf = (bytes: Uint8Array): string =>
  spawnSync('pdftotext', ['-layout', '-', '-'], { input: bytes, encoding: 'utf8' }).stdout;
const documentOf = async (json: unknown): Promise<Uint8Array> => {
  const written = await writePaper(json);
  if (written instanceof Uint8Array) return written;
  throw new Error(`It asks for ${JSON.stringify(written)}.`);
};
const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

describe('a document', () => {
  it.each([
    ['a4', '/MediaBox [0 0 841.89 595.28]'],
    ['letter', '/MediaBox [0 0 792 612]'],
  ])('on %s has pages of its size, and charts without images', async (paper, box) => {
    const written = latin(await documentOf(task({ paper })));
    expect(written.startsWith('%PDF-')).toBe(true);
    const pages = [...written.matchAll(/\/MediaBox \[[^\]]*\]/g)].map(([found]) => found);
    expect(new Set(pages)).toEqual(new Set([box]));
    expect(pages.length).toBeGreaterThan(2);
    expect(written).not.toContain('/Subtype /Image');
  });

  it.skipIf(!PDFTOTEXT)(`shows the figures of its tiles, and what is missing${NOT_RUN}`, async () => {
    const shown = textOf(await documentOf(task()));
    for (const words of [
      'Shop overview',
      'Sales of the chain.',
      'As of Nov 26, 2026, 5:30 AM · Region = North',
      'Net of discounts.',
      '1,234.50 EUR',
      'This tile is not available.',
      '2 rows with hidden values',
      '1–', // a table beside a chart has as many rows as its tile
    ])
      expect(shown).toContain(words);
    // Each of the 90 rows is there, in both tables.
    expect(shown.match(/Store 90 +89\.00/g)).toHaveLength(2);
    // The head of a table is on each of its pages.
    expect(shown.match(/Store +Net sales/g)?.length).toBeGreaterThan(3);
  });

  it.skipIf(!PDFTOTEXT)(`has the words and numbers of its language${NOT_RUN}`, async () => {
    const shown = textOf(await documentOf(task({ locale: 'de', timeZone: 'Europe/Berlin' })));
    expect(shown).toContain('Stand: 26.11.2026, 06:30');
    expect(shown).toContain('Diese Kachel ist nicht verfügbar.');
    expect(shown).toContain('1.234,50 EUR');
    expect(shown).not.toContain('1,234.50');
    expect(shown).not.toContain('Kästchen');
  });

  it.skipIf(!PDFTOTEXT)(`says what it cannot show${NOT_RUN}`, async () => {
    const tiles = { ...TILES, list: answerOf('Städte', [text('city', 'City')], [{ city: '東京' }]) };
    expect(textOf(await documentOf(task({ locale: 'de', tiles })))).toContain(
      'Kästchen sind Buchstaben, die dieses Dokument nicht zeigen kann.',
    );
  });

  it.skipIf(!PDFTOTEXT)(`asks for the rest of a long series, and draws it as one${NOT_RUN}`, async () => {
    const columns = [
      text('month', 'Month'),
      { ...text('channel', 'Channel'), axis: 'columns' },
      { ...metric('net', 'Net'), aggregationKind: 'sum' },
    ];
    const records = ['January', 'February'].flatMap((month) =>
      Array.from({ length: 15 }, (_, at) => ({ month, channel: `No ${at + 1}`, net: cell(10 + at, `${10 + at}.00`) })),
    );
    const layout = { ...BOARD, tiles: [tile('wide', 'chart', 0, 0, 12, 5, { chartType: 'stacked-bar' })] };
    const given = { layout, tiles: { wide: answerOf('Channels', columns, records) } };
    const asked = await writePaper(task(given));
    if (asked instanceof Uint8Array) throw new Error('It asks for nothing.');
    const { field, except } = JSON.parse(asked.others.wide ?? '');
    // The twelve largest are drawn one by one.
    expect([field, except.toSorted()]).toEqual([
      'channel',
      Array.from({ length: 12 }, (_, at) => `No ${at + 4}`).toSorted(),
    ]);
    const rest = ['January', 'February'].map((month) => ({ month, net: cell(33, '33.00') }));
    const others = {
      wide: answerOf(
        'Channels',
        columns.filter(({ key }) => key !== 'channel'),
        rest,
      ),
    };
    expect(textOf(await documentOf(task({ ...given, others })))).toMatch(/No 15[\s\S]*Other\b/);
    // What could not be read is left out, and the document says so.
    const without = textOf(await documentOf(task({ ...given, others: {} })));
    expect(without).not.toMatch(/\bOther\b/);
    expect(without).toContain('The 12 largest of 15 series of Channel');
  });

  it('refuses what is no layout, and reads no file that a text names', async () => {
    await expect(writePaper(task({ layout: { title: 'x' } }))).rejects.toThrow();
    const tiles = [tile('a', 'text', 0, 0, 12, 1, { text: '![x](file:///etc/passwd) <img src="/etc/passwd">' })];
    const written = await documentOf(task({ layout: { ...BOARD, tiles }, tiles: {} }));
    expect(latin(written)).not.toContain('/Subtype /Image');
  });
});

describe('tiles on paper', () => {
  const place = (id: string, x: number, y: number, w: number, h: number) => ({ id, x, y, w, h });
  it('are bands, and within them columns', () => {
    const [a, b, c, d] = [
      place('a', 0, 0, 12, 1),
      place('b', 0, 1, 8, 4),
      place('c', 8, 1, 4, 2),
      place('d', 8, 3, 4, 2),
    ];
    expect(arrange([a, b, c, d], 12)).toEqual({
      kind: 'stack',
      parts: [
        { kind: 'tile', tile: a },
        {
          kind: 'row',
          shares: [8, 4],
          parts: [
            { kind: 'tile', tile: b },
            {
              kind: 'stack',
              parts: [
                { kind: 'tile', tile: c },
                { kind: 'tile', tile: d },
              ],
            },
          ],
        },
      ],
    });
  });

  it('that no cut separates follow each other', () => {
    const wheel = [place('a', 0, 0, 8, 4), place('b', 8, 0, 4, 8), place('c', 4, 8, 8, 4), place('d', 0, 4, 4, 8)];
    const around = [...wheel, place('e', 4, 4, 4, 4)];
    const arranged = arrange(around, 12);
    expect(arranged.kind === 'stack' && arranged.parts.map((part) => part.kind === 'tile' && part.tile.id)).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
  });
});
