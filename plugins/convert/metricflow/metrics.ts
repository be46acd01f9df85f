/** Converts dbt metrics to metrics of the document. */

import { ansi, ExpressionError, type OsiMetric, serviceExtension } from '../../semantic/index.ts';
import { type ConversionProblem, present } from '../conversion.ts';
import { type Compiled, inputOf } from './compiled-metric.ts';
import { vendorExtension } from './datasets.ts';
import { Compiler } from './metric-compiler.ts';
import { LeftOut, type Project } from './project.ts';
import type { Metric, SemanticModel } from './read.ts';

/** Converts metrics, and warns of each metric that cannot be converted. */
export function convertMetrics(
  written: readonly Metric[],
  project: Project,
  problems: ConversionProblem[],
): readonly OsiMetric[] {
  const metrics = [...written, ...ofMeasures(project.models, written)];
  const compiler = new Compiler(metrics, project);
  const names = new Set<string>();
  return metrics.flatMap((metric) => {
    const { name, label, description, file, line, time_granularity: grain } = metric;
    const problem = (severity: 'error' | 'warning', message: string) =>
      problems.push({ severity, file, line, message: `metric ${name}: ${message}.` });
    if (names.has(name)) {
      problem('error', 'the name is used twice');
      return [];
    }
    names.add(name);
    try {
      const { compiled, helpers } = compiler.convert(metric);
      for (const remark of compiled.remarks) problem('warning', remark);
      if (grain !== undefined)
        problem('warning', `its time_granularity ${grain} is for requests to say, as the grain of a date`);
      return [
        ...helpers.map((helper) =>
          metricOf(helper.name, `${helper.of}, as ${name} needs it.`, helper.compiled, { hidden: true }, metric),
        ),
        metricOf(name, description, compiled, label === undefined ? undefined : { caption: label }, metric),
      ];
    } catch (error) {
      if (error instanceof LeftOut) problem('warning', `left out: ${error.message}`);
      else if (error instanceof ExpressionError) problem('warning', `left out: an expression of it ${error.message}`);
      else throw error;
      return [];
    }
  });
}

function metricOf(
  name: string,
  description: string | undefined,
  { sql, dataset, kinds }: Compiled,
  display: object | undefined,
  owner: Metric,
): OsiMetric {
  const vendorBlock = serviceExtension({ display, dataset, ...kinds });
  const extensions = [vendorBlock, vendorExtension(owner)].filter((one) => one !== undefined);
  return present({ name, description, expression: ansi(sql), custom_extensions: extensions });
}

/**
 * Makes a simple metric with the measure's name for each measure with `create_metric: true`, unless the project defines
 * one.
 */
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
          time_granularity: undefined,
          type_params: parametersOf(name),
          file: model.file,
          line: model.lineOf('measures', name),
        },
      ];
    }),
  );
}

function parametersOf(measure: string): NonNullable<Metric['type_params']> {
  return {
    measure: inputOf(measure),
    numerator: undefined,
    denominator: undefined,
    expr: undefined,
    metrics: undefined,
    window: undefined,
    grain_to_date: undefined,
    cumulative_type_params: undefined,
    conversion_type_params: undefined,
  };
}
