/** dbt metrics -> metrics of the document. */
import { ansi, type ConversionProblem, type OsiMetric, present, serviceExtension } from '../osi.ts';
import { ExpressionError } from '../sql-text.ts';
import { aggregate } from './aggregate.ts';
import { vendorExtension } from './datasets.ts';
import { conditions } from './filter.ts';
import { LeftOut, type Project } from './project.ts';
import type { Input, Measure, Metric, SemanticModel } from './read.ts';

/** Metrics that can be carried over; every other one is a warning. */
export function convertMetrics(
  written: readonly Metric[],
  project: Project,
  problems: ConversionProblem[],
): readonly OsiMetric[] {
  const metrics = [...written, ...ofMeasures(project.models, written)];
  const compiler = new Compiler(metrics, project);
  const names = new Set<string>();
  return metrics.flatMap((metric) => {
    const { name, label, description, file, line } = metric;
    const problem = (severity: 'error' | 'warning', message: string) =>
      problems.push({ severity, file, line, message: `metric ${name}: ${message}.` });
    if (names.has(name)) {
      problem('error', 'the name is used twice');
      return [];
    }
    names.add(name);
    try {
      const { sql, dataset, remarks } = compiler.metric(metric);
      for (const remark of remarks) problem('warning', remark);
      const own = serviceExtension({ display: label === undefined ? undefined : { caption: label }, dataset });
      const extensions = [own, vendorExtension(metric)].filter((one) => one !== undefined);
      return [present({ name, description, expression: ansi(sql), custom_extensions: extensions })];
    } catch (error) {
      if (error instanceof LeftOut) problem('warning', `left out: ${error.message}`);
      else if (error instanceof ExpressionError) problem('warning', `left out: an expression of it ${error.message}`);
      else throw error;
      return [];
    }
  });
}

/** `create_metric: true` on a measure is a simple metric of its name, unless the project writes one itself. */
function ofMeasures(models: readonly SemanticModel[], written: readonly Metric[]): readonly Metric[] {
  const names = new Set(written.map(({ name }) => name));
  return models.flatMap((model) =>
    (model.measures ?? []).flatMap((measure): readonly Metric[] => {
      if (measure.create_metric !== true || names.has(measure.name)) return [];
      const { name, label, description, meta, config } = measure;
      return [
        {
          ...{ name, label, description, meta, config },
          type: 'simple',
          filter: undefined,
          type_params: { measure: inputOf(name), numerator: undefined, denominator: undefined },
          file: model.file,
          line: model.lineOf('measures', name),
        },
      ];
    }),
  );
}

function inputOf(name: string): Input {
  return {
    name,
    filter: undefined,
    fill_nulls_with: undefined,
    join_to_timespine: undefined,
    offset_window: undefined,
    offset_to_grain: undefined,
  };
}

interface Compiled {
  readonly sql: string;
  readonly dataset: string | undefined;
  /** What changes by being carried over. */
  readonly remarks: readonly string[];
}

const NO_ELEMENT: Readonly<Record<string, string>> = {
  cumulative: 'cumulative metrics accumulate over a window of time, for which the document has no element',
  derived: 'derived metrics compute from other metrics, for which the document has no element',
  conversion: 'conversion metrics follow events through time, for which the document has no element',
};

class Compiler {
  readonly #metrics: ReadonlyMap<string, Metric>;
  readonly #project: Project;

  constructor(metrics: readonly Metric[], project: Project) {
    this.#metrics = new Map(metrics.map((metric) => [metric.name, metric]));
    this.#project = project;
  }

  /** `filters` are those of the metrics that it is an input of, `within` their names. */
  metric(metric: Metric, filters: readonly string[] = [], within: readonly string[] = []): Compiled {
    const { name, type, type_params: parameters, filter = [] } = metric;
    if (within.includes(name)) throw new LeftOut('it is computed from itself');
    const all = [...filters, ...filter];
    const missing = NO_ELEMENT[type];
    if (missing !== undefined) throw new LeftOut(missing);
    if (type === 'simple') return this.#simple(parameters?.measure, all);
    if (type !== 'ratio') throw new LeftOut(`its type ${type} is not known`);
    const sides = [parameters?.numerator, parameters?.denominator].map((input, index) => {
      if (input === undefined) throw new LeftOut(`it has no ${index === 0 ? 'numerator' : 'denominator'}`);
      return this.#input(input, all, [...within, name]);
    });
    const [numerator, denominator] = sides;
    if (numerator === undefined || denominator === undefined) throw new LeftOut('it has no two sides');
    const datasets = new Set(sides.map(({ dataset }) => dataset).filter((one) => one !== undefined));
    if (datasets.size > 1) throw new LeftOut('its sides count rows of two datasets that have no primary entity');
    return {
      sql: `(${numerator.sql}) / NULLIF((${denominator.sql}), 0)`,
      dataset: [...datasets][0],
      remarks: [...new Set(sides.flatMap(({ remarks }) => remarks))],
    };
  }

  #simple(input: Input | undefined, filters: readonly string[]): Compiled {
    if (input === undefined) throw new LeftOut('it names no measure');
    const measure = this.#measure(input.name);
    const tests = conditions([...filters, ...(input.filter ?? [])], measure.element, measure.model, this.#project);
    const { sql, dataset } = aggregate(measure, tests, this.#project);
    const remarks =
      input.join_to_timespine === true
        ? ['join_to_timespine is not carried over: dates without rows are not answered']
        : [];
    const filled = input.fill_nulls_with === undefined ? sql : `COALESCE(${sql}, ${input.fill_nulls_with})`;
    return { sql: filled, dataset, remarks };
  }

  #measure(name: string): { readonly model: SemanticModel; readonly element: Measure } {
    const found = this.#project.measure(name);
    if (found === undefined) throw new LeftOut(`there is no measure ${name} in the files`);
    return found;
  }

  #input(input: Input, filters: readonly string[], within: readonly string[]): Compiled {
    if (input.offset_window !== undefined || input.offset_to_grain !== undefined) {
      throw new LeftOut(`${input.name} is taken at an earlier time (offset), for which the document has no element`);
    }
    const metric = this.#metrics.get(input.name);
    if (metric === undefined) throw new LeftOut(`there is no metric ${input.name} in the files`);
    try {
      return this.metric(metric, [...filters, ...(input.filter ?? [])], within);
    } catch (error) {
      if (error instanceof LeftOut) throw new LeftOut(`${input.name}, which it needs, is left out: ${error.message}`);
      throw error;
    }
  }
}
