import { FILTER_OPERATOR_NAMES, hasArity } from '../../../../router/filter-operators.ts';
import type { Surface } from './draft.ts';
import { type Item, itemsOf, textOf, valuesOf } from './json-value.ts';

/** Returns whether a filter has what its operator compares with. One that has not is not sent yet. */
export function isComplete(filter: Item, surface: Surface): boolean {
  if (surface === 'cube')
    return textOf(filter, 'op') === 'relative'
      ? textOf(filter, 'value') !== undefined
      : valuesOf(filter, 'members').length >= (textOf(filter, 'op') === 'between' ? 2 : 1);
  for (const group of ['any', 'all']) {
    if (group in filter) {
      const inner = itemsOf(filter, group);
      return inner.length > 0 && inner.every((each) => isComplete(each, surface));
    }
  }
  const op = FILTER_OPERATOR_NAMES.find((each) => each === filter.op);
  if (op === undefined) return false;
  if (hasArity(op, 'none')) return true;
  if (hasArity(op, 'list')) return valuesOf(filter, 'values').length > 0;
  if (hasArity(op, 'two')) {
    const values = valuesOf(filter, 'values');
    return values.length === 2 && !values.includes('');
  }
  return filter.value !== undefined && filter.value !== '';
}
