/** Filters of metrics: SQL with references such as `{{ Dimension('order__status') }}` -> SQL over the document's fields. */
import { qualified, rewrite } from '../sql-text.ts';
import { LeftOut, type Project } from './project.ts';
import type { Measure, SemanticModel } from './read.ts';

/** The conditions of a metric's filters, each as one SQL expression. Throws `LeftOut` and `ExpressionError`. */
export function conditions(
  filters: readonly string[],
  measure: Measure,
  model: SemanticModel,
  project: Project,
): readonly string[] {
  return filters.map((filter) => {
    const sql = filter.replaceAll(/\{\{(.*?)\}\}/gs, (_, reference: string) =>
      resolveReference(reference.trim(), measure, model, project),
    );
    if (/\{[{%]/.test(sql)) throw new LeftOut('its filter holds a template that is not understood');
    return rewrite(sql, project.dialect, ({ qualifier, name }) => qualified(qualifier ?? model.name, name));
  });
}

const REFERENCE = /^(Dimension|TimeDimension|Entity|Metric)\((.*)\)((?:\s*\.\s*\w+\([^()]*\))*)$/s;

function resolveReference(text: string, measure: Measure, model: SemanticModel, project: Project): string {
  const [, kind, written = '', calls = ''] = REFERENCE.exec(text) ?? [];
  if (kind === undefined) throw new LeftOut(`its filter refers to {{ ${text} }}, which is not understood`);
  if (kind === 'Metric') throw new LeftOut('its filter tests another metric, for which the document has no element');
  const { first, second, path } = argumentsOf(written);
  if (first === undefined) throw new LeftOut(`its filter refers to {{ ${text} }}, which is not understood`);
  const parts = first.split('__');
  const name = parts.at(-1) ?? '';
  const entities = [...path, ...parts.slice(0, -1)];

  if (kind === 'Entity') {
    const { model: owner, element } = project.entity(model, entities, name);
    return qualified(owner.name, element.name);
  }
  const call = /^\s*\.\s*(\w+)\(\s*['"](\w+)['"]\s*\)\s*$/.exec(calls);
  if (calls.trim() !== '' && call?.[1] !== 'grain') {
    throw new LeftOut(`its filter refers to {{ ${text} }}, which is not understood`);
  }
  const { owner, dimension } = timeOf(name, entities, measure, model, project);
  const column = qualified(owner.name, dimension.name);
  const grain = (call?.[2] ?? second)?.toLowerCase();
  if (grain === undefined || grain === dimension.type_params?.time_granularity?.toLowerCase()) return column;
  if (!/^[a-z]+$/.test(grain)) throw new LeftOut(`its filter uses the granularity ${grain}, which is not understood`);
  return `DATE_TRUNC('${grain}', ${column})`;
}

function timeOf(name: string, entities: readonly string[], measure: Measure, model: SemanticModel, project: Project) {
  if (name !== 'metric_time' || entities.length > 0) {
    const { model: owner, element } = project.dimension(model, entities, name);
    return { owner, dimension: element };
  }
  const wanted = measure.agg_time_dimension ?? model.defaults?.agg_time_dimension;
  if (wanted === undefined)
    throw new LeftOut(`its filter names metric_time, but ${measure.name} has no time dimension`);
  const { model: owner, element } = project.dimension(model, [], wanted);
  return { owner, dimension: element };
}

/** `'order__status', 'month', entity_path=['listing']` */
function argumentsOf(written: string) {
  const list = /\[([^\]]*)\]/.exec(written);
  const plain = list === null ? written : written.replace(list[0], '');
  const [first, second] = textsIn(plain);
  return { first, second, path: list === null ? [] : textsIn(list[1] ?? '') };
}

function textsIn(text: string): readonly string[] {
  return [...text.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '');
}
