/**
 * Converts filters of metrics: SQL with references such as `{{ Dimension('order__status') }}` becomes SQL over the
 * document's fields.
 */
import { DATE_GRAIN_NAMES, isGrainOf } from '../../../router/date-grains.ts';
import { qualified, rewrite } from '../../semantic/index.ts';
import { LeftOut, type Project } from './project.ts';
import type { Measure, SemanticModel } from './read.ts';

/**
 * Returns the conditions of a metric's filters, each as one SQL expression.
 *
 * @throws LeftOut, ExpressionError
 */
export function conditions(
  filters: readonly string[],
  measure: Measure,
  model: SemanticModel,
  project: Project,
): readonly string[] {
  return filters.map((filter) => {
    const sql = filter.replaceAll(/\{\{-?(.*?)-?\}\}/gs, (_, reference: string) =>
      resolveReference(reference.trim(), measure, model, project),
    );
    if (/\{[{%]/.test(sql)) throw new LeftOut('its filter holds a template that is not understood');
    return rewrite(sql, project.dialect, ({ qualifier, name }) => qualified(qualifier ?? model.name, name));
  });
}

const REFERENCE = /^(Dimension|TimeDimension|Entity|Metric)\(([^()]*)\)((?:\s*\.\s*\w+\([^()]*\))*)$/s;

function resolveReference(text: string, measure: Measure, model: SemanticModel, project: Project): string {
  const [, kind, written = '', calls = ''] = REFERENCE.exec(text) ?? [];
  if (kind === undefined) throw new LeftOut(`its filter refers to {{ ${text} }}, which is not understood`);
  if (kind === 'Metric')
    throw new LeftOut('its filter tests another metric (requests can: a filter by a metric, with per)');
  const { first, second, path } = argumentsOf(written);
  if (first === undefined) throw new LeftOut(`its filter refers to {{ ${text} }}, which is not understood`);
  const parts = first.split('__');
  const name = parts.at(-1) ?? '';
  const entities = [...path, ...parts.slice(0, -1)];

  if (kind === 'Entity') {
    const { model: owner, element } = project.entity(model, entities, name);
    return qualified(owner.name, element.name);
  }
  const call = /^\s*\.\s*(grain|date_part)\(\s*['"](\w+)['"]\s*\)\s*$/.exec(calls);
  if (calls.trim() !== '' && call === null) {
    throw new LeftOut(`its filter refers to {{ ${text} }}, which is not understood`);
  }
  const { owner, dimension } = timeOf(name, entities, measure, model, project);
  const column = qualified(owner.name, dimension.name);
  if (call?.[1] === 'date_part') return partOf(call[2] ?? '', column);
  const grain = (call?.[2] ?? second)?.toLowerCase();
  if (grain === undefined || grain === dimension.type_params?.time_granularity?.toLowerCase()) return column;
  if (!TRUNCATED.has(grain))
    throw new LeftOut(`its filter uses the granularity ${grain}, which is not a grain of dates here`);
  return `DATE_TRUNC('${grain}', ${column})`;
}

const TRUNCATED: ReadonlySet<string> = new Set(DATE_GRAIN_NAMES.filter((grain) => !isGrainOf(grain, 'part')));
/** The SQL of dbt's parts of dates; a week begins on Monday, which is 1. */
const PARTS: Readonly<Record<string, string>> = {
  year: 'YEAR',
  quarter: 'QUARTER',
  month: 'MONTH',
  day: 'DAY',
  dow: 'ISODOW',
  doy: 'DOY',
};

function partOf(part: string, column: string): string {
  const name = PARTS[part.toLowerCase()];
  if (name === undefined) throw new LeftOut(`its filter uses the part of a date ${part}, which is not understood`);
  return `EXTRACT(${name} FROM ${column})`;
}

function timeOf(name: string, entities: readonly string[], measure: Measure, model: SemanticModel, project: Project) {
  if (name !== 'metric_time' || entities.length > 0) {
    const { model: owner, element } = project.dimension(model, entities, name);
    return { owner, dimension: element };
  }
  const dimension = project.timeOf({ model, element: measure });
  if (dimension === undefined)
    throw new LeftOut(`its filter names metric_time, but ${measure.name} has no time dimension`);
  return { owner: model, dimension };
}

/** Reads the arguments `'order__status', 'month', entity_path=['listing']`. */
function argumentsOf(written: string) {
  const list = /\[([^\]]*)\]/.exec(written);
  const plain = list === null ? written : written.replace(list[0], '');
  const [first, second] = textsIn(plain);
  return { first, second, path: list === null ? [] : textsIn(list[1] ?? '') };
}

function textsIn(text: string): readonly string[] {
  return [...text.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '');
}
