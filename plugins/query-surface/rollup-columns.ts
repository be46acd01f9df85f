/** Decides whether a column of figures that were aggregated before has the values of the column that it stands for. */
import type { ColumnType } from '../../router/capabilities/dialect.ts';
import type { ScalarType } from '../../router/capabilities/scalar.ts';

/** The types of extremes: values that are equal only if they are the same. */
export const EXTREME_TYPES: readonly ScalarType[] = ['integer', 'decimal', 'float', 'date', 'timestamp', 'timestamptz'];

/** The types of sums that are the same in every order of rows. */
export const SUMMED_TYPES: readonly ScalarType[] = ['integer', 'decimal'];

/** Native types of texts that are compared alike. */
const PLAIN_TEXT = /^(nullable\()?(text|varchar|character varying|string|longtext|mediumtext)\b/i;

/** Returns whether values of a type can be groups. */
export function canBeGrouped({ type }: ColumnType): boolean {
  return !['json', 'binary', 'other', 'time'].includes(type);
}

/** Returns whether values of two types are equal in one column where they are equal in the other, in the same order. */
export function groupAlike(left: ColumnType, right: ColumnType): boolean {
  return (
    left.type === right.type &&
    (left.type !== 'text' ||
      left.nativeType.toLowerCase() === right.nativeType.toLowerCase() ||
      [left, right].every(({ nativeType }) => PLAIN_TEXT.test(nativeType)))
  );
}
