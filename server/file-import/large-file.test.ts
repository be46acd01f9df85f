/** Tests that a file of two million rows is imported in bounded memory, in a separate process. */
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, expect, it } from 'vitest';
import { silentLog } from '../../router/testing/silent-log.ts';
import { entryPoint } from '../entry-points.ts';
import { openFileImport } from './open-file-import.ts';

const folder = mkdtempSync(join(tmpdir(), 'service-large-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PROCESS = fileURLToPath(entryPoint('file-import').module);

const BLOCK = 20_000;
/** Separated by bars, with decimal commas, dates in two formats, and quotes. All blocks of the file are equal. */
const LINES = Array.from({ length: BLOCK }, (_, row) => {
  const day = String(1 + (row % 28)).padStart(2, '0');
  const placed = row % 2 === 0 ? `${day}.03.2024` : `2024-03-${day}`;
  return `${row}|${placed}|1.${String(row % 1_000).padStart(3, '0')},5${row % 10}|"a ""quoted"" | name ${row % 100}"\n`;
}).join('');
/** Sum of 1000.50, 1001.51, …: 1,000 and the last three digits, plus a half, plus hundredths from the last digit. */
const BLOCK_SUM = BLOCK * 1_000 + (BLOCK / 1_000) * ((999 * 1_000) / 2) + BLOCK * 0.5 + (BLOCK / 10) * 0.45;

function written(name: string, rows: number): string {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  writeSync(file, '\ufefforder|placed|amount|customer\n');
  for (let row = 0; row < rows; row += BLOCK) writeSync(file, LINES);
  closeSync(file);
  return path;
}

/** Returns the memory of this process in bytes: objects, and buffers outside of the heap. */
function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Memory limit of the import's engine, in bytes. */
const MEMORY_BYTES = 200_000_000;
/** Maximum memory of the import's process besides its engine, for any file: the program, and the blocks it reads. */
const PROGRAM_BYTES = 300_000_000;

/** Returns the peak memory of an import's process so far, in bytes. */
function importPeak(): number {
  for (const id of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const isOurs = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) === process.pid;
      if (isOurs && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(PROCESS))
        return 1_024 * Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]);
    } catch {
      // The process has just ended.
    }
  }
  return 0;
}

async function imported(name: string, rows: number) {
  const path = written(name, rows);
  const target = join(folder, `${name}.duckdb`);
  const files = openFileImport({ log: silentLog, memoryBytes: MEMORY_BYTES, threads: 2, timeoutMs: 590_000 });
  let peak = 0;
  const before = held();
  let heldMost = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, importPeak());
    heldMost = Math.max(heldMost, held());
  }, 100);
  const [table] = await files.load([{ path, name, table: 't' }], target);
  clearInterval(watch);
  return { table, target, bytes: statSync(path).size, peak, growth: heldMost - before };
}

it('two million rows are read in bounded memory by a separate process, and all of them are imported', async () => {
  const large = await imported('large.csv', 2_000_000);
  expect(large.bytes).toBeGreaterThan(80_000_000);
  // Where the system reports it (`/proc`).
  if (process.platform === 'linux') expect(large.peak).toBeGreaterThan(0);
  expect(large.peak).toBeLessThan(MEMORY_BYTES + PROGRAM_BYTES);
  expect(large.growth).toBeLessThan(large.bytes / 2);
  expect(large.table?.columns.map(({ name, notes }) => [name, notes])).toEqual([
    ['order', []],
    ['placed', ['dates written in several ways']],
    ['amount', ['decimal comma']],
    ['customer', []],
  ]);
  const instance = await DuckDBInstance.create(large.target, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const read = await connection.runAndReadAll(
    'SELECT count(*)::INTEGER, sum(amount)::DOUBLE, min(placed)::VARCHAR, max(placed)::VARCHAR, count(DISTINCT customer)::INTEGER, min(customer) FROM t',
  );
  connection.closeSync();
  instance.closeSync();
  const [rows, sum, first, last, customers, name] = read.getRowsJS()[0] ?? [];
  expect([rows, first, last, customers, name]).toEqual([
    2_000_000,
    '2024-03-01',
    '2024-03-28',
    100,
    'a "quoted" | name 0',
  ]);
  expect(sum).toBeCloseTo((2_000_000 / BLOCK) * BLOCK_SUM, 0);
}, 600_000);
