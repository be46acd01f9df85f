/** Reads the written files back: with the reader of workbooks, as XML, and with LibreOffice. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import readWorkbook from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import type { FileColumn, Sheet, TitledAnswer, WorkbookTask } from '../../router/capabilities/answer-files.ts';
import type { MetricCell } from '../../router/capabilities/query-source.ts';
import { FileAnswer } from '../../router/file-answer.ts';
import { libreOfficeMissing, openInLibreOffice } from '../../router/testing/libre-office.ts';
import { titleNeeding } from '../../router/testing/not-run.ts';
import { toCsv } from './csv.ts';
import { conditionsInWords, fileName, sortRecords, stepsInWords, writeWorkbook } from './index.ts';
import { numberFormatOf } from './number-format.ts';
import { sheetNames } from './sheet-names.ts';

const COMPUTED = Date.UTC(2026, 10, 26, 5, 30);

const SALES: TitledAnswer = {
  title: 'Sales: by day/region',
  description: 'Net of discounts.',
  columns: [
    { key: 'stores.region', label: 'Region', type: 'dimension', dataType: 'text' },
    { key: 'sales.day', label: 'Day', type: 'dimension', dataType: 'date' },
    { key: 'sales.at', label: 'At', type: 'dimension', dataType: 'timestamptz' },
    {
      key: 'sales.month',
      label: 'Month',
      type: 'dimension',
      dataType: 'date',
      grain: 'month',
      labels: { '2025-02-01': 'Feb 2025' },
    },
    {
      key: 'quarter',
      label: 'Quarter',
      type: 'dimension',
      dataType: 'date',
      grain: 'quarter',
      labels: { '2025-01-01': 'Q1 2025' },
    },
    { key: 'net', label: 'Net sales', type: 'metric', dataType: 'decimal' },
    { key: 'rate', label: 'Margin', type: 'metric', dataType: 'float' },
    { key: 'big', label: 'Points', type: 'metric', dataType: 'integer' },
  ],
  records: [
    {
      'stores.region': '=HYPERLINK("https://example.com")',
      'sales.day': '2025-02-03',
      'sales.at': '2025-02-03T23:30:00Z',
      'sales.month': '2025-02-01',
      quarter: '2025-01-01',
      net: { value: 1234567.891, formatted: '1,234,567.89 EUR' },
      rate: { value: 0.4631, formatted: '46.3%' },
      big: { value: '12345678901234567890', formatted: '12,345,678,901,234,567,890' },
    },
    {
      'stores.region': 'Süd; "West", Rest',
      'sales.day': null,
      'sales.at': null,
      'sales.month': null,
      quarter: null,
      net: { value: -5, formatted: '-5.00 EUR' },
      rate: { value: null, formatted: null, suppressed: true },
      big: { value: 7, formatted: '7' },
    },
  ],
  meta: { rowCount: 2, truncated: true, suppressed: { count: 1, reason: 'fewer than 5' } },
  freshness: { computedAtMillis: COMPUTED, cached: true },
};

const task = (sheets: readonly Sheet[], more: Partial<WorkbookTask> = {}): WorkbookTask => ({
  kind: 'xlsx',
  title: 'Sales',
  sheets,
  filters: ['Region = North'],
  locale: 'en',
  timeZone: 'Europe/Berlin',
  ...more,
});

const xml = (bytes: Uint8Array, path: string): string => {
  const file = unzipSync(bytes)[path];
  if (file === undefined) throw new Error(`The workbook has no ${path}.`);
  return strFromU8(file);
};

describe('a workbook', () => {
  it('has title, age, filters and gaps above typed values', async () => {
    const [sheet] = await readWorkbook(Buffer.from(await writeWorkbook(task([SALES]))));
    expect(sheet?.sheet).toBe('Sales by day region');
    const rows = sheet?.data ?? [];
    expect(rows.slice(0, 7).map(([first]) => first)).toEqual([
      'Sales: by day/region',
      'Net of discounts.',
      'As of Nov 26, 2026, 6:30 AM (Europe/Berlin)',
      'Filter: Region = North',
      'There are more rows than the limit of this answer.',
      'Values of small groups are hidden (1).',
      null,
    ]);
    expect(rows[7]).toEqual(['Region', 'Day', 'At', 'Month', 'Quarter', 'Net sales', 'Margin', 'Points']);
    expect(rows[8]).toEqual([
      '=HYPERLINK("https://example.com")',
      new Date('2025-02-03T00:00:00Z'),
      // The clocks of Berlin showed half past midnight.
      expect.toSatisfy((at: Date) => Math.abs(at.getTime() - Date.UTC(2025, 1, 4, 0, 30)) < 10),
      new Date('2025-02-01T00:00:00Z'),
      'Q1 2025',
      1234567.891,
      0.4631,
      // No double has all of its digits.
      '12345678901234567890',
    ]);
    expect(rows[9]).toEqual(['Süd; "West", Rest', null, null, null, null, -5, null, 7]);
  });

  it('has no formula, and the formats of the server', async () => {
    const bytes = await writeWorkbook(task([SALES]));
    expect(xml(bytes, 'xl/worksheets/sheet1.xml')).not.toMatch(/<f[ >]/);
    const styles = xml(bytes, 'xl/styles.xml');
    for (const format of ['#,##0.00&quot; EUR&quot;', '0.0%', 'yyyy-mm-dd', 'mmm yyyy'])
      expect(styles).toContain(format);
  });

  it('has a sheet for each tile, also for one that cannot be read, in the words of the language', async () => {
    const sheets = [SALES, { ...SALES, title: 'SALES: by day/region' }, { title: 'Stock', missing: true } as const];
    const read = await readWorkbook(Buffer.from(await writeWorkbook(task(sheets, { locale: 'de-AT' }))));
    expect(read.map(({ sheet }) => sheet)).toEqual(['Sales by day region', 'SALES by day region (2)', 'Stock']);
    expect(read[0]?.data[2]?.[0]).toBe('Stand 26.11.2026, 06:30 (Europe/Berlin)');
    expect(read[2]?.data).toEqual([['Stock'], ['Diese Kachel ist nicht verfügbar.']]);
  });

  it('has texts that are names of members of every object', async () => {
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'constructor'];
    const columns: readonly FileColumn[] = [{ key: 'name', label: 'valueOf', type: 'dimension', dataType: 'text' }];
    const sheet = { ...SALES, title: '__proto__', columns, records: names.map((name) => ({ name })) };
    const [read] = await readWorkbook(Buffer.from(await writeWorkbook(task([sheet]))));
    const texts = (read?.data ?? []).map(([first]) => first);
    expect([texts[0], ...texts.slice(-6)]).toEqual(['__proto__', 'valueOf', ...names]);
  });

  const missing = libreOfficeMissing();
  it.skipIf(missing !== undefined)(titleNeeding('opens in LibreOffice with equal figures', missing), async () => {
    const folder = mkdtempSync(join(tmpdir(), 'service-files-'));
    try {
      writeFileSync(join(folder, 'sales.xlsx'), await writeWorkbook(task([SALES])));
      const opened = openInLibreOffice(folder, 'sales.xlsx');
      const cells = [...opened.matchAll(/<table:table-cell([^>]*?)(?:\/>|>([\s\S]*?)<\/table:table-cell>)/g)];
      const of = (text: string) =>
        cells.find(([, , shown = '']) => shown.replaceAll(/<[^>]*>/g, '').trim() === text)?.[1] ?? '';
      // The values that it computes with, by the texts that it shows.
      expect(of('1,234,567.89 EUR')).toContain('office:value="1234567.891"');
      expect(of('46.3%')).toContain('office:value="0.4631"');
      expect(of('-5.00 EUR')).toContain('office:value="-5"');
      expect(of('2025-02-03')).toContain('office:date-value="2025-02-03"');
      expect(of('12345678901234567890')).toContain('office:value-type="string"');
      expect(of('=HYPERLINK(&quot;https://example.com&quot;)')).toContain('office:value-type="string"');
      expect(opened).not.toContain('table:formula=');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('CSV', () => {
  it.each([
    [
      'en',
      `\uFEFFRegion,Day,At,Month,Quarter,Net sales,Margin,Points\r\n`,
      ',1234567.891,0.4631,12345678901234567890\r\n',
    ],
    [
      'de',
      `\uFEFFRegion;Day;At;Month;Quarter;Net sales;Margin;Points\r\n`,
      ';1234567,891;0,4631;12345678901234567890\r\n',
    ],
  ])('of %s has its separator and its decimal sign', (locale, head, numbers) => {
    const text = toCsv(SALES, locale);
    expect(text.startsWith(head)).toBe(true);
    expect(text).toContain(numbers);
    // A spreadsheet would run the text; the apostrophe prevents that.
    expect(text).toContain(`"'=HYPERLINK(""https://example.com"")"`);
    expect(text).toContain(`"Süd; ""West"", Rest"`);
  });
});

/** A column of words; the member of a cube without a key has an empty label. */
const WORD: FileColumn = { key: 'c', label: 'C', type: 'dimension', dataType: 'text', labels: { '#null': '' } };

it('a value with an empty label is an empty cell, as a missing value is', () => {
  const text = toCsv({ columns: [WORD], records: [{ c: 'Ulm' }, { c: '#null' }, { c: null }] }, 'en');
  expect(text).toBe('\uFEFFC\r\nUlm\r\n\r\n\r\n');
});

describe('the names of periods', () => {
  const named = (grain: string, labels: Readonly<Record<string, string>>): TitledAnswer => ({
    ...SALES,
    columns: [{ key: 'p', label: 'Period', type: 'dimension', dataType: 'date', grain, labels }],
    records: Object.keys(labels).map((p) => ({ p })),
  });
  const csv = async (sheet: TitledAnswer, more: Partial<WorkbookTask>) =>
    new TextDecoder()
      .decode(await writeWorkbook(task([sheet], { kind: 'csv', ...more })))
      .trim()
      .split('\r\n')
      .slice(1);
  const QUARTER = named('quarter', { '2025-04-01': 'Q2 2025' });
  const DAYS = named('day_of_week', { '1': 'Monday', '7': 'Sunday' });
  const FISCAL = named('month', { '2025-02-01': 'M01 FY2025' });

  it.each([
    [QUARTER, 'fr', ['T2 2025']],
    [named('week', { '2025-02-10': 'W07 2025' }), 'de', ['KW 07 2025']],
    [DAYS, 'de-AT', ['Montag', 'Sonntag']],
    [DAYS, 'es', ['lunes', 'domingo']],
    [FISCAL, 'de', ['M01 FY2025']],
  ] as const)('follow the language where the reader asks for it (%#)', async (sheet, locale, expected) => {
    expect(await csv(sheet, { locale, labels: 'locale' })).toEqual(expected);
    expect(await csv(sheet, { locale, labels: 'model' })).toEqual(Object.values(sheet.columns[0]?.labels ?? {}));
  });

  it('in a workbook are texts, months are dates, and a model’s own months keep their names', async () => {
    const sheets = [DAYS, named('month', { '2025-02-01': 'Feb 2025' }), FISCAL];
    const read = await readWorkbook(Buffer.from(await writeWorkbook(task(sheets, { locale: 'de', labels: 'locale' }))));
    expect(read.map(({ data }) => data.at(-1)?.[0])).toEqual([
      'Sonntag',
      new Date('2025-02-01T00:00:00Z'),
      'M01 FY2025',
    ]);
  });
});

describe('headings of columns', () => {
  const column = (label: string, more: object) =>
    ({ key: label, label, type: 'metric', dataType: 'decimal', ...more }) as const;
  const compare = (part: string) => ({ compare: { metric: 'net', part } });
  const sheet: TitledAnswer = {
    ...SALES,
    columns: [
      column('Date of sale (day of week, Shipped on)', { grain: 'day_of_week' }),
      column('Ship date (fiscal quarter)', { grain: 'fiscal_quarter' }),
      column('Sales (quarter)', {}),
      column('Net (previous year)', compare('base')),
      column('Net, difference (3 months earlier)', compare('difference')),
      column('Net, ratio (1 quarter later)', compare('ratio')),
      column('Net (2 seasons earlier)', compare('base')),
    ],
    records: [],
  };

  it.each([
    [
      'de',
      [
        'Date of sale (Wochentag, Shipped on)',
        'Ship date (fiscal quarter)',
        'Sales (quarter)',
        'Net (Vorjahr)',
        'Net, Differenz (3 Monate früher)',
        'Net, Verhältnis (1 Quartal später)',
        'Net (2 seasons earlier)',
      ],
    ],
    ['en-GB', sheet.columns.map(({ label }) => label)],
  ])('follow the language %s where the reader asks for it', async (locale, expected) => {
    const head = async (labels: 'locale' | 'model') =>
      new TextDecoder()
        .decode(await writeWorkbook(task([sheet], { kind: 'csv', locale, labels })))
        .replace('\uFEFF', '')
        .trim();
    const line = (titles: readonly string[]) =>
      titles
        .map((title) => (title.includes(',') && locale !== 'de' ? `"${title}"` : title))
        .join(locale === 'de' ? ';' : ',');
    expect(await head('locale')).toBe(line(expected));
    expect(await head('model')).toBe(line(sheet.columns.map(({ label }) => label)));
  });
});

describe('the order of rows', () => {
  const sortedBy = (
    cells: readonly (string | number | null | MetricCell)[],
    direction: 'asc' | 'desc',
    locale = 'en',
  ) =>
    sortRecords({ columns: [WORD], records: cells.map((c) => ({ c })) }, { column: 'c', direction }, locale).map(
      ({ c }) => (typeof c === 'object' && c !== null ? c.value : c),
    );
  const number = (value: number | string | null, suppressed?: true): MetricCell => ({
    value,
    formatted: String(value),
    ...(suppressed ? { suppressed } : {}),
  });

  it('is by size, with missing and hidden values last in either direction', () => {
    const cells = [number(10), number(null), number(-3), number(9), number(99, true), number('100')];
    expect(sortedBy(cells, 'asc')).toEqual([-3, 9, 10, '100', null, 99]);
    expect(sortedBy(cells, 'desc')).toEqual(['100', 10, 9, -3, null, 99]);
  });

  it('of words follows the rules of the language, and numbers within them', () => {
    // Swedish has ö behind z, German beside o.
    expect(sortedBy(['z', 'ö', null, 'a'], 'asc', 'sv')).toEqual(['a', 'z', 'ö', null]);
    expect(sortedBy(['z', 'ö', null, 'a'], 'desc', 'de')).toEqual(['z', 'ö', 'a', null]);
    expect(sortedBy(['Store 10', 'Store 9'], 'asc')).toEqual(['Store 9', 'Store 10']);
    expect(sortedBy(['#null', 'b', 'a'], 'desc')).toEqual(['b', 'a', '#null']);
  });
});

describe('the format of a column', () => {
  const formatOf = (...cells: readonly (readonly [number, string])[]) =>
    numberFormatOf(
      { key: 'm', label: 'M', type: 'metric', dataType: 'decimal' },
      cells.map(([value, formatted]) => ({ m: { value, formatted } })),
    );
  it('names the points of a rate in the language of the file', () => {
    const column = { key: 'm', label: 'M', type: 'metric', dataType: 'decimal', change: 'points' } as const;
    const records = [{ m: { value: -0.7, formatted: '-0.7 points' } }];
    expect(numberFormatOf(column, records, 'Prozentpunkte')).toBe('#,##0.0" Prozentpunkte"');
    expect(numberFormatOf({ ...column, change: undefined }, records, 'Prozentpunkte')).toBe('#,##0.0" points"');
  });

  it.each([
    ['a plain number', [[1234.5, '1,234.50']], '#,##0.00'],
    ['a currency before it', [[-1234, '-$1,234']], '"$"#,##0'],
    ['a currency after it', [[12, '12 EUR']], '#,##0" EUR"'],
    ['a share', [[0.5, '50.0%']], '0.0%'],
    ['a number in per cent', [[50, '50.0%']], '#,##0.0"%"'],
    ['quotes in a unit', [[3, '3 "x"']], '#,##0" ""x"""'],
    [
      'several decimals',
      [
        [1, '1'],
        [2.25, '2.25'],
      ],
      '#,##0.00',
    ],
    ['a rounded text', [[1_234_567, '1.2M']], undefined],
    [
      'two units',
      [
        [1, '1 EUR'],
        [2, '2 USD'],
      ],
      undefined,
    ],
    ['a text without a number', [[1, 'one']], undefined],
  ] as const)('is read from %s', (_, cells, format) => {
    expect(formatOf(...cells)).toBe(format);
  });
});

describe('names', () => {
  it('of sheets are short, allowed and unique', () => {
    const long = 'A name that is longer than the limit of thirty-one characters';
    expect(sheetNames([long, long, 'a/b:c', "''", 'History', ''])).toEqual([
      'A name that is longer than the',
      'A name that is longer than (2)',
      'a b c',
      'Sheet',
      'History (2)',
      'Sheet (2)',
    ]);
  });

  it('of files are safe in a header and on a disk', () => {
    expect(fileName('../Sales: <2025>\r\nX', 'xlsx')).toBe('Sales 2025 X.xlsx');
    const answer = new FileAnswer(new Uint8Array(), 'text/csv', fileName('Umsätze "heute"', 'csv'));
    expect(answer.disposition).toBe(
      `attachment; filename="Ums_tze heute.csv"; filename*=UTF-8''Ums%C3%A4tze%20heute.csv`,
    );
  });

  it('of conditions and steps are in the language of the reader', () => {
    const between = { field: 'Tag', op: 'BETWEEN', values: ['2025-01-01', '2025-12-31'] } as const;
    const days = { field: 'Tag', op: 'RELATIVE', values: ['last_n_days', '30'] } as const;
    expect(conditionsInWords([between, days, { field: 'Ort', op: 'IS_NULL', values: [] }], 'de')).toEqual([
      'Tag von 2025-01-01 bis 2025-12-31',
      'Tag = die letzten 30 Tage',
      'Ort ist leer',
    ]);
    const steps = [
      { field: 'sales.date.month', values: { 'sales.date.month': '2025-05-01' } },
      { field: 'stores.region', values: { 'stores.region': null } },
    ];
    const trail = [
      { label: 'Verkauf (month)', text: 'May 2025' },
      { label: 'Region', text: null },
    ];
    expect(stepsInWords(trail, steps, { locale: 'de', labels: 'locale' })).toEqual([
      'Verkauf (Monat) = Mai 2025',
      'Region ist leer',
    ]);
    expect(stepsInWords(trail, steps, { locale: 'en' })[0]).toBe('Verkauf (month) = May 2025');
  });

  it('of conditions are readable', () => {
    expect(
      conditionsInWords([
        { field: 'Region', op: 'IN', values: ['North', 'South'] },
        { field: 'Day', op: 'BETWEEN', values: ['2025-01-01', '2025-12-31'] },
        { field: 'City', op: 'IS_NULL', values: [] },
      ]),
    ).toEqual(['Region = North, South', 'Day from 2025-01-01 to 2025-12-31', 'City is empty']);
  });
});
