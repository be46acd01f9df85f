import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../router/testing/silent-log.ts';
import { KeptResults } from './kept-results.ts';

let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'kept-results-')), 'results');
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

/** A pool that counts its tasks, and the results of a process that keeps them in the folder. */
function started(version = '1', name = 'lengths', maxFiles = 500) {
  const tasks: string[] = [];
  const pool = new KeptResults({ directory, version, log: silentLog, maxFiles }).of(name, {
    size: 1,
    async run(task: string) {
      tasks.push(task);
      return { task, length: BigInt(task.length), nothing: undefined };
    },
  });
  return { pool, tasks };
}

it('a task is done once, and a later process has its result', async () => {
  const first = started();
  const result = await first.pool.run('abc');
  expect(result).toEqual({ task: 'abc', length: 3n, nothing: undefined });
  expect(await first.pool.run('abc')).toEqual(result);
  expect(first.tasks).toEqual(['abc']);
  const second = started();
  expect(await second.pool.run('abc')).toEqual(result);
  expect(second.tasks).toEqual([]);
  await second.pool.run('abcd');
  expect(second.tasks).toEqual(['abcd']);
});

it.each([
  ['version', started.bind(undefined, '2')],
  ['pool', started.bind(undefined, '1', 'others')],
])('another %s has results of its own', async (_, other) => {
  await started().pool.run('abc');
  const { pool, tasks } = other();
  await pool.run('abc');
  expect(tasks).toEqual(['abc']);
});

it('a file that is cut, empty or a copy of another is made again', async () => {
  const { pool, tasks } = started();
  await pool.run('abc');
  const [file = ''] = readdirSync(directory);
  const path = join(directory, file);
  const whole = readFileSync(path);
  await pool.run('other');
  const other = readdirSync(directory).find((name) => name !== file) ?? '';
  for (const broken of [whole.subarray(0, 20), Buffer.alloc(0), readFileSync(join(directory, other))]) {
    writeFileSync(path, broken);
    tasks.length = 0;
    expect(await pool.run('abc')).toMatchObject({ length: 3n });
    expect(tasks).toEqual(['abc']);
    expect(readFileSync(path)).toEqual(whole);
  }
});

it('keeps a bounded number of results: the ones that were used last', async () => {
  const { pool } = started('1', 'lengths', 3);
  await pool.run('first');
  for (let index = 0; index < 20; index += 1) {
    await pool.run(`task ${index}`);
    await pool.run('first');
  }
  // The folder is looked at after each twentieth write.
  expect(readdirSync(directory)).toHaveLength(3);
  const later = started();
  await later.pool.run('first');
  expect(later.tasks).toEqual([]);
});

it('a task that is repeated while it runs is done once', async () => {
  let finish = (): void => undefined;
  let runs = 0;
  const pool = new KeptResults({ directory, version: '1', log: silentLog }).of('slow', {
    size: 1,
    run: () =>
      new Promise<number>((resolve) => {
        runs += 1;
        finish = () => resolve(runs);
      }),
  });
  const first = pool.run('a');
  await expect.poll(() => runs).toBe(1);
  const second = pool.run('a');
  finish();
  expect(await Promise.all([first, second])).toEqual([1, 1]);
});

it('a failure is not kept', async () => {
  let runs = 0;
  const pool = new KeptResults({ directory, version: '1', log: silentLog }).of('failing', {
    size: 1,
    async run() {
      runs += 1;
      if (runs === 1) throw new Error('once');
      return runs;
    },
  });
  await expect(pool.run('a')).rejects.toThrow('once');
  expect(await pool.run('a')).toBe(2);
});
