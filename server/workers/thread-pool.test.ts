import { afterEach, expect, it } from 'vitest';
import { type AnalyticsResult, type AnalyticsTask, inlinePool } from '../../plugins/analytics/index.ts';
import { CancelledError } from '../../router/errors.ts';
import { ThreadPool } from './thread-pool.ts';

const module = new URL('../../plugins/analytics/worker.ts', import.meta.url);
let pool: ThreadPool<AnalyticsTask, AnalyticsResult>;
afterEach(() => pool.close());

function task(points: number, series = 1): AnalyticsTask {
  const values = Float64Array.from({ length: points }, (_, i) => 100 + i + 10 * Math.sin(i));
  return {
    kind: 'forecast',
    series: Array.from({ length: series }, () => values),
    options: { method: 'ets', interval: 0.95, periods: [24, 168] },
    horizons: Array.from({ length: series }, () => 24),
  };
}

it('gives what the task gives in this thread, to each its own', async () => {
  pool = new ThreadPool({ module, size: 2 });
  const tasks = [task(20), task(30), task(40)];
  const results = await Promise.all(tasks.map((each) => pool.run(each)));
  expect(results).toEqual(await Promise.all(tasks.map((each) => inlinePool.run(each))));
});

it('a cancel stops work that is under way, and the pool goes on', async () => {
  pool = new ThreadPool({ module, size: 1 });
  await pool.run(task(20));
  const stop = new AbortController();
  // Minutes of work, and behind it a task that waits.
  const long = pool.run(task(5_000, 500), stop.signal);
  const waiting = pool.run(task(20));
  stop.abort();
  await expect(long).rejects.toThrow(CancelledError);
  expect((await waiting).results).toHaveLength(1);
});

it('a task that is cancelled before its turn is never begun', async () => {
  pool = new ThreadPool({ module, size: 1 });
  const stop = new AbortController();
  const first = pool.run(task(30));
  const second = pool.run(task(5_000, 500), stop.signal);
  stop.abort();
  await expect(second).rejects.toThrow(CancelledError);
  expect((await first).results).toHaveLength(1);
});

it('a thread that fails is an error of ours, and another takes its place', async () => {
  pool = new ThreadPool({ module, size: 1 });
  const broken = { kind: 'anomaly' } as AnalyticsTask;
  await expect(pool.run(broken)).rejects.toThrow('A worker thread failed.');
  expect((await pool.run(task(20))).results).toHaveLength(1);
});
