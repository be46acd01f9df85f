/** Finds the main date of a dataset: the date by which the measures of its semantic model are aggregated. */
import type { Project } from './project.ts';
import type { SemanticModel } from './read.ts';

/** Returns the model's default date, else the date that all of its measures name. */
export function mainDateOf(model: SemanticModel, project: Project): string | undefined {
  const defaultDate = model.defaults?.agg_time_dimension;
  const dates = new Set((model.measures ?? []).map((element) => project.timeOf({ model, element })?.name));
  const [only] = dates;
  const mainDate = defaultDate ?? (dates.size === 1 ? only : undefined);
  return model.dimensions?.find(({ name, type }) => name === mainDate && type === 'time')?.name;
}
