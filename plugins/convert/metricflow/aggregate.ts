/** Converts a measure and the conditions of a metric to an aggregate. */
import { ExpressionError, identifier, namesIn, qualified, rewrite } from '../../semantic/index.ts';
import { LeftOut, type Owned, type Project } from './project.ts';
import type { Measure, SemanticModel } from './read.ts';

export interface Aggregate {
  readonly sql: string;
  /** Set where the SQL reads no column, to name the dataset of the aggregated rows. */
  readonly dataset: string | undefined;
}

/**
 * Writes the aggregate of a measure over the rows that pass the conditions.
 *
 * @throws LeftOut, ExpressionError
 */
export function aggregate(
  { model, element: measure }: Owned<Measure>,
  conditions: readonly string[],
  project: Project,
): Aggregate {
  const argument = argumentOf(measure, model, project);
  const constant = namesIn(measure.expr ?? measure.name, project.dialect).length === 0;
  const key = project.keyColumn(model);
  if (!constant) return { sql: call(measure, argument, conditions), dataset: undefined };
  if (key !== undefined) {
    // A constant names no dataset. A test that is true for every row names it.
    const everyRow = `${qualified(model.name, key)} IS NOT NULL`;
    const counted = measure.agg === 'count' ? qualified(model.name, key) : argument;
    return {
      sql: call(measure, counted, measure.agg === 'count' ? conditions : [...conditions, everyRow]),
      dataset: undefined,
    };
  }
  if (conditions.length > 0) {
    throw new LeftOut(`its measure ${measure.name} is a constant and ${model.name} has no primary entity to count by`);
  }
  return { sql: call(measure, argument, []), dataset: model.name };
}

/** Returns whether a measure counts its rows by a sum of ones. */
export function isCountOfOnes({ agg, expr }: Measure): boolean {
  return agg === 'sum' && expr?.trim() === '1';
}

/**
 * Writes the argument of the aggregate. dbt's expressions name columns, but the document prefers a field of the same
 * name. Where a field hides a column with another meaning, the measure's own field replaces the column.
 */
function argumentOf(measure: Measure, model: SemanticModel, project: Project): string {
  const text = measure.expr ?? measure.name;
  const hidden = namesIn(text, project.dialect).some(({ name }) => isHidden(name, model, project));
  if (hidden) return qualified(model.name, measure.name);
  return rewrite(text, project.dialect, ({ name }) => qualified(model.name, name));
}

function isHidden(column: string, model: SemanticModel, project: Project): boolean {
  const elements = [...(model.entities ?? []), ...(model.dimensions ?? []), ...(model.measures ?? [])];
  const field = elements.find(({ name }) => name.toLowerCase() === column.toLowerCase());
  if (field === undefined || field.expr === undefined) return false;
  try {
    return rewrite(field.expr, project.dialect, ({ name }) => identifier(name)) !== identifier(column);
  } catch (error) {
    if (error instanceof ExpressionError) return true;
    throw error;
  }
}

function call(measure: Measure, argument: string, conditions: readonly string[]): string {
  const { agg, agg_params: parameters } = measure;
  const chosen = conditions.length === 0 ? argument : `CASE WHEN ${all(conditions)} THEN ${argument} END`;
  switch (agg) {
    case 'sum':
    case 'min':
    case 'max':
      return `${agg.toUpperCase()}(${chosen})`;
    case 'avg':
    case 'average':
      return `AVG(${chosen})`;
    case 'count':
      return `SUM(CASE WHEN ${all([...conditions, `${argument} IS NOT NULL`])} THEN 1 ELSE 0 END)`;
    case 'sum_boolean':
      return `SUM(CASE WHEN ${all([...conditions, argument])} THEN 1 ELSE 0 END)`;
    case 'count_distinct':
      return `COUNT(DISTINCT ${chosen})`;
    case 'median':
      return percentile(0.5, false, chosen);
    case 'percentile': {
      const fraction = parameters?.percentile;
      if (fraction === undefined) throw new LeftOut(`its measure ${measure.name} does not say which percentile`);
      return percentile(fraction, parameters?.use_discrete_percentile === true, chosen);
    }
  }
}

function percentile(fraction: number, discrete: boolean, argument: string): string {
  return `PERCENTILE_${discrete ? 'DISC' : 'CONT'}(${fraction}) WITHIN GROUP (ORDER BY ${argument})`;
}

function all([first, ...others]: readonly string[]): string {
  if (first === undefined) return 'TRUE';
  return others.length === 0 ? first : [first, ...others].map((one) => `(${one})`).join(' AND ');
}
