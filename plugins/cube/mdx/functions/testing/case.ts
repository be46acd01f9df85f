import type { Value } from '../../metadata/value.ts';

/** `[expression, tuples]`. Computed by hand from the shop's tables. The cube is Sales unless another one is named. */
export type SetCase = readonly [expression: string, tuples: string, cube?: string];
/** `[expression, value]`. Numbers are compared to nine digits. */
export type ValueCase = readonly [expression: string, value: Value, cube?: string];
