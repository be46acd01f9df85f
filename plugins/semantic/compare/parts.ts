/** The parts that a comparison adds to an answer: the base value, the difference and the ratio. */
import type { Scalar } from '../../../router/capabilities/warehouse.ts';
import { differenceOf, ratioOf } from './difference.ts';

export const COMPARED_PARTS = {
  base: { label: (metric, to) => `${metric} (${to})`, of: (_, base) => base },
  difference: { label: (metric, to) => `${metric}, difference (${to})`, of: differenceOf },
  ratio: { label: (metric, to) => `${metric}, ratio (${to})`, of: ratioOf },
} as const satisfies Record<
  string,
  {
    readonly label: (metric: string, to: string) => string;
    readonly of: (value: Scalar, base: Scalar) => Scalar;
  }
>;
export type ComparedPart = keyof typeof COMPARED_PARTS;
export const COMPARED_PART_NAMES = Object.keys(COMPARED_PARTS) as [ComparedPart, ...ComparedPart[]];
