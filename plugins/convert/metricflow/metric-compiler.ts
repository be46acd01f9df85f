/** Compiles dbt metrics to SQL over aggregates and other metrics, with the kinds that our vendor block defines. */
import { identifier, rewrite, WINDOW_TAKES } from '../../semantic/index.ts';
import { aggregate, isCountOfOnes } from './aggregate.ts';
import {
  type Compiled,
  type Context,
  type Helper,
  inside,
  isPlain,
  KEEPS_EMPTY_GROUPS,
  type Measures,
  together,
} from './compiled-metric.ts';
import { conversionOf } from './conversion-metric.ts';
import { conditions } from './filter.ts';
import { grainOf, spanOf } from './periods.ts';
import { LeftOut, type Owned, type Project } from './project.ts';
import type { Input, Measure, Metric, TypeParameters } from './read.ts';
import { semiAdditiveOf } from './semi-additive.ts';

const PERIOD_AGGREGATES: ReadonlySet<string> = new Set(WINDOW_TAKES);

export class Compiler implements Measures {
  readonly project: Project;
  readonly #metrics: ReadonlyMap<string, Metric>;
  readonly #names: Set<string>;
  /** Results for metrics without outer filters, so that each is compiled once. */
  readonly #known = new Map<string, Compiled | LeftOut>();

  constructor(metrics: readonly Metric[], project: Project) {
    this.project = project;
    this.#metrics = new Map(metrics.map((metric) => [metric.name, metric]));
    this.#names = new Set(this.#metrics.keys());
  }

  /**
   * Returns a metric, and the metrics that it needs in addition to the project's.
   *
   * @throws LeftOut, ExpressionError
   */
  convert(metric: Metric): { readonly compiled: Compiled; readonly helpers: readonly Helper[] } {
    const helpers: Helper[] = [];
    return { compiled: this.metric(metric, [], { owner: metric, within: [], helpers }), helpers };
  }

  /**
   * Compiles a metric.
   *
   * @param filters the filters of the metrics that use it
   */
  metric(metric: Metric, filters: readonly string[], outside: Context): Compiled {
    const context = inside(outside, metric);
    const { type, type_params: parameters = {} as TypeParameters, filter = [] } = metric;
    const all = [...filters, ...filter];
    switch (type) {
      case 'simple':
        return this.#simple(parameters.measure, all);
      case 'ratio':
        return this.#ratio(parameters, all, context);
      case 'derived':
        return this.#derived(parameters, all, context);
      case 'cumulative':
        return this.#cumulative(parameters, all, context);
      case 'conversion':
        return conversionOf(parameters.conversion_type_params, all, this, context);
      default:
        throw new LeftOut(`its type ${type} is not known`);
    }
  }

  aggregateOf(
    input: Input,
    filters: readonly string[],
  ): { readonly measure: Owned<Measure>; readonly compiled: Compiled } {
    const measure = this.measure(input.name);
    const date = this.project.timeOf(measure);
    const tests = conditions([...filters, ...(input.filter ?? [])], measure.element, measure.model, this.project);
    const semiAdditive = semiAdditiveOf(measure, this.project);
    // The last date of a stock is the last date of the rows that pass the filter.
    const { sql, dataset } = aggregate(measure, semiAdditive === undefined ? tests : [], this.project);
    const filter = tests.length === 0 ? {} : { filter: tests.map((test) => `(${test})`).join(' AND ') };
    const compiled: Compiled = {
      sql,
      dataset,
      kinds: semiAdditive === undefined ? {} : { ...filter, semi_additive: semiAdditive },
      remarks: [
        ...(tests.length > 0 && semiAdditive === undefined ? [KEEPS_EMPTY_GROUPS] : []),
        ...(isCountOfOnes(measure.element)
          ? [
              `its measure ${measure.element.name} adds up 1 for every row, which is a count here: it masks small groups`,
            ]
          : []),
        ...(input.join_to_timespine === true
          ? [
              `join_to_timespine becomes the fill of a request: "fill": ${input.fill_nulls_with === undefined ? 'true' : '"zero"'} on a date answers periods without rows`,
            ]
          : []),
      ],
      dates: new Set(date === undefined ? [] : [`${measure.model.name}.${date.name}`]),
    };
    return { measure, compiled };
  }

  measure(name: string): Owned<Measure> {
    const measure = this.project.measure(name);
    if (measure === undefined) throw new LeftOut(`there is no measure ${name} in the files`);
    return measure;
  }

  metricOfMeasure(name: string): string | undefined {
    for (const { name: metric, type, filter, type_params: parameters } of this.#metrics.values()) {
      const { measure } = parameters ?? {};
      const isBare = measure?.name === name && measure.filter === undefined && measure.fill_nulls_with === undefined;
      if (type === 'simple' && filter === undefined && isBare) return metric;
    }
    return undefined;
  }

  helper(compiled: Compiled, of: string, { owner, helpers }: Context): string {
    const existing = helpers.find((one) => one.of === of && sameMetric(one.compiled, compiled));
    if (existing !== undefined) return existing.name;
    let name = `${owner.name}__${of}`;
    for (let number = 2; this.#names.has(name); number += 1) name = `${owner.name}__${of}_${number}`;
    this.#names.add(name);
    helpers.push({ name, of, compiled });
    return name;
  }

  #simple(input: Input | undefined, filters: readonly string[]): Compiled {
    if (input === undefined) throw new LeftOut('it names no measure');
    const { measure, compiled } = this.aggregateOf(input, filters);
    const { fill_nulls_with: filling } = input;
    const main = measure.model.defaults?.agg_time_dimension;
    const measureDate = this.project.timeOf(measure)?.name;
    const remarks = [
      ...compiled.remarks,
      ...(measureDate !== undefined && main !== undefined && measureDate !== main
        ? [
            `its measure is by ${measureDate}; the main date of ${measure.model.name}, by which metrics of several datasets meet, is ${main}`,
          ]
        : []),
    ];
    return {
      ...compiled,
      sql: filling === undefined ? compiled.sql : `COALESCE(${compiled.sql}, ${filling})`,
      remarks,
    };
  }

  #ratio(parameters: TypeParameters, filters: readonly string[], context: Context): Compiled {
    const [numerator, denominator] = (['numerator', 'denominator'] as const).map((side) => {
      const input = parameters[side];
      if (input === undefined) throw new LeftOut(`it has no ${side}`);
      return this.#input(input, filters, context, true);
    });
    if (numerator === undefined || denominator === undefined) throw new LeftOut('it has no two sides');
    const datasets = new Set([numerator.dataset, denominator.dataset].filter((one) => one !== undefined));
    if (datasets.size > 1) throw new LeftOut('its sides count rows of two datasets that have no primary entity');
    return {
      sql: `(${numerator.sql}) / NULLIF((${denominator.sql}), 0)`,
      dataset: [...datasets][0],
      kinds: {},
      ...together([numerator, denominator]),
    };
  }

  #derived({ expr, metrics = [] }: TypeParameters, filters: readonly string[], context: Context): Compiled {
    if (expr === undefined) throw new LeftOut('it has no expr');
    const inputs = new Map(metrics.map((input) => [(input.alias ?? input.name).toLowerCase(), input]));
    const parts = new Map<string, Compiled>();
    const sql = rewrite(expr, this.project.dialect, ({ qualifier, name }) => {
      const key = name.toLowerCase();
      const input = qualifier === undefined ? inputs.get(key) : undefined;
      if (input === undefined) throw new LeftOut(`its expr names ${name}, which is not one of its metrics`);
      const part = parts.get(key) ?? this.#input(input, filters, context, false);
      parts.set(key, part);
      return part.sql;
    });
    if (parts.size === 0) throw new LeftOut('its expr names no metric');
    const datasets = new Set([...parts.values()].map(({ dataset }) => dataset).filter((one) => one !== undefined));
    if (datasets.size > 1) throw new LeftOut('its parts count rows of two datasets that have no primary entity');
    return { sql, dataset: [...datasets][0], kinds: {}, ...together([...parts.values()]) };
  }

  #cumulative(parameters: TypeParameters, filters: readonly string[], context: Context): Compiled {
    const { measure, cumulative_type_params: newer } = parameters;
    const window = newer?.window ?? parameters.window;
    const toDate = newer?.grain_to_date ?? parameters.grain_to_date;
    const take = newer?.period_agg;
    if (window !== undefined && toDate !== undefined) throw new LeftOut('it has both a window and a grain_to_date');
    if (take !== undefined && !PERIOD_AGGREGATES.has(take))
      throw new LeftOut(`its period_agg ${take} is not one of ${WINDOW_TAKES.join(', ')}`);
    const base = this.#accumulated(measure, newer?.metric, filters, context);
    if (!isPlain(base)) throw new LeftOut('what it accumulates is itself counted over time');
    const remark =
      'without period_agg a period longer than a day has the value of its end here, and of its first day in dbt';
    const [by] = base.dates.size === 1 ? base.dates : [];
    const cumulative = {
      by,
      window: window === undefined ? undefined : spanOf(window, 'window', this.project.periods),
      to_date: toDate === undefined ? undefined : grainOf(toDate, 'grain_to_date', this.project.periods),
      take: take === 'last' ? undefined : take,
    };
    return { ...base, kinds: { cumulative }, remarks: [...base.remarks, ...(take === undefined ? [remark] : [])] };
  }

  #accumulated(
    measure: Input | undefined,
    metric: Input | undefined,
    filters: readonly string[],
    context: Context,
  ): Compiled {
    if (measure !== undefined) return this.#simple(measure, filters);
    if (metric === undefined) throw new LeftOut('it names no measure');
    return this.metric(this.#named(metric.name), [...filters, ...(metric.filter ?? [])], context);
  }

  #named(name: string): Metric {
    const metric = this.#metrics.get(name);
    if (metric === undefined) throw new LeftOut(`there is no metric ${name} in the files`);
    return metric;
  }

  /** Writes a metric into the SQL of another: by its name, or in full where `isInlined` is set or filters change it. */
  #input(input: Input, outer: readonly string[], context: Context, isInlined: boolean): Compiled {
    const { name, alias, offset_window: window, offset_to_grain: toGrain } = input;
    const metric = this.#named(name);
    const filters = [...outer, ...(input.filter ?? [])];
    const compiled = this.#needed(metric, filters, context);
    const of = alias ?? name;
    const offset = offsetOf(window, toGrain, compiled.dates, this.project.periods);
    const isNamed = filters.length === 0 && !(isInlined && isPlain(compiled) && offset === undefined);
    // The remarks on a project's metric are reported at its own line.
    const standalone = { ...compiled, dataset: undefined, kinds: {}, remarks: isNamed ? [] : compiled.remarks };
    const sql = isNamed
      ? identifier(name)
      : isPlain(compiled)
        ? compiled.sql
        : identifier(this.helper(compiled, of, context));
    if (offset !== undefined) {
      const dataset = isNamed || !isPlain(compiled) ? undefined : compiled.dataset;
      return {
        ...standalone,
        sql: identifier(this.helper({ ...standalone, sql, dataset, kinds: { offset } }, of, context)),
      };
    }
    if (isNamed || !isPlain(compiled)) return { ...standalone, sql };
    return isInlined ? compiled : { ...compiled, sql: `(${compiled.sql})` };
  }

  #needed(metric: Metric, filters: readonly string[], context: Context): Compiled {
    try {
      if (filters.length > 0) return this.metric(metric, filters, context);
      const outcome = this.#known.get(metric.name) ?? this.#tried(metric, context);
      if (outcome instanceof LeftOut) throw outcome;
      return outcome;
    } catch (error) {
      if (error instanceof LeftOut) throw new LeftOut(`${metric.name}, which it needs, is left out: ${error.message}`);
      throw error;
    }
  }

  /** Compiles a metric on its own. `convert` adds the helper metrics that it needs. */
  #tried(metric: Metric, context: Context): Compiled | LeftOut {
    const taken = new Set(this.#names);
    try {
      const compiled = this.metric(metric, [], { ...context, owner: metric, helpers: [] });
      this.#known.set(metric.name, compiled);
      return compiled;
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
      return error;
    } finally {
      for (const name of this.#names) if (!taken.has(name)) this.#names.delete(name);
    }
  }
}

function offsetOf(
  window: string | undefined,
  toGrain: string | undefined,
  dates: ReadonlySet<string>,
  periods: readonly string[],
): object | undefined {
  if (window === undefined && toGrain === undefined) return undefined;
  if (window !== undefined && toGrain !== undefined) {
    throw new LeftOut('an input of it has both an offset_window and an offset_to_grain');
  }
  // Metrics of several facts have several main dates.
  const [by] = dates.size === 1 ? dates : [];
  return window === undefined
    ? { by, to: grainOf(toGrain ?? '', 'offset_to_grain', periods) }
    : { by, ...spanOf(window, 'offset_window', periods) };
}

function sameMetric(one: Compiled, other: Compiled): boolean {
  return one.sql === other.sql && JSON.stringify(one.kinds) === JSON.stringify(other.kinds);
}
