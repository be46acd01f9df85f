/** Finds the main date of a dataset. Metrics of several datasets meet on one calendar by their main dates. */
import { isMomentType } from '../../../router/date-grains.ts';
import type { Dataset, Field, FieldName, Model, Relationship } from './model.ts';
import type { Problems } from './problems.ts';
import type { DraftDataset } from './read-draft.ts';
import { RelationshipGraph } from './relationship-graph.ts';

type Datasets = ReadonlyMap<string, Dataset>;

/**
 * Returns the main date of a dataset as the model's caller sees it: the declared date, else its only date; `undefined`
 * where there is none or the caller may not see it. It may be a field of another dataset that exactly one path reaches.
 */
export function mainDateOf(dataset: string, { datasets }: Pick<Model, 'datasets'>): Field | undefined {
  const name = datasets.get(dataset)?.mainDate;
  return name === undefined ? undefined : datasets.get(name.dataset)?.fields.get(name.field);
}

/** Returns the datasets with their main dates set. A declared date that cannot be one is reported and left out. */
export function withMainDates(
  datasets: Datasets,
  drafts: readonly DraftDataset[],
  relationships: readonly Relationship[],
  problems: Problems,
): Datasets {
  const graph = new RelationshipGraph({ datasets, relationships });
  const declared = new Map(drafts.map((draft) => [draft.name, draft]));
  const mainOf = (dataset: Dataset): FieldName | undefined => {
    const draft = declared.get(dataset.name);
    const written = draft?.facts.time.main;
    if (draft === undefined || written === undefined) return onlyDateOf(dataset);
    const dateOrReason = declaredDate(written, dataset, datasets, graph);
    if (typeof dateOrReason !== 'string') return dateOrReason;
    problems.warn(draft.place, `left out: its main date ${written} ${dateOrReason}.`);
    return undefined;
  };
  return new Map(
    [...datasets].map(([name, dataset]) => [name, Object.freeze({ ...dataset, mainDate: mainOf(dataset) })]),
  );
}

function onlyDateOf({ name, fields }: Dataset): FieldName | undefined {
  const [only, ...others] = [...fields.values()].filter(({ type, display }) => isMomentType(type) && !display.hidden);
  return only === undefined || others.length > 0 ? undefined : { dataset: name, field: only.name };
}

/** Returns the date that a text names, or the reason why it names no date. */
function declaredDate(
  written: string,
  dataset: Dataset,
  datasets: Datasets,
  graph: RelationshipGraph,
): FieldName | string {
  const field = dataset.fields.get(written) ?? fieldAt(written, datasets);
  if (field === undefined) return `is no field of ${dataset.name} and no dataset.field of another dataset`;
  if (!isMomentType(field.type)) return 'is neither a date nor a timestamp';
  const paths = graph.directPaths(dataset.name, field.dataset).length;
  if (paths === 0) return `is of ${field.dataset}, to which no relationship leads from ${dataset.name}`;
  if (paths > 1) return `is of ${field.dataset}, which ${dataset.name} reaches along more than one path`;
  return { dataset: field.dataset, field: field.name };
}

/** Finds a field by `dataset.field`. Names may contain dots, so every split is tried. */
function fieldAt(written: string, datasets: Datasets): Field | undefined {
  const parts = written.split('.');
  for (let at = 1; at < parts.length; at += 1) {
    const field = datasets.get(parts.slice(0, at).join('.'))?.fields.get(parts.slice(at).join('.'));
    if (field !== undefined) return field;
  }
  return undefined;
}
