/** The parts of a model that a description shows: everything, or what a request names or seeks. */
import { containsWords, ProblemList, partsNamed } from '../../query-surface/index.ts';
import type { Dataset, Field, Metric, Model } from '../model/model.ts';

export interface PartsRequest {
  readonly datasets?: readonly string[] | undefined;
  readonly metrics?: readonly string[] | undefined;
  readonly q?: string | undefined;
}

/** The fields, by dataset, and the metrics that a description has in detail. */
export interface ShownParts {
  readonly datasets: ReadonlyMap<string, readonly Field[]>;
  readonly metrics: readonly Metric[];
}

export const NO_PARTS: ShownParts = { datasets: new Map(), metrics: [] };

export function shownFields({ fields }: Dataset): readonly Field[] {
  return [...fields.values()].filter(({ display }) => !display.hidden);
}

export function shownMetrics({ metrics }: Model): readonly Metric[] {
  return [...metrics.values()].filter(({ display }) => !display.hidden);
}

/** Returns all parts of a model. */
export function allParts(model: Model): ShownParts {
  const datasets = [...model.datasets.values()];
  return { datasets: new Map(datasets.map((one) => [one.name, shownFields(one)])), metrics: shownMetrics(model) };
}

/** Returns whether a request asks for parts. */
export function isForParts({ datasets, metrics, q }: PartsRequest): boolean {
  return datasets !== undefined || metrics !== undefined || q !== undefined;
}

/**
 * Returns the named parts, and the parts whose texts contain the sought words. A dataset with those words has all its fields.
 *
 * @throws ValidationError for an unknown name, with the names that exist
 */
export function partsOf(model: Model, { datasets, metrics, q }: PartsRequest): ShownParts {
  const problems = new ProblemList();
  const all = allParts(model);
  const namedDatasets = partsNamed([...model.datasets.values()], datasets, 'datasets', problems);
  const namedMetrics = partsNamed(all.metrics, metrics, 'metrics', problems);
  problems.throwAll();
  const has = q === undefined ? () => false : containsWords(q);
  const isSought = ({ name, label, description, synonyms }: Texts) => has([name, label, description, ...synonyms]);
  const shown = new Map<string, readonly Field[]>();
  for (const dataset of model.datasets.values()) {
    const isWhole = namedDatasets.includes(dataset) || isSought({ ...dataset, label: undefined });
    const fields = shownFields(dataset).filter((field) => isWhole || isSought(field));
    if (isWhole || fields.length > 0) shown.set(dataset.name, fields);
  }
  return {
    datasets: shown,
    metrics: all.metrics.filter((metric) => namedMetrics.includes(metric) || isSought(metric)),
  };
}

interface Texts {
  readonly name: string;
  readonly label: string | undefined;
  readonly description: string | undefined;
  readonly synonyms: readonly string[];
}
