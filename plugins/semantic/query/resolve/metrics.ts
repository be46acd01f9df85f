/** Resolves the metrics of a request and the types that their values are compared as. */

import type { Parameter } from '../../../../router/capabilities/warehouse.ts';
import type { RequestPath } from '../../../../router/path.ts';
import { short } from '../../../../router/short.ts';
import { nearestFirst, type ProblemList } from '../../../query-surface/index.ts';
import { aggregationFacts, overrideName } from '../../model/aggregations.ts';
import { periodNamed, periodNames } from '../../model/fiscal-year.ts';
import type { Model, ValueType } from '../../model/model.ts';
import type { ValueItem } from '../../schemas.ts';
import { numbersOf } from '../nodes/aggregation-override.ts';
import { type LiteralValue, literal } from '../nodes/literals.ts';
import type { ResolvedCompare, ResolvedValue } from '../nodes/resolved-query.ts';
import type { NameFinder } from './fields.ts';
import type { Operand } from './predicates.ts';

export class MetricFinder {
  readonly #model: Model;
  readonly #names: NameFinder;
  readonly #problems: ProblemList;

  constructor(model: Model, names: NameFinder, problems: ProblemList) {
    this.#model = model;
    this.#names = names;
    this.#problems = problems;
  }

  /** Finds a metric and the aggregation that replaces its own. */
  value(item: Pick<ValueItem, 'metric' | 'aggregation' | 'compare'>, path: RequestPath): readonly ResolvedValue[] {
    const metric = this.#names.named(item.metric, [...this.#model.metrics.values()], [...path, 'metric'], 'metric');
    if (metric === undefined) return [];
    const compare = item.compare === undefined ? undefined : this.#compare(item.compare.to, [...path, 'compare']);
    if (item.aggregation === undefined) return [{ path, metric, aggregation: undefined, compare }];
    const aggregationName = item.aggregation.toUpperCase();
    const aggregation = metric.supportedOverrides.find((name) => overrideName(name) === aggregationName);
    if (aggregation !== undefined) return [{ path, metric, aggregation, compare }];
    const message =
      metric.supportedOverrides.length === 0
        ? `The aggregation of ${metric.name} cannot be replaced.`
        : `${metric.name} cannot be aggregated by "${short(item.aggregation)}".`;
    this.#problems.add([...path, 'aggregation'], message, metric.supportedOverrides.map(overrideName));
    return [];
  }

  #compare(to: NonNullable<ValueItem['compare']>['to'], path: RequestPath): ResolvedCompare | undefined {
    if (typeof to !== 'object') return { path, to };
    const { calendars, tables } = this.#model.time;
    // Periods of a table are identified by their name.
    const isOfTable = tables.some(({ name }) => name === to.grain);
    const namedPeriod = isOfTable ? { period: 'day' as const } : periodNamed(to.grain, calendars);
    if (namedPeriod !== undefined)
      return { path, to: { offset: to.offset, grain: namedPeriod.period, name: to.grain } };
    const legal = nearestFirst(to.grain, [...periodNames(calendars), ...tables.map(({ name }) => name)]);
    this.#problems.add([...path, 'to', 'grain'], `There is no period "${short(to.grain)}".`, legal);
    return undefined;
  }
}

/** Returns the type that a metric's values are compared as: numbers, except for the first or last of another type. */
export function metricOperand(value: ResolvedValue): Operand {
  const type = typeOf(value);
  const isNumber = ['integer', 'decimal', 'float'].includes(type.type);
  return {
    name: value.metric.name,
    type,
    read: isNumber ? (value) => numberLiteral(value, type) : (value) => literal(value, type.type),
  };
}

function typeOf(value: ResolvedValue): ValueType {
  const { metric, aggregation } = value;
  const result = aggregationFacts(aggregation ?? metric.aggregationKind)?.result;
  const { argumentType } = metric;
  if (argumentType !== undefined && result === 'value') return argumentType;
  const isExact = argumentType?.type === 'decimal' && result === 'total';
  const type = isExact ? 'decimal' : numbersOf(value) === 'whole' ? 'integer' : 'float';
  return { type, nativeType: '' };
}

/** Numbers with few enough digits to be compared exactly with a sum of decimals. Others are compared as doubles. */
const EXACT_DIGITS = /^[+-]?\d{0,18}\.?\d{0,10}$/;

function numberLiteral(value: LiteralValue, { type }: ValueType): Parameter | string {
  const parameter = literal(value, 'decimal');
  if (typeof parameter === 'string' || parameter.type !== 'decimal') return parameter;
  const isExact = type === 'decimal' && EXACT_DIGITS.test(String(parameter.value));
  return isExact ? parameter : { type: 'float', value: Number(parameter.value) };
}
