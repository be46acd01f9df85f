import { isRecord } from '../api/json.ts';
import type { Cell } from '../api/parse-answer.ts';

/** Describes an unusual value as the server reports it. */
export interface Anomaly {
  readonly expected: number | undefined;
  readonly direction: string | undefined;
}

/** Reads the anomaly of a cell; undefined where the server reports none. */
export function readAnomaly(cell: Cell | undefined): Anomaly | undefined {
  const { anomaly } = cell ?? {};
  if (!isRecord(anomaly)) return undefined;
  const { expected, direction } = anomaly;
  return { expected: finiteNumber(expected), direction: typeof direction === 'string' ? direction : undefined };
}

/** Returns a number; undefined for anything else. */
export function finiteNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
