/** Tests that the serving thread works on a long request in turns. */
import { expect, it } from 'vitest';
import { holdOf } from '../../router/testing/loop-delay.ts';
import { makeForecasts } from './answer/analyse-series.ts';
import { MAX_HORIZON, MAX_SERIES } from './limits.ts';
import { readTimeAxis } from './series/time-axis.ts';
import type { AnalyticsPool } from './work/task.ts';

const POINTS = 60;
/** Returns the results of other threads at once, so that only the work of this thread is measured. */
const ready: AnalyticsPool = {
  size: 2,
  async run(task) {
    const steps = Array.from({ length: MAX_HORIZON }, () => ({ value: 2, lower: 1, upper: 3 }));
    return { kind: 'forecast', results: task.series.map(() => ({ steps, models: [] })) };
  },
};

it('500 forecasts of 365 days are laid out in turns', async () => {
  const days = Array.from({ length: POINTS }, (_, t) => new Date(t * 86_400_000).toISOString().slice(0, 10));
  const rows = days.flatMap((_, t) =>
    Array.from({ length: MAX_SERIES }, (_each, series) => ({ by: { series }, values: [t] })),
  );
  let points = 0;
  const work = async () => {
    const axis = await readTimeAxis(days.flatMap((day) => Array.from({ length: MAX_SERIES }, () => day)));
    if (axis === undefined) throw new Error('days are no time axis');
    const table = { axis, rows, metrics: ['value'] };
    const { value } = await makeForecasts(table, { horizon: MAX_HORIZON }, { pool: ready, signal: undefined });
    points = value?.series?.reduce((sum, series) => sum + series.points.length, 0) ?? 0;
  };
  const holds: number[] = [];
  // The least of several attempts, because a garbage collection may be due to earlier work.
  for (let attempt = 0; attempt < 5; attempt++) holds.push((await holdOf(work)).heldMillis);
  expect(points).toBe(MAX_SERIES * MAX_HORIZON);
  expect(Math.min(...holds)).toBeLessThan(60);
});
