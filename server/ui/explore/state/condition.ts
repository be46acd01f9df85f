/** The filter of one field, of either surface, as its panel shows it. */
import {
  compact,
  type Item,
  itemsOf,
  type JsonObject,
  type JsonValue,
  numberOf,
  textOf,
  valuesOf,
} from './json-value.ts';

/** How values are compared. `is` and `not` include the rows without a value where `orEmpty` is true. */
export type Condition =
  | { readonly kind: 'is'; readonly values: readonly JsonValue[]; readonly orEmpty: boolean }
  | { readonly kind: 'not'; readonly values: readonly JsonValue[]; readonly orEmpty: boolean }
  | { readonly kind: 'within'; readonly values: readonly JsonValue[] }
  | { readonly kind: 'between'; readonly from: JsonValue; readonly to: JsonValue }
  | { readonly kind: 'compare'; readonly op: string; readonly value: JsonValue }
  | {
      readonly kind: 'relative';
      readonly period: string;
      readonly n: number | undefined;
      readonly grain: string | undefined;
    }
  | { readonly kind: 'empty' }
  | { readonly kind: 'present' };

export type ConditionKind = Condition['kind'];

/** The members of a filter that do not say how it tests. */
const REFERENCE = [
  'dataset',
  'field',
  'via',
  'grain',
  'dimension',
  'hierarchy',
  'level',
  'metric',
  'aggregation',
  'per',
  'filters',
];

/** Returns what a filter tests, without how. */
export function referenceOf(filter: Item): JsonObject {
  const [first] = innerOf(filter);
  if (first !== undefined) return referenceOf(first);
  return compact(Object.fromEntries(REFERENCE.map((name) => [name, filter[name]])));
}

/** Reads a filter of one field; undefined for a group that the panel cannot show. */
export function readCondition(filter: Item): Condition | undefined {
  if ('dimension' in filter) return readMembers(filter);
  if ('any' in filter) {
    const [first, second, ...more] = itemsOf(filter, 'any');
    const isPair = first !== undefined && second?.op === 'IS_NULL' && more.length === 0 && isSameField(first, second);
    const inner = isPair ? readCondition(first) : undefined;
    return inner?.kind === 'is' || inner?.kind === 'not' ? { ...inner, orEmpty: true } : undefined;
  }
  if ('all' in filter) {
    const inner = itemsOf(filter, 'all');
    const [first] = inner;
    const isExclusion = first !== undefined && inner.every((each) => each.op === 'NEQ' && isSameField(each, first));
    return isExclusion ? { kind: 'not', values: inner.map(({ value }) => value ?? null), orEmpty: false } : undefined;
  }
  const { value } = filter;
  switch (textOf(filter, 'op')) {
    case 'IN':
      return { kind: 'is', values: valuesOf(filter, 'values'), orEmpty: false };
    case 'EQ':
      return 'metric' in filter
        ? { kind: 'compare', op: 'EQ', value: value ?? '' }
        : { kind: 'is', values: value === undefined ? [] : [value], orEmpty: false };
    case 'NEQ':
      if ('metric' in filter) return { kind: 'compare', op: 'NEQ', value: value ?? '' };
      // Without a value yet, the filter begins with the choice that loses no rows.
      return { kind: 'not', values: value === undefined ? [] : [value], orEmpty: value === undefined };
    case 'BETWEEN': {
      const [from = '', to = ''] = valuesOf(filter, 'values');
      return { kind: 'between', from, to };
    }
    case 'RELATIVE':
      return {
        kind: 'relative',
        period: textOf(filter, 'value') ?? '',
        n: numberOf(filter, 'n'),
        grain: textOf(filter, 'grain'),
      };
    case 'IS_NULL':
      return { kind: 'empty' };
    case 'IS_NOT_NULL':
      return { kind: 'present' };
    default:
      return { kind: 'compare', op: textOf(filter, 'op') ?? 'GT', value: value ?? '' };
  }
}

function readMembers(filter: Item): Condition {
  const values = valuesOf(filter, 'members');
  switch (textOf(filter, 'op')) {
    case 'not_in':
      return { kind: 'not', values, orEmpty: true };
    case 'descendants_of':
      return { kind: 'within', values };
    case 'between':
      return { kind: 'between', from: values[0] ?? '', to: values[1] ?? '' };
    case 'relative':
      return { kind: 'relative', period: textOf(filter, 'value') ?? '', n: numberOf(filter, 'n'), grain: undefined };
    default:
      return { kind: 'is', values, orEmpty: false };
  }
}

/** Writes a filter of the field that `reference` names. */
export function writeCondition(reference: JsonObject, condition: Condition): Item {
  if ('dimension' in reference) return writeMembers(reference, condition);
  const filter = (more: JsonObject): Item => compact({ ...reference, ...more });
  switch (condition.kind) {
    case 'is': {
      const [first] = condition.values;
      const isOne = condition.values.length === 1 && first !== undefined && first !== null;
      const test = isOne ? filter({ op: 'EQ', value: first }) : filter({ op: 'IN', values: condition.values });
      return condition.orEmpty ? { any: [test, filter({ op: 'IS_NULL' })] } : test;
    }
    case 'not': {
      const tests = condition.values.map((value) => filter({ op: 'NEQ', value }));
      const test = tests.length > 1 ? { all: tests } : (tests[0] ?? filter({ op: 'NEQ' }));
      return condition.orEmpty && tests.length > 0 ? { any: [test, filter({ op: 'IS_NULL' })] } : test;
    }
    case 'between': {
      const { from, to } = condition;
      return filter({ op: 'BETWEEN', ...(from === '' && to === '' ? {} : { values: [from, to] }) });
    }
    case 'compare':
      return filter({ op: condition.op, ...(condition.value === '' ? {} : { value: condition.value }) });
    case 'relative': {
      const { period, n, grain } = condition;
      return filter({ op: 'RELATIVE', grain, ...(period === '' ? {} : { value: period }), n });
    }
    case 'empty':
      return filter({ op: 'IS_NULL' });
    case 'present':
      return filter({ op: 'IS_NOT_NULL' });
    case 'within':
      return filter({ op: 'IN', values: condition.values });
  }
}

function writeMembers(reference: JsonObject, condition: Condition): Item {
  const ofMembers = (op: string | undefined, members: readonly JsonValue[]): Item =>
    compact({ ...reference, op, ...(members.length === 0 ? {} : { members }) });
  switch (condition.kind) {
    case 'is':
      return ofMembers(undefined, condition.values);
    case 'not':
      return ofMembers('not_in', condition.values);
    case 'within':
      return ofMembers('descendants_of', condition.values);
    case 'between':
      return ofMembers(
        'between',
        [condition.from, condition.to].filter((each) => each !== ''),
      );
    case 'relative': {
      const { period, n } = condition;
      return compact({ ...reference, op: 'relative', ...(period === '' ? {} : { value: period }), n });
    }
    default:
      return ofMembers(undefined, []);
  }
}

/** Returns a condition of another kind that keeps what both kinds have. */
export function withKind(before: Condition, kind: ConditionKind, op = 'GTE'): Condition {
  const values = 'values' in before ? before.values : [];
  const single = 'value' in before ? before.value : 'from' in before ? before.from : (values[0] ?? '');
  switch (kind) {
    case 'is':
      return { kind, values, orEmpty: false };
    case 'not':
      return { kind, values, orEmpty: true };
    case 'within':
      return { kind, values };
    case 'between':
      return { kind, from: single, to: values[1] ?? '' };
    case 'compare':
      return { kind, op, value: single };
    case 'relative':
      return { kind, period: '', n: undefined, grain: undefined };
    case 'empty':
    case 'present':
      return { kind };
  }
}

function innerOf(filter: Item): readonly Item[] {
  return [...itemsOf(filter, 'any'), ...itemsOf(filter, 'all')];
}

function isSameField(left: Item, right: Item): boolean {
  return JSON.stringify(referenceOf(left)) === JSON.stringify(referenceOf(right));
}
