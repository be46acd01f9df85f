import { afterEach, expect, it } from 'vitest';
import {
  type AnalyticsOptions,
  type AnalyticsResult,
  type AnalyticsTask,
  inlinePool,
  makeForecasts,
  readTimeAxis,
} from '../../plugins/analytics/index.ts';
import { CancelledError } from '../../router/errors.ts';
import { sharedBy } from '../fair-share/counted-user.ts';
import { ThreadPool } from './thread-pool.ts';

const module = new URL('../../plugins/analytics/work/worker.ts', import.meta.url);
let pool: ThreadPool<AnalyticsTask, AnalyticsResult>;
afterEach(() => pool.close());

function task(points: number, series = 1): AnalyticsTask {
  const values = Float64Array.from({ length: points }, (_, i) => 100 + i + 10 * Math.sin(i));
  return {
    kind: 'forecast',
    series: Array.from({ length: series }, () => values),
    options: { method: 'ets', interval: 0.95, periods: [24, 168] },
    horizons: Array.from({ length: series }, () => 24),
    gaps: [],
  };
}

it('returns the results of the task, each to its caller', async () => {
  pool = new ThreadPool({ module, size: 2 });
  const tasks = [task(20), task(30), task(40)];
  const results = await Promise.all(tasks.map((each) => pool.run(each)));
  expect(results).toEqual(await Promise.all(tasks.map((each) => inlinePool.run(each))));
});

it('a cancel stops running work, and the pool continues', async () => {
  pool = new ThreadPool({ module, size: 1 });
  await pool.run(task(20));
  const stop = new AbortController();
  // Minutes of work, and behind it a waiting task.
  const long = pool.run(task(5_000, 500), stop.signal);
  const waiting = pool.run(task(20));
  stop.abort();
  await expect(long).rejects.toThrow(CancelledError);
  expect((await waiting).results).toHaveLength(1);
});

it('a task that is cancelled before its turn never starts', async () => {
  pool = new ThreadPool({ module, size: 1 });
  const stop = new AbortController();
  const first = pool.run(task(30));
  const second = pool.run(task(5_000, 500), stop.signal);
  stop.abort();
  await expect(second).rejects.toThrow(CancelledError);
  expect((await first).results).toHaveLength(1);
});

it('a failing thread is an internal error, and another thread replaces it', async () => {
  pool = new ThreadPool({ module, size: 1 });
  const broken = { kind: 'anomaly' } as AnalyticsTask;
  await expect(pool.run(broken)).rejects.toThrow('A worker thread failed.');
  expect((await pool.run(task(20))).results).toHaveLength(1);
});

it('a caller with many tasks waits for them; another caller with one task has the next turn', async () => {
  pool = new ThreadPool({ module, size: 1 });
  const ended: string[] = [];
  const send = (who: string) => sharedBy(who, () => pool.run(task(60)).then(() => void ended.push(who)));
  const all = [...Array.from({ length: 8 }, () => send('many')), send('one')];
  await Promise.all(all);
  expect(ended.indexOf('one')).toBeLessThanOrEqual(1);
});

it('a cancelled request for 500 series leaves its threads to the next one', async () => {
  pool = new ThreadPool({ module, size: 2 });
  const begun: number[] = [];
  const counted: typeof pool.run = (each, signal) => {
    begun.push(each.series.length);
    return pool.run(each, signal);
  };
  const months = Array.from(
    { length: 120 },
    (_, i) => `${2014 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
  );
  const forecasts = async (series: number, options: Pick<AnalyticsOptions, 'signal' | 'onProgress'>) => {
    const axis = await readTimeAxis(months.flatMap((month) => Array.from({ length: series }, () => month)));
    if (axis === undefined) throw new Error('months are no time axis');
    const rows = months.flatMap((_, t) =>
      Array.from({ length: series }, (_each, by) => ({ by: { by }, values: [100 + t + by * Math.sin(t / 2)] })),
    );
    return makeForecasts(
      { axis, rows, metrics: ['value'] },
      { horizon: 6 },
      { pool: { size: 2, run: counted }, ...options },
    );
  };
  await forecasts(1, { signal: undefined });
  const stop = new AbortController();
  let doneBefore = 0;
  const onProgress = (done: number) => {
    doneBefore = done;
    stop.abort();
  };
  await expect(forecasts(500, { signal: stop.signal, onProgress })).rejects.toThrow(CancelledError);
  const tasksBefore = begun.length;
  expect(doneBefore).toBeLessThan(100);
  const { value } = await forecasts(1, { signal: undefined });
  expect(value?.points).toHaveLength(6);
  // No further task of the cancelled request has started: the next task belongs to the next request.
  expect(begun.slice(tasksBefore)).toEqual([1]);
  // Two run at a time, with sixteen series each.
  expect(tasksBefore).toBeLessThanOrEqual(1 + 4);
});

it('an idle thread ends after a while, and a new one takes the next task', async () => {
  const source = `import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', () => parentPort.postMessage(threadId));`;
  const numbered = { module: new URL(`data:text/javascript,${encodeURIComponent(source)}`), size: 1 };
  const patient = new ThreadPool<string, number>({ ...numbered, idleMs: 3_600_000 });
  const hasty = new ThreadPool<string, number>({ ...numbered, idleMs: 1 });
  try {
    const first = await patient.run('who');
    expect(await patient.run('who')).toBe(first);
    const second = await hasty.run('who');
    await expect.poll(() => hasty.run('who'), { timeout: 20_000 }).not.toBe(second);
    expect(await patient.run('who')).toBe(first);
  } finally {
    await patient.close();
    await hasty.close();
  }
});
