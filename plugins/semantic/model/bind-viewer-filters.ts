/** Binds the viewer filters of a dataset to its fields. */
import type { ScalarType } from '../../../router/capabilities/scalar.ts';
import { nearestFirst } from '../../../router/nearest-names.ts';
import type { BoundDataset, BoundField } from './bound-dataset.ts';
import type { ValueType, ViewerFilter } from './model.ts';
import type { Problems } from './problems.ts';
import { ATTRIBUTE_TYPES, type ViewerAttribute } from './viewer-filters.ts';

/**
 * Binds the viewer filters of a dataset. A filter that cannot be bound is an error, because without it all rows would be
 * visible.
 */
export function bindViewerFilters(
  { draft, fields }: BoundDataset,
  declared: readonly ViewerAttribute[] | undefined,
  typeOf: (field: BoundField) => ValueType | undefined,
  problems: Problems,
): readonly ViewerFilter[] {
  const place = [...draft.place, 'custom_extensions'];
  return draft.facts.viewers.filters.flatMap(({ field: name, attribute }, index): readonly ViewerFilter[] => {
    const where = `viewer_filters[${index}]`;
    const field = fields.get(name);
    if (field === undefined) {
      const available = nearestFirst(name, [...fields.keys()]).join(', ');
      problems.error(place, `${where} names the field ${name}, which the dataset does not have. It has ${available}.`);
      return [];
    }
    const attributeNames = declared?.map((one) => one.name) ?? [];
    const attributeOf = declared?.find((one) => one.name === attribute);
    if (declared !== undefined && attributeOf === undefined) {
      const available = nearestFirst(attribute, attributeNames).join(', ');
      problems.error(
        place,
        `${where} names the attribute ${attribute}, which viewer_attributes does not declare. It declares ${available}.`,
      );
      return [];
    }
    const type = typeOf(field);
    if (type === undefined) {
      problems.error(place, `${where} names the field ${name}, whose type is unknown.`);
      return [];
    }
    const types: readonly ScalarType[] | undefined = attributeOf && ATTRIBUTE_TYPES[attributeOf.type];
    if (types !== undefined && type.nativeType !== '' && !types.includes(type.type)) {
      problems.error(
        place,
        `${where} compares ${name}, a field of type ${type.nativeType}, with ${attribute}, which is declared as ${attributeOf?.type}.`,
      );
      return [];
    }
    const { type: scalarType, nativeType } = type;
    return [Object.freeze({ attribute, expression: field.expression, type: scalarType, nativeType })];
  });
}
