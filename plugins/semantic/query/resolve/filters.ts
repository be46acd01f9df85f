/** Resolves the filters of a request: the fields or metrics that they test, and their tests. */
import { DAY_MS, dateText } from '../../../../router/calendar.ts';
import type { BoundLimits } from '../../../../router/capabilities/dialect.ts';
import { grainsOf, isGrainOf } from '../../../../router/date-grains.ts';
import { ValidationError } from '../../../../router/errors.ts';
import { operatorsOf } from '../../../../router/filter-operators.ts';
import type { RequestPath } from '../../../../router/path.ts';
import { short } from '../../../../router/short.ts';
import { UTC, wallClockAt } from '../../../../router/time-zone.ts';
import {
  MAX_FILTERS,
  nearestFirst,
  type ProblemList,
  RELATIVE_PERIOD_NAMES,
  RELATIVE_PERIODS,
  refuseDuplicates,
} from '../../../query-surface/index.ts';
import { groupOf, isMetricFilter } from '../../filter-schemas.ts';
import { MAX_VALUES } from '../../limits.ts';
import { periodNames } from '../../model/fiscal-year.ts';
import type { Field } from '../../model/model.ts';
import type { PeriodTable, TablePeriod } from '../../model/period-table.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import type { FieldItem, FilterItem, FilterNode, MetricFilterItem } from '../../schemas.ts';
import { incomparableReason } from '../nodes/comparable-values.ts';
import { fieldKey } from '../nodes/field-key.ts';
import { fieldAtGrain, fiscalYearOf, type ResolvedGrain, tableOf } from '../nodes/grain.ts';
import { type LiteralValue, literal } from '../nodes/literals.ts';
import type {
  Condition,
  MetricCondition,
  MetricFilter,
  Predicate,
  ResolvedAmong,
  ResolvedFilter,
  ResolvedPlace,
  ResolvedValue,
} from '../nodes/resolved-query.ts';
import { findPlace, type NameFinder } from './fields.ts';
import { grainLiteral } from './grain-literals.ts';
import { type MetricFinder, metricOperand } from './metrics.ts';
import { type Operand, TestReader } from './predicates.ts';
import { relativeBounds } from './resolve-relative-periods.ts';

/**
 * Refuses more values than a statement can bind.
 *
 * @throws ValidationError at the filter that is one too many
 */
export function refuseManyValues(filters: readonly FilterNode[], path: RequestPath): void {
  let valueCount = 0;
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
      valueCount += 'values' in node ? (node.values?.length ?? 0) : 0;
      if (valueCount > MAX_VALUES) {
        throw ValidationError.at([...at, 'values'], `Filters take at most ${MAX_VALUES} values in all.`);
      }
      if (isMetricFilter(node)) count(node.filters ?? [], [...at, 'filters']);
      if (conditions > MAX_FILTERS) {
        throw ValidationError.at(at, `There are at most ${MAX_FILTERS} filters in all.`);
      }
    }
  };
  count(filters, path);
}

/** The settings with which the values of filters are read. */
export interface FilterSettings {
  readonly time: TimeSettings;
  /** The present, which relative periods count to. */
  readonly now: number;
  /** The engine's limits on values; without them all values pass. */
  readonly holds: BoundLimits | undefined;
}

/** A request's filters: conditions on rows, and conditions on groups by their metrics. */
export interface FoundFilters {
  readonly conditions: readonly Condition[];
  readonly having: readonly MetricCondition[];
}

export class FilterResolver {
  readonly #names: NameFinder;
  readonly #settings: FilterSettings;
  readonly #metrics: MetricFinder;
  readonly #problems: ProblemList;
  readonly #tests: TestReader;

  constructor(names: NameFinder, metrics: MetricFinder, settings: FilterSettings, problems: ProblemList) {
    this.#names = names;
    this.#metrics = metrics;
    this.#settings = settings;
    this.#problems = problems;
    this.#tests = new TestReader(problems, settings.holds);
  }

  /**
   * Finds filters that must all pass.
   *
   * @param shown the metrics of the request, as the filters test them
   */
  filters(nodes: readonly FilterNode[], path: RequestPath, shown: readonly ResolvedValue[]): FoundFilters {
    const resolved = nodes.map((node, index) => this.#filters(node, [...path, index], shown));
    return {
      conditions: resolved.flatMap(({ conditions }) => conditions),
      having: resolved.flatMap(({ having }) => having),
    };
  }

  #filters(node: FilterNode, path: RequestPath, shown: readonly ResolvedValue[]): FoundFilters {
    const subjects = subjectsOf(node);
    if (!subjects.has('groups')) return { conditions: this.#conditions([node], path), having: [] };
    if (!subjects.has('rows')) return { conditions: [], having: this.#having(node, path, shown) };
    const group = groupOf(node);
    if (group?.kind === 'all') return this.filters(group.of, [...path, 'all'], shown);
    const message =
      'One group of any holds filters of fields or of metrics, not both: fields select rows, and metrics the groups that are made of them. Give the metric filter a `per`, or ask twice.';
    this.#problems.add(path, message);
    return { conditions: [], having: [] };
  }

  /** @param path of the one node, or of the list */
  #conditions(nodes: readonly FilterNode[], path: RequestPath): readonly Condition[] {
    return nodes.flatMap((node): readonly Condition[] => {
      const group = groupOf(node);
      if (group !== undefined) {
        const of = group.of.flatMap((one, index) => this.#conditions([one], [...path, group.kind, index]));
        return [{ kind: group.kind, of }];
      }
      if (isMetricFilter(node)) return this.#among(node, path).map((among) => ({ kind: 'among', among }));
      return 'field' in node ? this.#filter(node, path).map((filter) => ({ kind: 'filter', filter })) : [];
    });
  }

  #having(node: FilterNode, path: RequestPath, shown: readonly ResolvedValue[]): readonly MetricCondition[] {
    const group = groupOf(node);
    if (group !== undefined) {
      const of = group.of.flatMap((one, index) => this.#having(one, [...path, group.kind, index], shown));
      return [{ kind: group.kind, of }];
    }
    if (!isMetricFilter(node)) return [];
    const filter = this.#metricFilter(node, path, shown);
    return filter === undefined ? [] : [{ kind: 'filter', filter }];
  }

  #metricFilter(item: MetricFilterItem, path: RequestPath, shown: readonly ResolvedValue[]): MetricFilter | undefined {
    const [resolved] = this.#metrics.value(item, path);
    const same = item.aggregation === undefined ? shown.find(({ metric }) => metric === resolved?.metric) : undefined;
    const value = resolved === undefined ? undefined : { ...resolved, aggregation: (same ?? resolved).aggregation };
    const operand = value === undefined ? undefined : metricOperand(value);
    const test = this.#tests.read(item, operand, path);
    return value === undefined || operand === undefined || test === undefined
      ? undefined
      : { value, type: operand.type, test };
  }

  /** Resolves a filter by a metric of groups by other fields (`per`). */
  #among(item: MetricFilterItem, path: RequestPath): readonly ResolvedAmong[] {
    const { per = [], filters = [] } = item;
    const places = per.flatMap((each, index) => this.#place(each, [...path, 'per', index]));
    refuseDuplicates(places, fieldKey, (key) => `The field ${key} is there twice.`, this.#problems);
    const conditions = this.filters(filters, [...path, 'filters'], []).conditions;
    const filter = this.#metricFilter(item, path, []);
    if (filter === undefined || places.length < per.length) return [];
    const having: readonly MetricCondition[] = [{ kind: 'filter', filter }];
    const query = {
      rows: places,
      columns: [],
      values: [],
      conditions,
      having,
      sorts: [],
      limit: undefined,
      time: this.#settings.time,
    };
    return [{ places, query }];
  }

  #place(item: FieldItem, path: RequestPath): readonly ResolvedPlace[] {
    return findPlace(item, path, this.#names, this.#settings.time, this.#problems);
  }

  #filter(item: FilterItem, path: RequestPath): readonly ResolvedFilter[] {
    const [place] = this.#place(item, path);
    const test = this.#test(item, place?.field, path, place?.grain);
    return place === undefined || test === undefined ? [] : [{ ...place, test }];
  }

  #test(
    item: FilterItem,
    field: Field | undefined,
    path: RequestPath,
    grain: ResolvedGrain | undefined,
  ): Predicate | undefined {
    const { op, value, values, n } = item;
    if (op === 'RELATIVE') return this.#period(item, field, path, grain);
    if (n !== undefined) this.#problems.add([...path, 'n'], `${op} takes no n.`);
    return this.#tests.read({ op, value, values }, field && fieldOperand(field, grain), path);
  }

  /** Resolves a relative period. */
  #period(
    { value, values, n, grain: grainName }: FilterItem,
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
    } else if (n === undefined && RELATIVE_PERIODS[name].n === 'required') {
      this.#problems.add([...path, 'n'], `${name} needs n.`);
    } else if (n !== undefined && RELATIVE_PERIODS[name].n === 'refused') {
      this.#problems.add([...path, 'n'], `${name} takes no n.`);
    }
    if (field === undefined || name === undefined || (grainName !== undefined && grain === undefined)) return undefined;
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
      this.#problems.add([...path, 'grain'], `RELATIVE counts periods of the calendar, not "${period}".`, [
        ...periodNames(time.calendars),
        ...time.tables.map((table) => table.name),
      ]);
      return undefined;
    }
    const table = tableOf(grain);
    const { days } = RELATIVE_PERIODS[name];
    if (table !== undefined && days.kind === 'before') return this.#previousOfTable(table, n ?? 1, path);
    const periodOfGrain = { period, calendar: grain && fiscalYearOf(grain) };
    const bounds = relativeBounds(days, n ?? 1, periodOfGrain, field, time, now);
    for (const bound of [bounds.from, bounds.before]) {
      const reason = holds === undefined ? undefined : incomparableReason(field, bound, holds);
      if (reason !== undefined) this.#problems.add([...path, 'n'], `${name} reaches further than ${reason}.`);
    }
    return { kind: 'within', ...bounds, toDate: days.kind === 'to_date' ? days.unit : undefined };
  }

  /** Returns the test for the `n` periods of a table before today's period. */
  #previousOfTable(table: PeriodTable, n: number, path: RequestPath): Predicate | undefined {
    const { time, now } = this.#settings;
    const today = Math.floor(wallClockAt(time.timezone ?? UTC, now) / DAY_MS);
    const { periods } = table;
    const [current, ...others] = periods?.within(today, today) ?? [];
    if (periods === undefined) return { kind: 'in', values: [] };
    if (current === undefined || others.length > 0) {
      const message = `Today, ${dateText(today)}, is in ${current === undefined ? 'no' : 'more than one'} ${table.name} of ${table.dataset}, so none is before it.`;
      this.#problems.add([...path, 'value'], message);
      return undefined;
    }
    const before = periods.all.filter(({ first }) => first < current.first).slice(-n);
    const [first, last] = [before[0], before.at(-1)];
    if (first === undefined || last === undefined) return { kind: 'in', values: [] };
    const day = (period: TablePeriod) => ({ type: 'date' as const, value: dateText(period.first) });
    return { kind: 'between', low: day(first), high: day(last) };
  }
}

/** Returns whether filters test metrics of the answer. */
export function testGroups(filters: readonly FilterNode[]): boolean {
  return filters.some((node) => subjectsOf(node).has('groups'));
}

/** Returns what a filter, with all filters in it, selects: rows, or groups of rows. */
function subjectsOf(node: FilterNode): ReadonlySet<'rows' | 'groups'> {
  const group = groupOf(node);
  if (group !== undefined) return new Set(group.of.flatMap((one) => [...subjectsOf(one)]));
  return new Set([isMetricFilter(node) && node.per === undefined ? 'groups' : 'rows']);
}

function fieldOperand(field: Field, grain: ResolvedGrain | undefined): Operand {
  const table = tableOf(grain);
  return {
    ...(table === undefined
      ? {}
      : { available: (value: LiteralValue) => nearestFirst(String(value), table.periods?.keys() ?? []) }),
    name: fieldKey({ field, via: [], grain }),
    type: fieldAtGrain(field, grain),
    read: (value) => (grain === undefined ? literal(value, field.type) : grainLiteral(value, field, grain)),
  };
}
