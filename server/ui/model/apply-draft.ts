/** Shows a model as its draft leaves it. The server applies the same edits to the document when it proposes or saves them. */
import type { Edit, EditValue, PropertyName, Target } from './draft.ts';
import { renamedFormula } from './formula-names.ts';
import type { DatasetElement, MetricElement, ModelDocument, RelationshipElement } from './model-document.ts';

export function applyDraft(document: ModelDocument, edits: readonly Edit[]): ModelDocument {
  return edits.reduce(applied, document);
}

function applied(document: ModelDocument, edit: Edit): ModelDocument {
  switch (edit.op) {
    case 'set':
      return changed(document, edit.on, (element) => withProperty(element, edit.property, edit.value));
    case 'rename':
      return renamed(document, edit.on, edit.name);
    case 'remove':
      return changed(document, edit.on, () => undefined);
    case 'add-metric':
      return {
        ...document,
        metrics: [
          ...document.metrics,
          { ...NEW_METRIC, name: edit.name, expression: edit.expression, label: edit.label },
        ],
      };
    case 'add-relationship': {
      const { op: _, ...relationship } = edit;
      return { ...document, relationships: [...document.relationships, { ...relationship, label: undefined }] };
    }
  }
}

const NEW_METRIC = {
  description: undefined,
  synonyms: [],
  instructions: undefined,
  format: undefined,
  unit: undefined,
  hidden: false,
  allow: undefined,
  deny: [],
  filter: undefined,
  isServed: true,
} as const;

/** The values of properties that are not set. */
const UNSET: Partial<Record<PropertyName, EditValue>> = {
  synonyms: [],
  deny: [],
  hidden: false,
  personal: false,
  rowPredicates: {},
};

function withProperty<Element extends object>(element: Element, property: PropertyName, value: EditValue): Element {
  return { ...element, [property]: value ?? UNSET[property] };
}

type Change = <Element extends object>(element: Element) => Element | undefined;

function changed(document: ModelDocument, { kind, dataset, name }: Target, change: Change): ModelDocument {
  switch (kind) {
    case 'model':
      return change(document) ?? document;
    case 'dataset':
      return { ...document, datasets: each(document.datasets, name, change) };
    case 'field':
      return {
        ...document,
        datasets: each(document.datasets, dataset, (owner) => withFields(owner, name, change)),
      };
    case 'metric':
      return { ...document, metrics: each(document.metrics, name, change) };
    case 'relationship':
      return { ...document, relationships: each(document.relationships, name, change) };
  }
}

function withFields<Owner extends object>(owner: Owner, name: string | undefined, change: Change): Owner {
  return 'fields' in owner && Array.isArray(owner.fields)
    ? { ...owner, fields: each(owner.fields, name, change) }
    : owner;
}

function each<Element extends { readonly name: string }>(
  elements: readonly Element[],
  name: string | undefined,
  change: Change,
): readonly Element[] {
  return elements.flatMap((element) => {
    if (element.name !== name) return [element];
    const next = change(element);
    return next === undefined ? [] : [next];
  });
}

function renamed(document: ModelDocument, on: Target, name: string): ModelDocument {
  const { kind, dataset, name: from = '' } = on;
  const there = changed(document, on, (element) => ({ ...element, name }));
  const old = kind === 'field' ? `${dataset}.${from}` : kind === 'dataset' ? `${from}.` : from;
  const next = kind === 'field' ? `${dataset}.${name}` : kind === 'dataset' ? `${name}.` : name;
  if (kind === 'relationship' || kind === 'model') return there;
  const formula = <Element extends MetricElement>(metric: Element): Element => ({
    ...metric,
    expression: renamedFormula(metric.expression, old, next),
    filter: metric.filter === undefined ? undefined : renamedFormula(metric.filter, old, next),
  });
  return {
    ...there,
    metrics: there.metrics.map(formula),
    relationships:
      kind === 'dataset'
        ? there.relationships.map((relationship) => renamedEnds(relationship, from, name))
        : there.relationships,
  };
}

function renamedEnds(relationship: RelationshipElement, from: string, to: string): RelationshipElement {
  const end = (name: string) => (name === from ? to : name);
  return { ...relationship, from: end(relationship.from), to: end(relationship.to) };
}

/** Finds a dataset of a model. */
export function datasetOf({ datasets }: ModelDocument, name: string): DatasetElement | undefined {
  return datasets.find((dataset) => dataset.name === name);
}
