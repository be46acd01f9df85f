/** The rules that find mistakes in a document that loads. Each rule is a function of the draft and its model. */
import { isDeepStrictEqual } from 'node:util';
import type { Metric, Model } from '../model/model.ts';
import type { Problems } from '../model/problems.ts';
import type { Draft, DraftDataset, DraftMetric } from '../model/read-draft.ts';
import { describePath, type Path, RelationshipGraph } from '../model/relationship-graph.ts';
import { aggregatesOf, leavesOf } from '../model/template.ts';
import { unmarkedPersonalData } from './personal-names.ts';

export function lint(draft: Draft, model: Model, problems: Problems): void {
  ambiguousPaths(draft, model, problems);
  unguardedDivisions(draft, problems);
  for (const metric of draft.metrics) {
    const usable = model.metrics.get(metric.name);
    if (usable !== undefined) unclearCount(metric, usable, draft, problems);
  }
  exposedPersonalData(draft, problems);
  unmarkedPersonalData(draft, problems);
}

/**
 * Reports two paths between two datasets that have only their ends in common: every query that needs one of them is
 * refused.
 */
function ambiguousPaths(draft: Draft, model: Model, problems: Problems): void {
  const graph = new RelationshipGraph(model);
  const reportedPairs = new Set<string>();
  for (const from of model.datasets.keys()) {
    for (const to of graph.reachable(from)) {
      const pair = [from, to].sort().join('\n');
      const apart = partingPaths(graph.directPaths(from, to));
      if (apart === undefined || reportedPairs.has(pair)) continue;
      reportedPairs.add(pair);
      const ways = apart.map((path) => describePath(from, path)).join('; ');
      const last = apart[1].at(-1)?.relationship;
      const place = draft.relationships.find(({ name }) => name === last)?.place ?? draft.place;
      problems.warn(
        place,
        `${to} can be reached from ${from} along more than one path: ${ways}. Queries that need one of them are refused; give each role of ${to} a separate dataset, or remove a relationship.`,
      );
    }
  }
}

function partingPaths(paths: readonly Path[]): readonly [Path, Path] | undefined {
  for (const [index, one] of paths.entries()) {
    const between = new Set(one.slice(0, -1).map(({ to }) => to));
    const other = paths.slice(index + 1).find((path) => path.slice(0, -1).every(({ to }) => !between.has(to)));
    if (other !== undefined) return [one, other];
  }
  return undefined;
}

function unguardedDivisions({ datasets, metrics }: Draft, problems: Problems): void {
  for (const { expression, place } of [...datasets.flatMap(({ fields }) => fields), ...metrics]) {
    if (expression?.unguarded !== true) continue;
    problems.warn(
      [...place, 'expression'],
      'divides without NULLIF. Here a zero divisor gives null; other readers of the document may fail. Write a / NULLIF(b, 0).',
    );
  }
}

/** Reports a `COUNT(*)` that counts the fact dataset by default, where several datasets could be the fact. */
function unclearCount(
  draft: DraftMetric,
  metric: Metric,
  { datasets, relationships }: Draft,
  problems: Problems,
): void {
  const rowsOnly = aggregatesOf(draft.expression.template).some(({ call }) => leavesOf(call).length === 0);
  if (!rowsOnly || draft.facts.dataset !== undefined) return;
  const facts = datasets.filter(({ name }) => !relationships.some(({ to }) => to === name));
  if (facts.length === 1) return;
  const names = (facts.length === 0 ? datasets : facts).map(({ name }) => name).join(', ');
  problems.warn(
    [...draft.place, 'expression'],
    `counts rows without naming a dataset; it may be any of ${names}, and ${metric.countedDataset} is taken. Say {"dataset": "${metric.countedDataset}"} in its SERVICE extension, or count a column.`,
  );
}

/**
 * Reports personal data that a document shows although it is marked elsewhere: by `"pii": false`, or in another dataset of
 * the same table.
 */
function exposedPersonalData({ datasets, metrics }: Draft, problems: Problems): void {
  const marked = datasets.flatMap((dataset) =>
    dataset.fields
      .filter(({ facts }) => facts.pii === true)
      .flatMap(({ name, expression }) =>
        leavesOf(expression?.template ?? []).map((leaf) => ({ dataset, field: name, column: leaf.name.toLowerCase() })),
      ),
  );
  const sameRows = (one: DraftDataset, other: DraftDataset) => isDeepStrictEqual(one.source, other.source);
  for (const dataset of datasets) {
    for (const { expression, facts, place } of dataset.fields) {
      if (facts.pii === true) continue;
      const columns = leavesOf(expression?.template ?? []).map(({ name }) => name.toLowerCase());
      const source = marked.find((one) => columns.includes(one.column) && sameRows(one.dataset, dataset));
      if (source === undefined) continue;
      const personalField = `${source.dataset.name}.${source.field}`;
      if (facts.pii === false) {
        problems.warn(place, `says "pii": false but is computed from ${personalField}, which is personal data.`);
      } else if (source.dataset !== dataset) {
        problems.warn(
          place,
          `shows a column that ${personalField} marks as personal data, in another dataset of the same table.`,
        );
      }
    }
  }
  for (const { expression, facts, place } of metrics) {
    if (facts.pii !== false) continue;
    const source = marked.find(({ dataset, field, column }) =>
      leavesOf(expression.template).some(({ qualifier, name }) => {
        const read = name.toLowerCase();
        return (qualifier === undefined || qualifier === dataset.name) && (read === column || name === field);
      }),
    );
    if (source === undefined) continue;
    const personalField = `${source.dataset.name}.${source.field}`;
    problems.warn(place, `says "pii": false but is computed from ${personalField}, which is personal data.`);
  }
}
