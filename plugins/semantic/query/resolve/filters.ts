/** Filters of a request: which fields they test, and what for. */
import type { BoundLimits } from '../../../../router/capabilities/dialect.ts';
import type { Parameter } from '../../../../router/capabilities/warehouse.ts';
import { grainsOf, isGrainOf } from '../../../../router/date-grains.ts';
import { ValidationError } from '../../../../router/errors.ts';
import { hasArity, type OperatorOf, operatorsOf } from '../../../../router/filter-operators.ts';
import type { RequestPath } from '../../../../router/path.ts';
import { short } from '../../../../router/short.ts';
import { MAX_FILTERS, nearestFirst, RELATIVE_PERIOD_NAMES } from '../../../query-surface/index.ts';
import { groupOf } from '../../filter-schemas.ts';
import { MAX_ALTERNATIVES, MAX_VALUES } from '../../limits.ts';
import type { Field } from '../../model/model.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import type { FilterItem, FilterNode } from '../../schemas.ts';
import { incomparableReason, isOfColumn } from '../comparable.ts';
import { fieldAtGrain, type ResolvedGrain } from '../grain/grain.ts';
import { grainLiteral } from '../grain/literal.ts';
import { relativeBounds } from '../grain/relative.ts';
import { type LiteralValue, literal } from '../literals.ts';
import type { Condition, Predicate, ResolvedFilter } from '../resolved.ts';
import { keyOf } from './field-key.ts';
import { findGrain } from './grains.ts';
import type { NameFinder } from './names.ts';
import type { ProblemList } from './problem-list.ts';

/** What each operator tests, by the number of its values. */
const COMPARISONS = { EQ: '=', NEQ: '<>', LT: '<', LTE: '<=', GT: '>', GTE: '>=' } as const satisfies Record<
  OperatorOf<'one'>,
  string
>;
const LIST_TESTS = { IN: 'in' } as const satisfies Record<OperatorOf<'list'>, string>;
const RANGE_TESTS = { BETWEEN: 'between' } as const satisfies Record<OperatorOf<'two'>, string>;
const NULL_TESTS = { IS_NULL: 'null', IS_NOT_NULL: 'notNull' } as const satisfies Record<OperatorOf<'none'>, string>;

/**
 * Refuses more values than a statement takes: every one of them is bound to it.
 *
 * @throws ValidationError at the filter that is one too many
 */
export function refuseManyValues(filters: readonly FilterNode[], path: RequestPath): void {
  let given = 0;
  let conditions = 0;
  const count = (nodes: readonly FilterNode[], path: RequestPath): void => {
    for (const [index, node] of nodes.entries()) {
      const at = [...path, index];
      const group = groupOf(node);
      if (group !== undefined) {
        count(group.of, [...at, group.kind]);
        continue;
      }
      conditions += 1;
      given += 'values' in node ? (node.values?.length ?? 0) : 0;
      if (given > MAX_VALUES) {
        throw ValidationError.at([...at, 'values'], `Filters take at most ${MAX_VALUES} values in all.`);
      }
      if (conditions > MAX_FILTERS) {
        throw ValidationError.at(at, `There are at most ${MAX_FILTERS} filters in all.`);
      }
    }
  };
  count(filters, path);
}

/** What the values of filters are read by. */
export interface FilterSettings {
  readonly time: TimeSettings;
  /** The present, which relative periods count to. */
  readonly now: number;
  /** What values the engine takes; without it all of them are let through. */
  readonly holds: BoundLimits | undefined;
}

export class FilterResolver {
  readonly #names: NameFinder;
  readonly #settings: FilterSettings;
  readonly #problems: ProblemList;

  constructor(names: NameFinder, settings: FilterSettings, problems: ProblemList) {
    this.#names = names;
    this.#settings = settings;
    this.#problems = problems;
  }

  conditions(nodes: readonly FilterNode[], path: RequestPath): readonly Condition[] {
    return nodes.flatMap((node, index): readonly Condition[] => {
      const at = [...path, index];
      const group = groupOf(node);
      if (group !== undefined) return [{ kind: group.kind, of: this.conditions(group.of, [...at, group.kind]) }];
      return 'field' in node ? this.#filter(node, at).map((filter) => ({ kind: 'filter', filter })) : [];
    });
  }

  #filter(item: FilterItem, path: RequestPath): readonly ResolvedFilter[] {
    const field = this.#names.field(item, path);
    const via = this.#names.via(item.via, field, path);
    const grain = findGrain(item.grain, field, path, this.#settings.time, this.#problems);
    const test = this.#test(item, field, path, grain);
    return field === undefined || test === undefined ? [] : [{ path, field, via, grain, test }];
  }

  #test(
    item: FilterItem,
    field: Field | undefined,
    path: RequestPath,
    grain: ResolvedGrain | undefined,
  ): Predicate | undefined {
    const { op, value, values, n } = item;
    const refuse = (member: 'n' | 'value' | 'values', message: string) =>
      this.#problems.add([...path, member], message);
    if (n !== undefined && !hasArity(op, 'period')) refuse('n', `${op} takes no n.`);
    if (hasArity(op, 'none')) {
      if (value !== undefined) refuse('value', `${op} takes no value.`);
      if (values !== undefined) refuse('values', `${op} takes no values.`);
      return { kind: NULL_TESTS[op] };
    }
    if (hasArity(op, 'list')) {
      const list = this.#list(item, path);
      if (list === undefined) return undefined;
      const literals = list.map((one, index) => this.#literal(one, field, [...path, 'values', index], grain));
      if (literals.includes(undefined)) return undefined;
      const found = literals.filter((one) => one !== undefined);
      this.#refuseManyAlternatives(found, field && fieldAtGrain(field, grain), path);
      return { kind: LIST_TESTS[op], values: found };
    }
    if (hasArity(op, 'two')) {
      const list = this.#list(item, path);
      if (list === undefined) return undefined;
      const [low, high] = list;
      if (low === undefined || high === undefined || list.length > 2) {
        refuse(
          'values',
          `${op} takes two values, the low one first; there ${list.length === 1 ? 'is' : 'are'} ${list.length}.`,
        );
        return undefined;
      }
      const lowest = this.#literal(low, field, [...path, 'values', 0], grain);
      const highest = this.#literal(high, field, [...path, 'values', 1], grain);
      if (lowest === undefined || highest === undefined) return undefined;
      return { kind: RANGE_TESTS[op], low: lowest, high: highest };
    }
    if (hasArity(op, 'period')) return this.#period(item, field, path, grain);
    if (values !== undefined) refuse('values', `${op} takes one value, in "value".`);
    if (value === undefined) {
      if (values === undefined) refuse('value', `${op} needs a value.`);
      return undefined;
    }
    const parameter = this.#literal(value, field, [...path, 'value'], grain);
    return parameter === undefined ? undefined : { kind: 'compare', operator: COMPARISONS[op], value: parameter };
  }

  /** A period counted to today. */
  #period(
    { value, values, n, grain: wanted }: FilterItem,
    field: Field | undefined,
    path: RequestPath,
    grain: ResolvedGrain | undefined,
  ): Predicate | undefined {
    const { time, now, holds } = this.#settings;
    if (values !== undefined) this.#problems.add([...path, 'values'], 'RELATIVE takes a period, in "value".');
    const name = RELATIVE_PERIOD_NAMES.find((one) => one === value);
    if (name === undefined) {
      const message =
        value === undefined ? 'RELATIVE needs a period.' : `There is no period "${short(String(value))}".`;
      this.#problems.add([...path, 'value'], message, nearestFirst(String(value ?? ''), RELATIVE_PERIOD_NAMES));
    } else if (n === undefined && name.startsWith('last_n_')) {
      this.#problems.add([...path, 'n'], `${name} needs n.`);
    } else if (n !== undefined && name.endsWith('td')) {
      this.#problems.add([...path, 'n'], `${name} takes no n.`);
    }
    if (field === undefined || name === undefined || (wanted !== undefined && grain === undefined)) return undefined;
    if (grainsOf(field.type).length === 0) {
      this.#problems.add(
        [...path, 'op'],
        `${field.dataset}.${field.name} is no date, and has no periods.`,
        operatorsOf('one'),
      );
      return undefined;
    }
    const period = grain?.name ?? 'day';
    if (!isGrainOf(period, 'period')) {
      this.#problems.add(
        [...path, 'grain'],
        `RELATIVE counts periods of the calendar, not "${period}".`,
        grainsOf(field.type).filter((one) => isGrainOf(one, 'period')),
      );
      return undefined;
    }
    const bounds = relativeBounds(name, n ?? 1, period, field, time, now);
    for (const bound of [bounds.from, bounds.before]) {
      const reason = holds === undefined ? undefined : incomparableReason(field, bound, holds);
      if (reason !== undefined) this.#problems.add([...path, 'n'], `${name} reaches further than ${reason}.`);
    }
    return { kind: 'within', ...bounds };
  }

  /** Values that no list may hold are so many comparisons of each row. */
  #refuseManyAlternatives(values: readonly Parameter[], field: Field | undefined, path: RequestPath): void {
    if (field === undefined || this.#settings.holds?.convertsLists !== true) return;
    const alternatives = values.filter((value) => !isOfColumn(field, value)).length;
    if (alternatives <= MAX_ALTERNATIVES) return;
    const message = `${field.nativeType} is compared with at most ${MAX_ALTERNATIVES} such values.`;
    this.#problems.add([...path, 'values'], message);
  }

  #list({ op, value, values }: FilterItem, path: RequestPath): readonly LiteralValue[] | undefined {
    if (value !== undefined) this.#problems.add([...path, 'value'], `${op} takes a list, in "values".`);
    if (values === undefined && value === undefined) {
      this.#problems.add([...path, 'values'], `${op} needs values.`);
    }
    return values;
  }

  #literal(value: LiteralValue, field: Field | undefined, path: RequestPath, grain: ResolvedGrain | undefined) {
    if (field === undefined) return undefined;
    const { holds } = this.#settings;
    const parameter = grain === undefined ? literal(value, field.type) : grainLiteral(value, field, grain);
    const isRead = typeof parameter !== 'string';
    const wanted = !isRead
      ? parameter
      : holds === undefined
        ? undefined
        : incomparableReason(fieldAtGrain(field, grain), parameter, holds);
    if (isRead && wanted === undefined) return parameter;
    this.#problems.add(
      path,
      `${keyOf({ field, via: [], grain })} is compared with ${wanted}, not with "${short(String(value))}".`,
    );
    return undefined;
  }
}
