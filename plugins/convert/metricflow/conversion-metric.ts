/** Converts conversion metrics: a base event, a conversion event of the same entity, and the window between them. */
import type { Compiled, Context, Measures } from './compiled-metric.ts';
import { spanOf } from './periods.ts';
import { LeftOut, type Owned } from './project.ts';
import type { Measure, SemanticModel, TypeParameters } from './read.ts';

const TAKES: Readonly<Record<string, 'rate' | 'count'>> = { conversion_rate: 'rate', conversions: 'count' };

/**
 * Compiles a conversion metric.
 *
 * @param filters the metric's own filters, which apply to the base events
 * @throws LeftOut, ExpressionError
 */
export function conversionOf(
  parameters: TypeParameters['conversion_type_params'],
  filters: readonly string[],
  measures: Measures,
  context: Context,
): Compiled {
  if (parameters === undefined) throw new LeftOut('it has no conversion_type_params');
  const { base_measure: baseInput, conversion_measure: conversionInput, entity, window, calculation } = parameters;
  if (baseInput === undefined) throw new LeftOut('it has no base_measure');
  if (conversionInput === undefined) throw new LeftOut('it has no conversion_measure');
  const take = TAKES[calculation ?? 'conversion_rate'];
  if (take === undefined) throw new LeftOut(`its calculation ${calculation} is not known`);
  const base = measures.aggregateOf(baseInput, filters);
  const conversion = measures.aggregateOf(conversionInput, []);
  const sides = { base: base.measure, conversion: conversion.measure };
  const isFiltered = filters.length + (baseInput.filter?.length ?? 0) > 0;
  const metric = isFiltered ? undefined : measures.metricOfMeasure(baseInput.name);
  const of = baseInput.alias ?? baseInput.name;
  const isUnfilled = [baseInput, conversionInput].every(({ fill_nulls_with: filling }) => filling === undefined);
  const remarks = isUnfilled
    ? []
    : ['the fill_nulls_with of its measures is left out: a group without events has a count of 0, and no rate'];
  return {
    ...conversion.compiled,
    remarks: [...conversion.compiled.remarks, ...remarks],
    kinds: {
      ...conversion.compiled.kinds,
      conversion: {
        base: metric ?? measures.helper(base.compiled, of, context),
        entity: both(sides, (model) => fieldOf(model, entity, 'entity')),
        by: both(sides, (model, measure) => dateOf({ model, element: measure }, measures)),
        window: window === undefined ? undefined : spanOf(window, 'window'),
        take,
        constant: parameters.constant_properties?.map(({ base_property, conversion_property }) => ({
          base: fieldOf(sides.base.model, base_property, 'constant property'),
          conversion: fieldOf(sides.conversion.model, conversion_property, 'constant property'),
        })),
      },
    },
  };
}

function both(
  { base, conversion }: { readonly base: Owned<Measure>; readonly conversion: Owned<Measure> },
  read: (model: SemanticModel, measure: Measure) => string,
) {
  return { base: read(base.model, base.element), conversion: read(conversion.model, conversion.element) };
}

function fieldOf(model: SemanticModel, written: string, what: string): string {
  const elementName = written.split('__').at(-1) ?? written;
  const element = [...(model.entities ?? []), ...(model.dimensions ?? [])].find(({ name }) => name === elementName);
  if (element === undefined) throw new LeftOut(`its ${what} ${written} is not in the semantic model ${model.name}`);
  return `${model.name}.${element.name}`;
}

function dateOf(measure: Owned<Measure>, { project }: Measures): string {
  const date = project.timeOf(measure);
  if (date === undefined) throw new LeftOut(`its measure ${measure.element.name} has no time dimension`);
  return `${measure.model.name}.${date.name}`;
}
