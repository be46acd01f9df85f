import type { AxisField } from '../../../analytics/index.ts';
import type { SemanticQueryRequest } from '../../schemas.ts';
import { fieldKey } from '../nodes/field-key.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import { rawKeyOf } from '../request/runtime-filters.ts';
import { type Labeller, labellerFor } from './grain-labels.ts';

/**
 * Returns the names by which a time axis may refer to the fields of a query: their keys, `dataset.field` without grain and
 * `via`, and the request's own spelling, where it uses synonyms.
 */
export function axisFields(fields: readonly FieldInRole[], request: SemanticQueryRequest): readonly AxisField[] {
  const written = writtenAxisFields(request);
  return fields.map((each, index) => {
    const { name, synonyms = [] } = (written.length === fields.length ? written[index] : undefined) ?? {};
    const plainName = `${each.field.dataset}.${each.field.name}`;
    return {
      name: fieldKey(each),
      synonyms: [plainName, ...(name === undefined ? [] : [name, ...synonyms])],
      ...(each.grain === undefined ? {} : { label: periodName(labellerFor(each.grain)) }),
    };
  });
}

function periodName(label: Labeller): (period: string) => string {
  return (period) => label(period) ?? period;
}

/** Returns the axis fields' properties that need no model. */
export function writtenAxisFields({ rows = [], columns = [] }: SemanticQueryRequest): readonly AxisField[] {
  return [...rows, ...columns].map((item) => ({
    name: rawKeyOf(item),
    synonyms: [`${item.dataset}.${item.field}`],
  }));
}
