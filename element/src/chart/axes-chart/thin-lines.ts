import { MAX_LINE_POINTS, THINNED_LINE_POINTS } from '../../limits.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import type { FrameSeries } from '../frame.ts';
import { readAnomaly } from '../read-analysis.ts';
import type { ThinningPart } from './thinning.ts';

/**
 * Returns a frame with fewer points where its lines have more than a screen can show. Each series keeps its outline
 * ("Largest-Triangle-Three-Buckets", Steinarsson 2013), its lowest and its highest value, its unusual values and its gaps.
 * Forecast points behind the rows all stay.
 */
export const thinLines: ThinningPart['thinLines'] = (frame, formats) => {
  const { points, panels, ahead, notes } = frame;
  const count = points.rows.length;
  if (count <= MAX_LINE_POINTS) return frame;
  const kept = new Set([0, count - 1, ...ahead.map((_, step) => count + step)]);
  for (const series of panels.flatMap((panel) => panel.series))
    for (const place of outline(series, (at) => points.times?.[at] ?? at)) kept.add(place);
  const places = [...kept].sort((a, b) => a - b);
  const pick = <T>(values: readonly T[]): readonly T[] =>
    places.filter((place) => place < values.length).map((place) => values[place] as T);
  return {
    ...frame,
    points: {
      ...points,
      rows: pick(points.rows),
      labels: pick(points.labels),
      times: points.times && pick(points.times),
      places,
    },
    panels: panels.map((panel) => ({
      ...panel,
      series: panel.series.map((series) => ({ ...series, cells: pick(series.cells), rows: pick(series.rows) })),
    })),
    notes: [
      ...notes,
      formats.say(
        '{0} of {1} points, with each highest and lowest; all are in the table',
        formats.number(places.length - ahead.length),
        formats.number(count),
      ),
    ],
  };
};

/** Returns the places of a series that its line needs. */
function outline({ cells }: FrameSeries, x: (at: number) => number): readonly number[] {
  const kept: number[] = [];
  const given: { readonly at: number; readonly x: number; readonly y: number }[] = [];
  cells.forEach((cell, at) => {
    const y = axisNumber(cell);
    if (readAnomaly(cell)) kept.push(at);
    if (y !== undefined) given.push({ at, x: x(at), y });
    // The first missing value after a value interrupts the line.
    else if (given.at(-1)?.at === at - 1) kept.push(at);
  });
  const [first] = given;
  const last = given.at(-1);
  if (first === undefined || last === undefined) return kept;
  let [lowest, highest] = [first, first];
  for (const point of given) {
    if (point.y < lowest.y) lowest = point;
    if (point.y > highest.y) highest = point;
  }
  kept.push(first.at, last.at, lowest.at, highest.at);
  const size = (given.length - 2) / (THINNED_LINE_POINTS - 2);
  if (size <= 1) return [...kept, ...given.map(({ at }) => at)];
  let before = first;
  for (let bucket = 0; bucket < THINNED_LINE_POINTS - 2; bucket++) {
    const [start, end] = [Math.floor(bucket * size) + 1, Math.floor((bucket + 1) * size) + 1];
    const next = given.slice(end, Math.max(end + 1, Math.floor((bucket + 2) * size) + 1));
    const mean = (value: (point: { readonly x: number; readonly y: number }) => number) =>
      next.reduce((sum, point) => sum + value(point) / next.length, 0);
    const [meanX, meanY] = next.length === 0 ? [last.x, last.y] : [mean((point) => point.x), mean((point) => point.y)];
    let [largest, chosen] = [-1, given[start] ?? last];
    for (const point of given.slice(start, end)) {
      // Twice the area of the triangle with the point before and the mean of the next bucket.
      const area = Math.abs((before.x - meanX) * (point.y - before.y) - (before.x - point.x) * (meanY - before.y));
      if (area > largest) [largest, chosen] = [area, point];
    }
    kept.push(chosen.at);
    before = chosen;
  }
  return kept;
}
