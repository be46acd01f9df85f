/** Aggregates of parts whose values make the value of the whole, and by what: means over time of several accounts. */
const WHOLE_OF_PARTS = { sum: 'SUM', count: 'SUM', avg: 'AVG', min: 'MIN', max: 'MAX' } as const;

export const ADDS_UP: ReadonlySet<string> = new Set(Object.keys(WHOLE_OF_PARTS));

/** Returns the aggregate that makes a whole of values by this one; `undefined` where none does. */
export function rollupOf(aggregation: string): string | undefined {
  return new Map<string, string>(Object.entries(WHOLE_OF_PARTS)).get(aggregation);
}
