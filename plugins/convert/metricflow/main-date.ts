/** The date of a semantic model that its measures are aggregated by -> the main date of a dataset. */
import type { Project } from './project.ts';
import type { SemanticModel } from './read.ts';

/** Returns the model's default date, else the one that all of its measures name. */
export function mainDateOf(model: SemanticModel, project: Project): string | undefined {
  const defaultDate = model.defaults?.agg_time_dimension;
  const dates = new Set((model.measures ?? []).map((element) => project.timeOf({ model, element })?.name));
  const [only] = dates;
  const mainDate = defaultDate ?? (dates.size === 1 ? only : undefined);
  return model.dimensions?.find(({ name, type }) => name === mainDate && type === 'time')?.name;
}
