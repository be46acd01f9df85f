/** Makes a model without a warehouse: every physical column that the document names is assumed to exist. */

import { match } from '../../query-surface/index.ts';
import { bindDataset, bindModel } from '../model/bind.ts';
import type { BoundField, TypedColumn } from '../model/bound-dataset.ts';
import type { Model } from '../model/model.ts';
import type { Problems } from '../model/problems.ts';
import type { Draft, DraftDataset, DraftMetric } from '../model/read-draft.ts';
import { leavesOf } from '../model/template.ts';

/**
 * Binds a draft to the columns that it names.
 *
 * @param problems collects the mistakes that need no warehouse to be found
 */
export function assumeModel(draft: Draft, problems: Problems): Promise<Model> {
  const bound = draft.datasets.map((dataset) => {
    const columns = [...new Set(columnsOf(dataset, draft))];
    return bindDataset(
      dataset,
      columns.map((name): TypedColumn => ({ name, ...UNKNOWN })),
      problems,
    );
  });
  const computed = bound.flatMap(({ fields }) => [...fields.values()].filter(({ type }) => type === undefined));
  const types = new Map(computed.map((field): [BoundField, typeof UNKNOWN] => [field, UNKNOWN]));
  return bindModel(draft, bound, types, problems);
}

const UNKNOWN = { type: 'other', nativeType: '' } as const;

/** Lists the columns of `dataset` that expressions, keys, relationships and metrics name. */
function columnsOf(dataset: DraftDataset, draft: Draft): readonly string[] {
  const columnNames = [
    ...dataset.fields.flatMap(({ expression }) => leavesOf(expression?.template ?? [])),
    ...dataset.rowPredicates.flatMap(([, condition]) => leavesOf(condition.template)),
  ].map(({ name }) => name);
  const fields = new Set(dataset.fields.map(({ name }) => name));
  const keys = [
    ...dataset.primaryKey,
    ...dataset.uniqueKeys.flat(),
    ...draft.relationships.flatMap(({ from, to, from_columns, to_columns }) => [
      ...(from === dataset.name ? from_columns : []),
      ...(to === dataset.name ? to_columns : []),
    ]),
  ];
  const fromMetrics = draft.metrics.flatMap((metric) => namesOfMetric(metric, dataset, draft));
  const further = [...keys, ...fromMetrics].filter((name) => !fields.has(name));
  // Engines fold letter case, so the first of several such names is used for all of them.
  const byFold = new Map([...columnNames, ...further].toReversed().map((name) => [name.toLowerCase(), name]));
  return [...byFold.values()].toReversed();
}

/** Lists the names that a metric reads from `dataset`: qualified names, and bare names that can mean no other dataset. */
function namesOfMetric(metric: DraftMetric, dataset: DraftDataset, draft: Draft): readonly string[] {
  const leaves = [...leavesOf(metric.expression.template), ...namedByKinds(metric.facts.kinds)];
  const named = new Set(leaves.flatMap(({ qualifier }) => qualifier ?? []));
  const [only] = named;
  const home =
    metric.facts.dataset ??
    (named.size === 1 ? only : draft.datasets.length === 1 ? draft.datasets[0]?.name : undefined);
  return leaves.flatMap(({ qualifier, name }) => {
    if (qualifier !== undefined) {
      const datasetMatch = match(qualifier, draft.datasets);
      return datasetMatch.kind === 'one' && datasetMatch.item === dataset ? [name] : [];
    }
    return home === dataset.name && !isKnown(name, draft) ? [name] : [];
  });
}

/** Lists the names that the data of kinds may contain: every text of the form `dataset.field`. */
function namedByKinds(data: unknown): readonly { readonly qualifier: string; readonly name: string }[] {
  if (typeof data === 'object' && data !== null) return Object.values(data).flatMap(namedByKinds);
  const dot = typeof data === 'string' ? data.indexOf('.') : -1;
  return typeof data === 'string' && dot > 0 ? [{ qualifier: data.slice(0, dot), name: data.slice(dot + 1) }] : [];
}

/** Returns whether some dataset has `name` as a field or reads it in a field, so that a bare name means that dataset. */
function isKnown(name: string, draft: Draft): boolean {
  return draft.datasets.some(({ fields }) =>
    fields.some(
      (field) => field.name === name || leavesOf(field.expression?.template ?? []).some((leaf) => leaf.name === name),
    ),
  );
}
