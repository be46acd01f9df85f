import type { Aggregator, DataType } from '../model.ts';

export const AGGREGATORS: Readonly<Record<string, Aggregator>> = {
  sum: 'sum',
  count: 'count',
  min: 'min',
  max: 'max',
  avg: 'avg',
  'distinct-count': 'distinct-count',
  'distinct count': 'distinct-count',
};

/** Returns the type of an aggregated value when the schema does not say. */
export function defaultType(aggregator: Aggregator): DataType {
  return aggregator === 'count' || aggregator === 'distinct-count' ? 'Integer' : 'Numeric';
}
