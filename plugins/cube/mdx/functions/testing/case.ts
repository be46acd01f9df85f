import type { Value } from '../../metadata/value.ts';

/** `[expression, what it yields]`, by hand from the shop's table; the cube is Sales unless another one is named. */
export type SetCase = readonly [expression: string, tuples: string, cube?: string];
/** Numbers are compared to nine digits. */
export type ValueCase = readonly [expression: string, value: Value, cube?: string];
