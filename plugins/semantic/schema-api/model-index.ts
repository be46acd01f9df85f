/** The index of a model: the names of everything, what they mean, and which datasets meet. It is what an agent reads first. */
import { firstFitting, VALUES_IN_INDEX } from '../../query-surface/index.ts';
import { mainDateOf } from '../model/main-date.ts';
import type { Dataset, Field, Metric, Model } from '../model/model.ts';
import type { ModelIndex } from '../schemas.ts';
import type { ModelFacts } from './samples.ts';
import { shownFields, shownMetrics } from './shown-parts.ts';

/** Names that the shortest form of an index lists of each kind. */
const MAX_LISTED_NAMES = 300;

type DatasetIndex = ModelIndex['datasets'][string];
type Form = 'texts' | 'labels' | 'names' | 'counts';

export function modelIndex(model: Model, facts: ModelFacts): ModelIndex {
  const formed = (form: Form) => () => indexOf(model, facts, form);
  return firstFitting([formed('texts'), formed('labels'), formed('names'), formed('counts')]);
}

function indexOf(model: Model, facts: ModelFacts, form: Form): ModelIndex {
  const metrics = shownMetrics(model);
  const datasets = [...model.datasets.values()];
  const listed = form === 'counts' ? datasets.slice(0, MAX_LISTED_NAMES) : datasets;
  const names = metrics.map(({ name }) => name);
  const listedNames = form === 'counts' ? names.slice(0, MAX_LISTED_NAMES) : names;
  return {
    datasetCount: datasets.length,
    metricCount: metrics.length,
    datasets: Object.fromEntries(listed.map((one) => [one.name, datasetIndex(one, model, facts, form)])),
    ...(isNamed(form)
      ? { metricNames: listedNames }
      : { metrics: Object.fromEntries(metrics.map((metric) => [metric.name, metricIndex(metric, form)])) }),
    ...(listed.length === datasets.length && (!isNamed(form) || listedNames.length === names.length)
      ? {}
      : { isCut: true as const }),
  };
}

/** Returns whether a form has names without texts. */
function isNamed(form: Form): boolean {
  return form === 'names' || form === 'counts';
}

function datasetIndex(dataset: Dataset, model: Model, facts: ModelFacts, form: Form): DatasetIndex {
  const fields = shownFields(dataset);
  const mainDate = mainDateOf(dataset.name, model);
  const joins = model.relationships.filter(
    ({ from, toIsUnique, fromIsUnique }) => from === dataset.name && (toIsUnique || fromIsUnique),
  );
  const ofDataset = facts.get(dataset.name);
  return {
    fieldCount: fields.length,
    ...(form === 'texts' && dataset.description !== undefined ? { description: dataset.description } : {}),
    ...(!isNamed(form) && dataset.synonyms.length > 0 ? { synonyms: [...dataset.synonyms] } : {}),
    ...(mainDate === undefined ? {} : { mainDate: `${mainDate.dataset}.${mainDate.name}` }),
    ...(joins.length === 0 ? {} : { joins: [...new Set(joins.map(({ to }) => to))] }),
    ...(form === 'counts'
      ? {}
      : form === 'names'
        ? { fieldNames: fields.map(({ name }) => name) }
        : {
            fields: Object.fromEntries(
              fields.map((field) => [field.name, fieldIndex(field, form, valuesOf(ofDataset?.get(field.name)))]),
            ),
          }),
  };
}

function valuesOf(facts: { readonly cardinality: string; readonly sampleValues: readonly unknown[] } | undefined) {
  if (facts?.cardinality !== 'low') return [];
  return facts.sampleValues.filter((value) => typeof value === 'string').slice(0, VALUES_IN_INDEX);
}

function fieldIndex(field: Field, form: Form, values: readonly string[]) {
  return {
    type: field.isTime ? `${field.type}, time` : field.type,
    ...(isSame(field.label, field.name) ? {} : { label: field.label }),
    ...(field.synonyms.length === 0 ? {} : { synonyms: [...field.synonyms] }),
    ...(form === 'texts' && values.length > 0 ? { values: [...values] } : {}),
  };
}

function metricIndex(metric: Metric, form: Form) {
  const { name, label, description, synonyms, reads, countedDataset } = metric;
  const of = [...new Set(reads.map(({ dataset }) => dataset))];
  return {
    of: of.length === 0 ? [countedDataset] : of,
    ...(isSame(label, name) ? {} : { label }),
    ...(form === 'texts' && description !== undefined && description !== '' ? { description } : {}),
    ...(synonyms.length === 0 ? {} : { synonyms: [...synonyms] }),
  };
}

/** Returns whether a label says no more than a name: `Net sales` and `net_sales`. */
function isSame(label: string, name: string): boolean {
  return label.toLowerCase() === name.toLowerCase().replaceAll('_', ' ');
}
