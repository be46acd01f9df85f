/** Tests imports of realistic files. The expected value of each text is written beside it by hand. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, it } from 'vitest';
import type { ImportedTable, TableChoices } from '../../router/capabilities/file-import.ts';
import { ValidationError } from '../../router/errors.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { writeDuckdb } from '../warehouse/testing/engines.ts';
import { formatOf, openFileImport } from './open-file-import.ts';
import { importFiles } from './read-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'service-import-'));
afterAll(() => rmSync(folder, { recursive: true }));
const files = openFileImport({
  log: silentLog,
  memoryBytes: 512_000_000,
  threads: 2,
  timeoutMs: 120_000,
  maxCells: 200_000_000,
});
let number = 0;

function written(name: string, content: string | Buffer): string {
  const path = join(folder, `${number++}-${name}`);
  writeFileSync(path, content);
  return path;
}

type Choices = Readonly<Record<string, TableChoices>>;
type Load = (path: string, name: string, target: string, choices?: Choices) => Promise<readonly ImportedTable[]>;

/** Imports like the service, in a separate process, which takes a second. */
const inProcess: Load = (path, name, target, choices) => files.load([{ path, name, table: 't' }], target, { choices });

/** Imports in this process. */
const here: Load = async (path, name, target, choices = {}) => {
  const scratch = mkdtempSync(join(tmpdir(), 'service-import-scratch-'));
  try {
    const reply = await importFiles({
      files: [{ path, name, table: 't', format: formatOf(name) }],
      target,
      scratch,
      memoryBytes: 512_000_000,
      threads: 2,
      maxCells: 200_000_000,
      choices,
    });
    if (reply.kind === 'done') return reply.tables;
    for (const left of [target, `${target}.wal`]) rmSync(left, { force: true });
    if (reply.kind === 'refused') throw ValidationError.at(['file'], reply.message);
    throw new Error(reply.message);
  } finally {
    rmSync(scratch, { recursive: true });
  }
};

async function load(name: string, content: string | Buffer, how = here, choices: TableChoices = {}) {
  const target = join(folder, `${number++}.duckdb`);
  const [table] = await how(written(name, content), name, target, { t: choices });
  const instance = await DuckDBInstance.create(target, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const types = await connection.runAndReadAll(
    "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 't' ORDER BY column_index",
  );
  const rows = await connection.runAndReadAll('SELECT COLUMNS(*)::VARCHAR FROM t');
  const read = {
    table,
    types: Object.fromEntries(types.getRowsJS().map(([column, type]) => [String(column), String(type)])),
    rows: rows.getRowsJS(),
  };
  connection.closeSync();
  instance.closeSync();
  return read;
}

async function refused(name: string, content: string | Buffer, how = here): Promise<string> {
  const before = readdirSync(folder).length;
  const error = await load(name, content, how).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(readdirSync(folder).length).toBe(before + 1); // only the source
  if (!(error instanceof ValidationError)) throw new Error(`not refused: ${String(error)}`);
  expect(error.field).toBe('file');
  expect(error.message).not.toContain(folder);
  return error.message;
}

const csv = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('a CSV file', () => {
  it('keeps its numbers, dates and codes', async () => {
    const { types, rows } = await load(
      'orders.csv',
      csv(
        'id,zip,amount,day,paid,when',
        '1,01234,19.90,2024-02-29,true,2024-02-29 10:00:00',
        '2,90210,1200,2024-03-01,false,2024-03-01T23:59:59',
      ),
      inProcess,
    );
    expect(types).toEqual({
      id: 'BIGINT',
      zip: 'VARCHAR',
      amount: 'DECIMAL(18,2)',
      day: 'DATE',
      paid: 'BOOLEAN',
      when: 'TIMESTAMP',
    });
    expect(rows).toEqual([
      ['1', '01234', '19.90', '2024-02-29', 'true', '2024-02-29 10:00:00'],
      ['2', '90210', '1200.00', '2024-03-01', 'false', '2024-03-01 23:59:59'],
    ]);
  });

  it('may have semicolons, decimal commas, days before months and a byte order mark', async () => {
    const { types, rows, table } = await load(
      'umsatz.csv',
      `\uFEFF${csv('Kunde;Betrag;Tag', 'Müller;1.234,56;31.12.2023', 'Ößwald;-7,5;01.02.2024')}`,
    );
    expect(types).toEqual({ Kunde: 'VARCHAR', Betrag: 'DECIMAL(18,2)', Tag: 'DATE' });
    expect(rows).toEqual([
      ['Müller', '1234.56', '2023-12-31'],
      ['Ößwald', '-7.50', '2024-02-01'],
    ]);
    expect(table?.columns[1]?.notes).toEqual(['decimal comma']);
  });

  it.each([
    ['UTF-16, little endian', Buffer.from(`\uFEFF${csv('name,n', 'Zoë,1', 'Łukasz,2')}`, 'utf16le'), 'Łukasz'],
    ['Windows-1252', Buffer.from(csv('name,n', 'Zoë,1', 'Größe,2'), 'latin1'), 'Größe'],
  ])('may be written in %s', async (_, content, last) => {
    const { rows } = await load('names.csv', content);
    expect(rows).toEqual([
      ['Zoë', '1'],
      [last, '2'],
    ]);
  });

  it.each(['\t', '|', ';', ','])('may separate its values by %j', async (delimiter) => {
    const { rows } = await load(
      'd.csv',
      csv(...['a,b,c', '1,x,2.5', '2,y,3.5'].map((line) => line.replaceAll(',', delimiter))),
    );
    expect(rows).toEqual([
      ['1', 'x', '2.5'],
      ['2', 'y', '3.5'],
    ]);
  });

  it('keeps quoted delimiters, quotes and line ends', async () => {
    const { rows } = await load('q.csv', 'id,text\n1,"a, b"\n2,"say ""hi"""\n3,"two\nlines"\n');
    expect(rows).toEqual([
      ['1', 'a, b'],
      ['2', 'say "hi"'],
      ['3', 'two\nlines'],
    ]);
  });

  it('decides the order of day and month by values that fit only one order', async () => {
    const us = await load('us.csv', csv('n,due,seen', '1,01/02/2024,12/31/2023', '2,03/04/2024,01/01/2024'));
    expect(us.rows).toEqual([
      ['1', '2024-01-02', '2023-12-31'],
      ['2', '2024-03-04', '2024-01-01'],
    ]);
    const uk = await load('uk.csv', csv('n,due,seen', '1,01/02/2024,31/12/2023', '2,03/04/2024,01/01/2024'));
    expect(uk.rows).toEqual([
      ['1', '2024-02-01', '2023-12-31'],
      ['2', '2024-04-03', '2024-01-01'],
    ]);
  });

  it('may write the dates of one column in several ways', async () => {
    const { table, types, rows } = await load('m.csv', csv('n,day', '1,2024-01-31', '2,31.01.2024', '3,31 Jan 2024'));
    expect(types.day).toBe('DATE');
    expect(rows.map(([, day]) => day)).toEqual(['2024-01-31', '2024-01-31', '2024-01-31']);
    // The notes are right: in neither file is the month before the day.
    expect(table?.columns[1]?.notes).toEqual(['dates written in several ways']);
    const dotted = await load('d.csv', csv('n,day', '1,01.02.2024', '2,02.02.2024'));
    expect(dotted.rows.map(([, day]) => day)).toEqual(['2024-02-01', '2024-02-02']);
    expect(dotted.table?.columns[1]?.notes).toEqual(['dates with the day before the month']);
  });

  it('may have German names of months in its dates', async () => {
    const { table, types, rows } = await load(
      'Rechnungen.csv',
      csv(
        'Rechnung;Datum;Lieferung;Monat;Quartalsbeginn',
        'R-1;3. März 2024;03. Mär. 24;Mär 24;März 2024',
        'R-2;28. Februar 2023;28-Feb-23;Okt 23;Jänner 2023',
        'R-3;1. Mai 2024;1. Mai 1998;Mai 98;Juli 1999',
        'R-4;31. Dezember 1999;31.Dez.1999;Dez 07;Oktober 2030',
      ),
    );
    expect(types).toEqual({
      Rechnung: 'VARCHAR',
      Datum: 'DATE',
      Lieferung: 'DATE',
      Monat: 'DATE',
      Quartalsbeginn: 'DATE',
    });
    expect(rows).toEqual([
      ['R-1', '2024-03-03', '2024-03-03', '2024-03-01', '2024-03-01'],
      ['R-2', '2023-02-28', '2023-02-28', '2023-10-01', '2023-01-01'],
      ['R-3', '2024-05-01', '1998-05-01', '1998-05-01', '1999-07-01'],
      ['R-4', '1999-12-31', '1999-12-31', '2007-12-01', '2030-10-01'],
    ]);
    expect(table?.findings.map(({ kind, column, count }) => [kind, column, count])).toEqual([
      ['short_years', 'Lieferung', 2],
      ['short_years', 'Monat', 4],
    ]);
  });

  it('keeps texts with names of months that are no dates', async () => {
    const { types } = await load(
      'm.csv',
      csv(
        'day,team,room',
        '31. April 2024,Mai 1,Mar 24',
        '30. Februar 2024,Juni 2,May 7',
        '3. Foo 2024,April 3,Mar 25',
      ),
    );
    expect(types).toEqual({ day: 'VARCHAR', team: 'VARCHAR', room: 'VARCHAR' });
  });

  it('may have a currency or a percent sign beside its numbers', async () => {
    const { table, types, rows } = await load('c.csv', csv('price;rate', '€ 1.200,50;12%', '€ 3,00;7,5%'));
    expect(types).toEqual({ price: 'DECIMAL(18,2)', rate: 'DECIMAL(18,1)' });
    expect(rows).toEqual([
      ['1200.50', '12.0'],
      ['3.00', '7.5'],
    ]);
    expect(table?.columns.map(({ unit }) => unit)).toEqual(['€', '%']);
    // Amounts in two currencies are not one number.
    expect((await load('x.csv', csv('id,price', '1,€5', '2,$6'))).types.price).toBe('VARCHAR');
  });

  it('may write negative numbers like accountants do', async () => {
    const { table, types, rows } = await load(
      'books.csv',
      csv('net,fee,sum', '"(1,200.50)",$5,3-', '75,($2.25),4', '-1,-$1.00,"12,000-"'),
    );
    expect(types).toEqual({ net: 'DECIMAL(18,2)', fee: 'DECIMAL(18,2)', sum: 'BIGINT' });
    expect(rows).toEqual([
      ['-1200.50', '5.00', '-3'],
      ['75.00', '-2.25', '4'],
      ['-1.00', '-1.00', '-12000'],
    ]);
    expect(table?.columns.map(({ unit }) => unit)).toEqual([undefined, '$', undefined]);
    expect(table?.columns[1]?.notes).toEqual(['negative numbers in parentheses or with the minus behind']);
    // A word in parentheses is no number, and a single dash is an empty value.
    expect((await load('x.csv', csv('id,n', '1,(none)', '2,5'))).types.n).toBe('VARCHAR');
    expect((await load('y.csv', csv('id,n', '1,-', '2,5'))).rows.map(([, n]) => n)).toEqual([null, '5']);
  });

  it('keeps a column as text when some values contradict its type, with a note', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `${index},${index === 150 ? 'n.v.' : '5'}`);
    const { types, table } = await load('t.csv', csv('id,n', ...lines));
    expect(types).toEqual({ id: 'BIGINT', n: 'VARCHAR' });
    expect(table?.findings).toMatchObject([
      { kind: 'other_values', column: 'n', count: 1, of: 200, values: [{ text: 'n.v.', count: 1 }] },
    ]);
  });

  it('explains values that are neither true nor false, and units beside only some values', async () => {
    const lines = Array.from({ length: 100 }, (_, n) => {
      const truth = n === 50 ? 'maybe' : String(n % 2 === 0);
      return `${truth},${n % 4 === 0 ? `${n}.50 €` : `${n}.50`},${n % 2 === 0 ? '€5' : '$5'},€ ${n}`;
    });
    const { types, table } = await load('t.csv', csv('paid,price,mixed,whole', ...lines));
    expect(types).toMatchObject({ paid: 'VARCHAR', price: 'DECIMAL(18,2)', mixed: 'VARCHAR', whole: 'BIGINT' });
    expect(table?.columns.map(({ unit }) => unit)).toEqual([undefined, '€', undefined, '€']);
    expect(table?.findings.map(({ kind, column, count, of }) => ({ kind, column, count, of }))).toEqual([
      { kind: 'other_values', column: 'paid', count: 1, of: 100 },
      { kind: 'some_units', column: 'price', count: 75, of: 100 },
      { kind: 'several_units', column: 'mixed', count: 2, of: 100 },
    ]);
  });

  it.each([
    ['too few in the middle', 5, '1', 40, 7, 'fewer'],
    ['too many in the middle', 5, '1,2,3,4', 39, 7, 'more'],
    ['too few in the first row', 0, '1', 40, 2, 'fewer'],
    ['too many in the first row', 0, '1,2,3,4', 39, 2, 'more'],
    ['too few in the last row', 39, '1', 40, 41, 'fewer'],
  ])('reports a line with %s', async (_, place, ragged, rowCount, line, words) => {
    const lines = Array.from({ length: 40 }, (__, n) => (n === place ? ragged : `${n},x,5`));
    const { table, types, rows } = await load('t.csv', csv('a,b,c', ...lines));
    expect(types).toEqual({ a: 'BIGINT', b: 'VARCHAR', c: 'BIGINT' });
    expect(rows).toHaveLength(rowCount);
    if (words === 'fewer') expect(rows[place]).toEqual(['1', null, null]);
    expect(table?.findings).toMatchObject([{ kind: 'ragged_lines', count: 1, of: 40 }]);
    expect(table?.findings[0]?.message).toContain(`${words} than 3 values (line ${line})`);
  });

  it('is refused where many lines have another number of values', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => (n % 8 === 0 ? '1,2' : `${n},x,5`));
    expect(await refused('t.csv', csv('a,b,c', ...lines))).toMatch(
      /^5 of 40 lines do not have 3 values.*lines 2, 10, 18/,
    );
    expect(await refused('t.csv', `${csv('a,b,c', ...lines.slice(1, 30))}x,"never ends,5\n`)).toBe(
      'The columns of the file cannot be found: its lines differ in their number of values, or a quoted value does not end.',
    );
  });

  it('is typed by all of its rows, not only by the first ones', async () => {
    const lines = Array.from(
      { length: 30_000 },
      (_, index) => `${index},${index < 25_000 ? '5' : '5.25'},${index < 29_000 ? '' : '2024-01-01'}`,
    );
    const { types } = await load('late.csv', csv('id,n,day', ...lines));
    expect(types).toEqual({ id: 'BIGINT', n: 'DECIMAL(18,2)', day: 'DATE' });
  });

  it('may have 200 columns', async () => {
    const header = Array.from({ length: 200 }, (_, index) => `c${index}`).join(',');
    const line = (row: number) => Array.from({ length: 200 }, (_, index) => row * index).join(',');
    const { types, rows } = await load('wide.csv', csv(header, line(1), line(2), line(3)));
    expect(Object.keys(types)).toHaveLength(200);
    expect(new Set(Object.values(types))).toEqual(new Set(['BIGINT']));
    expect(rows[2]?.[199]).toBe(String(3 * 199));
  });

  it.each([
    ['is empty', '', /empty/],
    ['is white space', '  \n \n', /white space/],
    ['is a header and nothing else', 'a,b\n', /no rows/],
    ['is a Parquet file', Buffer.from('PAR1 whatever PAR1'), /Parquet/],
    ['is an Excel workbook', Buffer.from('PK\x03\x04\x14\0', 'latin1'), /Excel/],
    ['is gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0]), /gzip/],
    ['holds binary data', Buffer.from('a,b\n1,\0\0\x01\n'), /binary/],
    ['is a web page', '<!DOCTYPE html><html></html>', /web page/],
  ])('that %s is refused', async (_, content, reason) => {
    expect(await refused('f.csv', content)).toMatch(reason);
  });
});

describe('a JSON file', () => {
  it.each([
    [
      'a list of objects',
      '[{"id": 1, "day": "2024-01-31", "tags": ["a"]}, {"id": 2, "day": "2024-02-01", "tags": []}]',
    ],
    ['an object a line', '{"id": 1, "day": "2024-01-31", "tags": ["a"]}\n{"id": 2, "day": "2024-02-01", "tags": []}\n'],
  ])('of %s is a table', async (_, content) => {
    const { types, rows } = await load('o.json', content);
    expect(types).toEqual({ id: 'BIGINT', day: 'DATE', tags: 'VARCHAR' });
    expect(rows).toEqual([
      ['1', '2024-01-31', '["a"]'],
      ['2', '2024-02-01', '[]'],
    ]);
  });

  it.each([
    ['ends early', '[{"a": 1}, {"a":'],
    ['ends behind one of its objects', '[{"a": 1},\n'],
    ['ends inside its last line', '{"a": 1}\n{"a": 2'],
    ['is a number', '7'],
    ['is CSV', 'a,b\n1,2\n'],
  ])('that %s is refused', async (_, content) => {
    expect(await refused('f.json', content)).toMatch(/JSON|broken/);
  });
});

describe('a Parquet file', () => {
  async function parquet(select: string): Promise<string> {
    const path = join(folder, `${number++}.parquet`);
    await writeDuckdb(join(folder, `${number++}.tmp.duckdb`), [
      `COPY (${select}) TO '${path}' (FORMAT parquet)`,
      'SELECT 1',
    ]);
    return path;
  }

  it('keeps its types', async () => {
    const { readFileSync } = await import('node:fs');
    const path = await parquet(
      "SELECT 1::INTEGER AS id, 1.50::DECIMAL(9,2) AS amount, DATE '2024-01-31' AS day, '007' AS code",
    );
    const { types, rows } = await load('p.parquet', readFileSync(path));
    expect(types).toEqual({ id: 'INTEGER', amount: 'DECIMAL(9,2)', day: 'DATE', code: 'VARCHAR' });
    expect(rows).toEqual([['1', '1.50', '2024-01-31', '007']]);
  });

  it('that is broken, truncated or of another format is refused', async () => {
    const { readFileSync } = await import('node:fs');
    const bytes = readFileSync(await parquet('SELECT range AS id FROM range(1000)'));
    expect(await refused('f.parquet', bytes.subarray(0, bytes.length / 2))).toMatch(/not whole/);
    expect(await refused('f.parquet', 'a,b\n1,2\n')).toMatch(/not a Parquet/);
    const broken = Buffer.from(bytes);
    broken.fill(0xff, 4, bytes.length - 8);
    expect(await refused('f.parquet', broken, inProcess)).toMatch(/cannot be read/);
  });

  it('of few bytes that decompresses to very many values is refused', async () => {
    const { readFileSync } = await import('node:fs');
    // A run of a million equal values takes a few bytes of Parquet.
    const bytes = readFileSync(await parquet('SELECT 1 AS a, 2 AS b, 3 AS c FROM range(1000000)'));
    expect(bytes.length).toBeLessThan(50_000);
    const strict = openFileImport({
      log: silentLog,
      memoryBytes: 512_000_000,
      threads: 2,
      timeoutMs: 120_000,
      maxCells: 2_999_999,
    });
    const how: Load = (path, name, target) => strict.load([{ path, name, table: 't' }], target);
    expect(await refused('bomb.parquet', bytes, how)).toMatch(/unpacks to 1000000 rows of 3 columns/);
  });
});

it.each(['a.csv', 'a.json'])('a column with a name that is too long is refused: %s', async (name) => {
  const long = 'x'.repeat(501);
  const content = name === 'a.csv' ? csv(`${long},b`, '1,2') : JSON.stringify([{ [long]: 1, b: 2 }]);
  await expect(load(name, content)).rejects.toThrow(/A column has a name of more than 500 characters: x{50}…/);
});

it('a file with another extension is refused', async () => {
  await expect(load('a.ods', 'x')).rejects.toThrow('must end in .csv, .parquet, .json, or .xlsx');
});

it('wildcards in a path are plain characters', async () => {
  const { rows } = await load('a[1]*?.csv', csv('a,b', '1,2'), inProcess);
  expect(rows).toEqual([['1', '2']]);
});

it('an import cancelled before its process starts starts none, and leaves nothing', async () => {
  const path = written('short.csv', 'id\n1\n');
  const before = readdirSync(folder).length;
  const stop = new AbortController();
  const loading = files.load([{ path, name: 'short.csv', table: 't' }], join(folder, 'never.duckdb'), {
    signal: stop.signal,
  });
  stop.abort();
  await expect(loading).rejects.toThrow(/cancelled/);
  expect(readdirSync(folder).length).toBe(before);
});

it('a cancelled import ends and leaves nothing', async () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `${index},${'x'.repeat(50)}`);
  const path = written('long.csv', `id,text\n${lines.join('\n')}\n`);
  const before = readdirSync(folder).length;
  const stop = new AbortController();
  const loading = files.load([{ path, name: 'long.csv', table: 't' }], join(folder, 'never.duckdb'), {
    signal: stop.signal,
  });
  const isUnderWay = (): boolean =>
    readdirSync(folder).some((name) => name.startsWith('.import-') && existsSync(join(folder, name, 'made.duckdb')));
  await expect.poll(isUnderWay, { interval: 5, timeout: 20_000 }).toBe(true);
  stop.abort();
  await expect(loading).rejects.toThrow(/cancelled/);
  expect(readdirSync(folder).length).toBe(before);
});

it.each([',', ';', '\t', '|'])(
  'far too many columns separated by %j are refused before the engine reads the file',
  async (delimiter) => {
    const names = Array.from({ length: 200_000 }, (_, index) => `c${index}`).join(delimiter);
    // The engine would take all cores for seconds to read so many columns, and then report the quote.
    const path = written('wide.csv', `${names}\n"a value that never ends`);
    await expect(here(path, 'wide.csv', join(folder, `${number++}.duckdb`))).rejects.toThrow('more than 1000 columns');
  },
);
