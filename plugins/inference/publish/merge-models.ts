/**
 * Merges the semantic models of a proposal's cubes to one. Each fact table is a dataset of it and is asked at its own grain,
 * and tables that several facts lead to are shared. Pure.
 */
import { freeName, slug } from '../../convert/index.ts';
import {
  ansi,
  identifier,
  type OsiDataset,
  type OsiField,
  type OsiMetric,
  type OsiModel,
  type OsiRelationship,
  rewrite,
  serviceExtension,
} from '../../semantic/index.ts';
import type { CubeProposal } from '../proposal/schema.ts';
import { isMarkedPersonal, readDisplay, readExtension, renderSemanticModels } from './semantic-models.ts';

/**
 * Returns the semantic model of a proposal; `undefined` where no cube has anything to group or to count.
 *
 * @param name of a model of several cubes; the model of one cube has the cube's name
 */
export function renderSemanticModel(proposal: CubeProposal, name: string): OsiModel | undefined {
  const models = renderSemanticModels(proposal, `${name}.xml`);
  const [only] = models;
  if (models.length < 2 || only === undefined) return only;
  const merged = new MergedModel();
  for (const model of models) merged.add(model);
  return { name, ...merged.parts() };
}

class MergedModel {
  readonly #datasets = new Map<string, OsiDataset>();
  readonly #relationships: OsiRelationship[] = [];
  readonly #metrics: OsiMetric[] = [];

  parts(): Pick<OsiModel, 'datasets' | 'relationships' | 'metrics'> {
    return {
      datasets: [...this.#datasets.values()],
      ...(this.#relationships.length === 0 ? {} : { relationships: this.#relationships }),
      ...(this.#metrics.length === 0 ? {} : { metrics: this.#metrics }),
    };
  }

  /** Adds the model of one cube: its facts first, then each dataset that a placed one leads to. */
  add({ name: cube, datasets, relationships = [], metrics = [] }: OsiModel): void {
    const targets = new Set(relationships.map(({ to }) => to));
    const places = new Map<string, string>();
    for (const dataset of datasets)
      if (!targets.has(dataset.name)) places.set(dataset.name, this.#place(dataset, this.#rootOf(dataset)));
    const waiting = new Set(relationships);
    for (let grown = true; grown; ) {
      grown = false;
      for (const relationship of waiting) {
        const from = places.get(relationship.from);
        const dataset = datasets.find(({ name }) => name === relationship.to);
        if (from === undefined || dataset === undefined) continue;
        waiting.delete(relationship);
        const to = places.get(dataset.name) ?? this.#place(dataset, this.#targetOf(dataset, relationship, from));
        places.set(dataset.name, to);
        this.#relate(relationship, from, to);
        grown = true;
      }
    }
    for (const metric of metrics) this.#addMetric(metric, cube, places);
  }

  /** Returns the dataset that the facts of a cube are already, as the header of other facts. */
  #rootOf({ source }: OsiDataset): string | undefined {
    const alike = [...this.#datasets.values()].filter((each) => each.source === source && !this.#isOfParents(each));
    return alike.length === 1 ? alike[0]?.name : undefined;
  }

  /** Returns the dataset that a relationship may lead to without a second path between two datasets. */
  #targetOf({ name, source }: OsiDataset, relationship: OsiRelationship, from: string): string | undefined {
    const isOwn = this.#datasets.get(from)?.source === source;
    const alike = [...this.#datasets.values()]
      .filter((each) => each.source === source && each.name !== from && (isOwn || !this.#isOfParents(each)))
      .map((each) => each.name)
      .toSorted((left, right) => Number(right === name) - Number(left === name));
    return (
      alike.find((to) => this.#relationships.some((each) => isSameJoin(each, { ...relationship, from, to }))) ??
      alike.find((to) => this.#isOnlyPath(from, to))
    );
  }

  /** Returns whether a dataset has the parents of another one of the same table. */
  #isOfParents({ name, source }: OsiDataset): boolean {
    return this.#relationships.some(({ from, to }) => to === name && this.#datasets.get(from)?.source === source);
  }

  #isOnlyPath(from: string, to: string): boolean {
    const ends = this.#reach(to, 'to');
    if (ends.has(from)) return false;
    return [...this.#reach(from, 'from')].every((start) => {
      const reached = this.#reach(start, 'to');
      return [...ends].every((end) => !reached.has(end));
    });
  }

  /** Returns a dataset and all that it leads to, or all that lead to it. */
  #reach(start: string, end: 'from' | 'to'): ReadonlySet<string> {
    const reached = new Set([start]);
    const near = end === 'to' ? 'from' : 'to';
    for (const name of reached)
      for (const relationship of this.#relationships) if (relationship[near] === name) reached.add(relationship[end]);
    return reached;
  }

  /** Adds a dataset, or its keys and fields to the dataset of the same table. Returns its name. */
  #place(dataset: OsiDataset, existing: string | undefined): string {
    const before = existing === undefined ? undefined : this.#datasets.get(existing);
    const name = before?.name ?? freeName([dataset.name], (one) => this.#datasets.has(one));
    this.#datasets.set(name, before === undefined ? { ...dataset, name } : combine(before, dataset));
    return name;
  }

  #relate(relationship: OsiRelationship, from: string, to: string): void {
    const placed = { ...relationship, from, to };
    if (this.#relationships.some((each) => isSameJoin(each, placed))) return;
    const name = freeName([`${from}_to_${to}`], (one) => this.#relationships.some((each) => each.name === one));
    this.#relationships.push({ ...placed, name });
  }

  #addMetric(metric: OsiMetric, cube: string, places: ReadonlyMap<string, string>): void {
    const isTaken = (name: string): boolean => this.#metrics.some((each) => each.name === name);
    const name = freeName([metric.name, `${slug(cube)}_${metric.name}`], isTaken);
    const moved = withDatasets(metric, places);
    this.#metrics.push(name === metric.name ? moved : { ...withCube(moved, cube), name });
  }
}

function isSameJoin(left: OsiRelationship, right: OsiRelationship): boolean {
  const join = ({ from, to, from_columns, to_columns }: OsiRelationship): string =>
    JSON.stringify([from, to, from_columns, to_columns]);
  return join(left) === join(right);
}

function keysOf({ primary_key, unique_keys = [] }: OsiDataset): readonly (readonly string[])[] {
  return primary_key === undefined ? unique_keys : [primary_key, ...unique_keys];
}

/** Adds the keys and fields of another dataset of the same table. */
function combine(dataset: OsiDataset, other: OsiDataset): OsiDataset {
  const keys = new Map([...keysOf(dataset), ...keysOf(other)].map((key) => [JSON.stringify(key), key]));
  const [primary, ...unique] = keys.values();
  const fields = [...(dataset.fields ?? [])];
  for (const field of other.fields ?? []) {
    const at = fields.findIndex((each) => isSameExpression(each, field));
    const same = fields[at];
    if (same !== undefined) fields[at] = merged(same, field);
    else {
      const name = freeName([field.name], (one) => fields.some((each) => each.name === one));
      fields.push({ ...field, name });
    }
  }
  return {
    ...dataset,
    ...(primary === undefined ? {} : { primary_key: primary }),
    ...(unique.length === 0 ? {} : { unique_keys: unique }),
    fields,
  };
}

function isSameExpression(left: OsiField, right: OsiField): boolean {
  return JSON.stringify(left.expression) === JSON.stringify(right.expression);
}

/** Returns a field that two models have: personal where one of them marks it, and a date where one of them has dates. */
function merged(field: OsiField, other: OsiField): OsiField {
  if (isMarkedPersonal(field)) return field;
  if (isMarkedPersonal(other)) return { ...other, name: field.name };
  return field.dimension === undefined && other.dimension !== undefined
    ? { ...field, dimension: other.dimension }
    : field;
}

/** Returns a metric over the datasets under their names in the merged model. */
function withDatasets(metric: OsiMetric, places: ReadonlyMap<string, string>): OsiMetric {
  const isMoved = [...places].some(([before, after]) => before !== after);
  if (!isMoved) return metric;
  const [{ expression, dialect } = { expression: '', dialect: 'ANSI_SQL' }] = metric.expression.dialects;
  const text = rewrite(expression, dialect, ({ qualifier, name }) =>
    qualifier === undefined
      ? identifier(name)
      : `${identifier(places.get(qualifier) ?? qualifier)}.${identifier(name)}`,
  );
  return { ...metric, expression: ansi(text) };
}

/** Adds the cube to a metric's caption: a row count for each of several facts. */
function withCube(metric: OsiMetric, cube: string): OsiMetric {
  const data = readExtension(metric);
  const display = readDisplay(metric);
  const caption = `${String(display?.caption ?? metric.name)} (${cube})`;
  const extension = serviceExtension({
    ...(typeof data === 'object' && data !== null ? data : {}),
    display: { ...display, caption },
  });
  const others = (metric.custom_extensions ?? []).filter(({ vendor_name }) => vendor_name !== 'SERVICE');
  return { ...metric, custom_extensions: [...others, ...(extension === undefined ? [] : [extension])] };
}
