/** Tests losses of realistic files: each is reported in numbers, and its repair removes it. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { zipSync } from 'fflate';
import { afterAll, expect, it } from 'vitest';
import type { ImportedTable, ReadingFinding, TableChoices } from '../../router/capabilities/file-import.ts';
import { formatOf } from './open-file-import.ts';
import { importFiles } from './read-files.ts';
import { SheetExtent } from './sheet-extent.ts';
import { type TestCell, workbook } from './testing/workbook.ts';
import { measureWorkbook } from './workbook-size.ts';

const folder = mkdtempSync(join(tmpdir(), 'service-findings-'));
afterAll(() => rmSync(folder, { recursive: true }));
let number = 0;

interface Loaded {
  readonly tables: readonly ImportedTable[];
  /** Runs a statement, with every value as text. */
  query(sql: string): Promise<readonly (readonly unknown[])[]>;
}

async function load(
  files: Readonly<Record<string, string | Buffer>>,
  choices: Readonly<Record<string, TableChoices>> = {},
): Promise<Loaded> {
  const scratch = mkdtempSync(join(folder, 'scratch-'));
  const target = join(folder, `${number++}.duckdb`);
  const reply = await importFiles({
    files: Object.entries(files).map(([name, content]) => {
      const path = join(folder, `${number++}-${name}`);
      writeFileSync(path, content);
      return { path, name, table: name.replace(/\..*$/, ''), format: formatOf(name) };
    }),
    target,
    scratch,
    memoryBytes: 512_000_000,
    threads: 2,
    maxCells: 200_000_000,
    choices,
  });
  if (reply.kind !== 'done') throw new Error(reply.message);
  return {
    tables: reply.tables,
    query: async (sql) => {
      const instance = await DuckDBInstance.create(target, { access_mode: 'READ_ONLY' });
      const connection = await instance.connect();
      try {
        return (await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`)).getRowsJS();
      } finally {
        connection.closeSync();
        instance.closeSync();
      }
    },
  };
}

const csv = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

function only(loaded: Loaded, kind: ReadingFinding['kind']): ReadingFinding {
  const findings = loaded.tables.flatMap((table) => table.findings);
  expect(findings.map((each) => each.kind)).toEqual([kind]);
  return findings[0] as ReadingFinding;
}

/** Returns the choices of the repair with this label. */
function repair(finding: ReadingFinding, label: string): TableChoices {
  const chosen = finding.repairs.find((each) => each.label === label);
  expect(finding.repairs.map((each) => each.label)).toContain(label);
  return chosen?.choices ?? {};
}

/** Twenty amounts from 1.50 to 20.50: 220 in all. */
const AMOUNTS = Array.from({ length: 20 }, (_, index) => `${index + 1},50`);

it('numbers with a few words become numbers when the words are treated as missing values', async () => {
  const file = csv('nr;betrag', ...AMOUNTS.map((amount, index) => `${index};${amount}`), '20;k.A.', '21;k.A.');
  const before = await load({ 'umsatz.csv': file });
  const finding = only(before, 'other_values');
  expect(finding).toMatchObject({ column: 'betrag', count: 2, of: 22, values: [{ text: 'k.A.', count: 2 }] });
  const umsatz = repair(finding, 'Treat these values as empty');
  const after = await load({ 'umsatz.csv': file }, { umsatz });
  expect(await after.query('SELECT sum(betrag), count(betrag), count(*) FROM umsatz')).toEqual([
    ['220.00', '20', '22'],
  ]);
  expect(only(after, 'values_made_empty')).toMatchObject({ column: 'betrag', count: 2 });
});

it('numbers with a unit beside some of them are numbers with that unit', async () => {
  const file = csv(
    'nr;betrag',
    ...AMOUNTS.map((amount, index) => `${index};${amount}${index < 5 ? ' €' : index < 7 ? ' EUR' : ''}`),
  );
  const loaded = await load({ 'umsatz.csv': file });
  expect(await loaded.query('SELECT sum(betrag) FROM umsatz')).toEqual([['220.00']]);
  expect(loaded.tables[0]?.columns[1]).toMatchObject({ name: 'betrag', unit: '€' });
  expect(only(loaded, 'some_units')).toMatchObject({ count: 13, of: 20 });
  const weights = await load({ 'w.csv': csv('nr;gewicht', '1;1,5 kg', '2;2 kg', '3;0,25kg') });
  expect(await weights.query('SELECT sum(gewicht) FROM w')).toEqual([['3.75']]);
  expect(weights.tables[0]?.columns[1]).toMatchObject({ unit: 'kg' });
});

it('amounts in several currencies stay text until the user decides, and are never added up together', async () => {
  const file = csv('nr,price', '1,€10', '2,$20', '3,€5', '4,$1', '5,€2');
  const finding = only(await load({ 'p.csv': file }), 'several_units');
  expect(finding.values).toEqual([
    { text: '€', count: 3 },
    { text: '$', count: 2 },
  ]);
  const split = await load({ 'p.csv': file }, { p: repair(finding, 'Put the unit into a separate column') });
  expect(await split.query('SELECT price_currency, sum(price) FROM p GROUP BY 1 ORDER BY 1')).toEqual([
    ['$', '21'],
    ['€', '17'],
  ]);
  const euro = await load({ 'p.csv': file }, { p: repair(finding, 'Only €: 2 others become empty') });
  expect(await euro.query('SELECT sum(price), count(price) FROM p')).toEqual([['17', '3']]);
  expect(only(euro, 'values_made_empty')).toMatchObject({ count: 2, of: 5 });
});

it('dates with years of two and of four digits in one column are dates', async () => {
  const file = csv('nr;datum', '1;31.12.2023', '2;01.02.24', '3;15.03.2024', '4;16.03.99');
  const loaded = await load({ 'd.csv': file });
  expect(await loaded.query('SELECT datum FROM d ORDER BY nr')).toEqual([
    ['2023-12-31'],
    ['2024-02-01'],
    ['2024-03-15'],
    ['1999-03-16'],
  ]);
  const finding = only(loaded, 'short_years');
  expect(finding).toMatchObject({ column: 'datum', count: 2, of: 4 });
  const emptied = await load({ 'd.csv': file }, { d: repair(finding, 'Make them empty') });
  expect(await emptied.query('SELECT datum FROM d ORDER BY nr')).toEqual([
    ['2023-12-31'],
    [null],
    ['2024-03-15'],
    [null],
  ]);
});

it('titles above the header are left out and reported, and another header can be selected', async () => {
  const file = csv(
    'Umsatzbericht 2024;;',
    'Stand: 31.12.2024;;',
    '',
    'Kunde;Betrag;Datum',
    'A;1,50;01.02.2024',
    'B;2,50;02.02.2024',
  );
  const loaded = await load({ 'b.csv': file });
  expect(loaded.tables[0]).toMatchObject({
    headerRow: 4,
    firstRows: [
      { row: 1, values: ['Umsatzbericht 2024', '', ''] },
      { row: 2, values: ['Stand: 31.12.2024', '', ''] },
      { row: 4, values: ['Kunde', 'Betrag', 'Datum'] },
      { row: 5, values: ['A', '1,50', '01.02.2024'] },
      { row: 6, values: ['B', '2,50', '02.02.2024'] },
    ],
  });
  expect(await loaded.query('SELECT sum(Betrag), max(Datum) FROM b')).toEqual([['4.00', '2024-02-02']]);
  expect(only(loaded, 'lines_above_header')).toMatchObject({ count: 3 });
  const chosen = await load({ 'b.csv': csv('a;b', 'x;y', '1;2', '3;4') }, { b: { headerRow: 2 } });
  expect(await chosen.query('SELECT sum(x), sum(y) FROM b')).toEqual([['4', '6']]);
  const nameless = await load({ 'b.csv': csv('7;2', '3;4') }, { b: { headerRow: 0 } });
  expect(await nameless.query('SELECT count(*) FROM b')).toEqual([['2']]);
});

it('sentences with commas in one column are not read as a table', async () => {
  const lines = ['It came late, again.', 'Good.', 'Broken, sent back, and paid.', 'Fine, thanks.', 'Late, but good.'];
  const loaded = await load({ 'c.csv': csv('comment', ...lines.map((line) => `"${line}"`)) });
  expect(await loaded.query('SELECT * FROM c')).toEqual(lines.map((line) => [line]));
});

it("rows that repeat in every column are kept and reported, and removed by the user's choice", async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `${index},x${index},5`);
  const file = csv('id,name,n', ...lines, lines[3] ?? '', lines[3] ?? '', lines[4] ?? '');
  const finding = only(await load({ 'r.csv': file }), 'duplicate_rows');
  expect(finding).toMatchObject({ count: 3, of: 33 });
  const dropped = await load({ 'r.csv': file }, { r: repair(finding, 'Drop them') });
  expect(await dropped.query('SELECT count(*), sum(n) FROM r')).toEqual([['30', '150']]);
  expect(only(dropped, 'duplicates_dropped')).toMatchObject({ count: 3, of: 33 });
});

it('words for a missing value among numbers are reported', async () => {
  const finding = only(await load({ 'n.csv': csv('id,n', '1,5', '2,-', '3,NA', '4,7') }), 'placeholders');
  expect(finding).toMatchObject({ column: 'n', count: 2, of: 4 });
  expect(finding.message).toContain('(-, NA)');
  const kept = await load(
    { 'n.csv': csv('id,n', '1,5', '2,-', '3,NA', '4,7') },
    { n: repair(finding, 'Keep as text') },
  );
  expect(await kept.query('SELECT n FROM n ORDER BY id')).toEqual([['5'], ['-'], ['NA'], ['7']]);
});

it('a repeated key in the second file, and rows that refer to no row, are reported with their numbers', async () => {
  const kunden = Array.from({ length: 50 }, (_, index) => `${index},Kunde ${index}`);
  const orders = Array.from(
    { length: 200 },
    (_, index) => `${index};${index < 3 ? '' : index < 5 ? 999 : index % 50};2,50`,
  );
  const files = {
    'auftraege.csv': csv('auftrag;kundennr;betrag', ...orders),
    'kunden.csv': csv('Kundennr,name', ...kunden, '7,Kunde 7 neu', '8,Kunde 8 neu'),
  };
  const loaded = await load(files);
  const [auftraege, kundenTable] = loaded.tables;
  expect(kundenTable?.findings).toMatchObject([{ kind: 'repeated_key', column: 'Kundennr', count: 2, of: 52 }]);
  expect(kundenTable?.findings[0]?.message).toContain('Kundennr is not unique in kunden: 2 rows too many');
  expect(auftraege?.findings).toMatchObject([{ kind: 'unmatched_rows', column: 'kundennr', count: 5, of: 200 }]);
  const repeated = kundenTable?.findings[0];
  if (repeated === undefined) throw new Error('nothing was found');
  const mended = await load(files, { kunden: repair(repeated, 'Keep the first row of each Kundennr') });
  expect(await mended.query('SELECT count(*), count(DISTINCT Kundennr) FROM kunden')).toEqual([['50', '50']]);
  expect(await mended.query("SELECT count(*) FROM kunden WHERE name LIKE '%neu'")).toEqual([['0']]);
});

it('a key of another name that repeats is reported too, and rows without a partner', async () => {
  const kunden = Array.from({ length: 50 }, (_, index) => `${1000 + index};Firma ${index}`);
  const orders = Array.from(
    { length: 200 },
    (_, index) => `${index};${index < 4 ? 9999 : 1000 + (index % 50)};${index % 40};2,50`,
  );
  const loaded = await load({
    'auftraege.csv': csv('auftrag;kunde;rabattstufe;betrag', ...orders),
    'kunden.csv': csv('nr;firma', ...kunden, '1007;Firma 7 neu', '1008;Firma 8 neu'),
  });
  const [auftraege, kundenTable] = loaded.tables;
  expect(kundenTable?.findings).toMatchObject([{ kind: 'repeated_key', column: 'nr', count: 2, of: 52 }]);
  expect(auftraege?.findings).toMatchObject([{ kind: 'unmatched_rows', column: 'kunde', count: 4, of: 200 }]);
});

it('lines whose orders have no payment are no loss: they belong to the orders', async () => {
  const orders = Array.from({ length: 60 }, (_, index) => `${100 + index},open`);
  const lines = Array.from({ length: 180 }, (_, index) => `${100 + Math.floor(index / 3)},${index % 7},2.5`);
  const payments = Array.from({ length: 50 }, (_, index) => `${index},${100 + index},9.5`);
  const loaded = await load({
    'lines.csv': csv('order_id,article,amount', ...lines),
    'orders.csv': csv('order_id,status', ...orders),
    'payments.csv': csv('payment_id,order_id,paid', ...payments),
  });
  expect(loaded.tables.flatMap(({ findings }) => findings)).toEqual([]);
});

it('a choice for an unknown column, or a reading that does not fit, loses nothing silently', async () => {
  const loaded = await load(
    { 'x.csv': csv('a,b', '1,x', '2,y') },
    {
      x: {
        columns: [
          { name: 'b', readAs: 'number' },
          { name: 'none', readAs: 'date' },
        ],
      },
    },
  );
  expect(await loaded.query('SELECT count(b), count(*) FROM x')).toEqual([['0', '2']]);
  expect(only(loaded, 'values_made_empty')).toMatchObject({ column: 'b', count: 2, of: 2 });
});

it('texts of a file cannot break out of the statements', async () => {
  const words = ["o'hara", '"q"', "'); DROP TABLE x; --"];
  const file = csv(
    'id,n',
    ...Array.from({ length: 40 }, (_, index) => `${index},${index}`),
    ...words.map((word, index) => `${100 + index},"${word.replaceAll('"', '""')}"`),
  );
  const finding = only(await load({ 'x.csv': file }), 'other_values');
  const mended = await load({ 'x.csv': file }, { x: repair(finding, 'Treat these values as empty') });
  expect(await mended.query('SELECT sum(n), count(*) FROM x')).toEqual([['780', '43']]);
});

const ORDERS: readonly (readonly TestCell[])[] = [
  ['Order', 'Customer', 'Amount', 'Day', 'Paid'],
  [1, 'Müller & Söhne', 10.1, { day: '2024-02-29' }, true],
  [2, 'Zoë "Z"', 0.2, { day: '2024-03-01' }, false],
  [3, null, 1234.5, { day: '1999-12-31' }, true],
];

it('a workbook with one sheet of data is a table', async () => {
  const loaded = await load({ 'orders.xlsx': workbook({ Orders: ORDERS, Notes: [['nothing here']] }) });
  expect(loaded.tables).toMatchObject([
    { table: 'orders', file: 'orders.xlsx', sheet: 'Orders', rowCount: 3, headerRow: 1 },
  ]);
  expect(await loaded.query('SELECT * FROM orders ORDER BY "Order"')).toEqual([
    ['1', 'Müller & Söhne', '10.1', '2024-02-29', 'true'],
    ['2', 'Zoë "Z"', '0.2', '2024-03-01', 'false'],
    ['3', null, '1234.5', '1999-12-31', 'true'],
  ]);
});

it('each sheet with a table becomes a table, and titles above its header are reported', async () => {
  const titled: readonly (readonly TestCell[])[] = [['Report'], [], ...ORDERS];
  const customers: readonly (readonly TestCell[])[] = [
    ['Customer', 'City'],
    ['Müller & Söhne', 'Ulm'],
    ['Zoë "Z"', 'Köln'],
  ];
  const file = workbook({ 'Orders 2024': titled, Customers: customers });
  const loaded = await load({ 'shop.xlsx': file });
  expect(loaded.tables.map(({ table, rowCount, headerRow }) => ({ table, rowCount, headerRow }))).toEqual([
    { table: 'shop_orders_2024', rowCount: 3, headerRow: 3 },
    { table: 'shop_customers', rowCount: 2, headerRow: 1 },
  ]);
  expect(loaded.tables[0]?.findings).toMatchObject([{ kind: 'lines_above_header', count: 2 }]);
  const chosen = await load({ 'shop.xlsx': file }, { shop_customers: { headerRow: 2 } });
  expect(await chosen.query('SELECT * FROM shop_customers')).toEqual([['Zoë "Z"', 'Köln']]);
});

it('a workbook that is broken or has no table, and a file that is no workbook, are refused', async () => {
  const whole = workbook({ Orders: ORDERS });
  await expect(load({ 'a.xlsx': whole.subarray(0, whole.length / 2) })).rejects.toThrow(/cannot be read/);
  await expect(load({ 'a.xlsx': 'a,b\n1,2\n' })).rejects.toThrow(/not an Excel workbook/);
  await expect(load({ 'a.xlsx': workbook({ Empty: [], One: [['x']] }) })).rejects.toThrow(/No sheet/);
});

it("the measure of an archive stops at its limit, even if the archive's directory reports less", async () => {
  const path = join(folder, 'bomb.zip');
  writeFileSync(path, zipSync({ 'xl/workbook.xml': new Uint8Array(20_000_000) }, { level: 9 }));
  expect(statSync(path).size).toBeLessThan(100_000);
  expect((await measureWorkbook(path, 100_000_000)).bytes).toBe(20_000_000);
  const measured = await measureWorkbook(path, 1_000_000);
  expect(measured.bytes).toBeGreaterThan(1_000_000);
});

it('a sheet with cells far from its table is refused with the last of them, wherever its XML is cut', async () => {
  const xml = '<row r="1"><c r="A1"/><c r="B1"/></row><row r="1048576"><c r="XFD1048576"/></row>';
  for (let cut = 0; cut < xml.length; cut++) {
    const extent = new SheetExtent();
    for (const piece of [xml.slice(0, cut), xml.slice(cut)]) extent.add(Buffer.from(piece));
    expect(extent.farCell, String(cut)).toBe('XFD1048576');
  }
  const dense = new SheetExtent();
  for (let row = 1; row <= 200_000; row++) dense.add(Buffer.from(`<c r="A${row}"/><c r="AD${row}"/>`));
  expect(dense.farCell).toBeUndefined();
  const far = Array.from({ length: 3_000 }, (_, row) => (row < 3 ? (ORDERS[row] ?? []) : []));
  far.push([...Array<TestCell>(3_000).fill(null), 'x']);
  await expect(load({ 'far.xlsx': workbook({ Orders: far }) })).rejects.toThrow(/far from its table, up to [A-Z]+3001/);
});

it('JSON is refused where it is nested too deep, by its brackets outside of texts', async () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
  await expect(load({ 'deep.json': `[{"a": ${nested(20_000)}}]` })).rejects.toThrow(/more than 64 levels deep/);
  const text = JSON.stringify([{ a: `"${'['.repeat(200)}\\`, b: JSON.parse(nested(20)) }]);
  expect(await (await load({ 'flat.json': text })).query('SELECT count(*) FROM flat')).toEqual([['1']]);
});
