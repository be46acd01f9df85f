import type { AxisField } from '../../analytics/index.ts';
import { keyOf } from './resolve/field-key.ts';
import type { FieldInRole } from './resolved.ts';

/** Returns the names that a time axis may call the fields of a query by: their keys, and `dataset.field` without grain and via. */
export function axisFields(fields: readonly FieldInRole[]): readonly AxisField[] {
  return fields.map((each) => ({ name: keyOf(each), synonyms: [`${each.field.dataset}.${each.field.name}`] }));
}
