/** Finds the dataset with the rows of a request without metrics. */
import { InternalError, ValidationError } from '../../../../router/errors.ts';
import type { Model } from '../../model/model.ts';
import type { RelationshipGraph } from '../../model/relationship-graph.ts';
import { type JoinPath, viasOf } from '../joins/join-paths.ts';
import { lowestOf } from '../joins/join-tree.ts';
import { placesOf } from '../nodes/conditions.ts';
import type { ResolvedPlace, ResolvedQuery } from '../nodes/resolved-query.ts';

export interface GroupsRequest {
  readonly query: ResolvedQuery;
  readonly model: Model;
  readonly graph: RelationshipGraph;
  /** Datasets that the metrics of a row detail aggregate; empty without a detail. */
  readonly about: ReadonlySet<string>;
  /** Lists the datasets that a place may name, for rows of `bases`. */
  readonly datasetsAt: (place: ResolvedPlace, bases: readonly string[]) => readonly string[];
}

/**
 * Finds the dataset with the rows of a request without metrics: the nearest that reaches every group along its `via`.
 *
 * @throws ValidationError where there is none, or more than one
 */
export function rootOfGroups(request: GroupsRequest): string {
  const { query, model, graph, about, datasetsAt } = request;
  const groups = [...query.rows, ...query.columns];
  const datasetGroups = groups.filter(({ calendar }) => calendar === undefined);
  const needed = [...new Set(datasetGroups.map(({ field }) => field.dataset))];
  const goesAlong = (root: string) =>
    datasetGroups.every(({ field, via }) => {
      const paths = graph.paths(root, field.dataset);
      return via.length === 0
        ? paths.length > 0
        : paths.some((path) => via.every((name) => path.some(({ relationship }) => relationship === name)));
    });
  const lowest = lowestOf(needed, graph);
  const dated = [...groups, ...placesOf(query.conditions)].find(({ calendar }) => calendar !== undefined);
  if (dated !== undefined) return rootWithMainDate(request, dated, lowest, goesAlong);
  if (lowest !== undefined && goesAlong(lowest)) return lowest;
  const all = [...model.datasets.keys()].filter(goesAlong);
  const nearest = all.filter((root) => !all.some((other) => graph.reachable(root).has(other)));
  const roots = nearest.length > 0 ? nearest : graph.commonDatasets(needed);
  const [one, ...others] = roots;
  if (one !== undefined && others.length === 0) return one;
  const [meant, ...more] = roots.filter((dataset) => about.has(dataset));
  if (meant !== undefined && more.length === 0) return meant;
  const place = groups.find(({ field }) => field.dataset !== needed[0]) ?? groups[0];
  if (place === undefined) throw new InternalError('a query without metrics has no group');
  if (one === undefined) {
    const [first = ''] = needed;
    const message = `No relationship brings ${needed.join(' and ')} together.`;
    throw ValidationError.at([...place.path, 'dataset'], message, datasetsAt(place, [first]));
  }
  const joinPaths = roots.flatMap((turn) =>
    graph.paths(turn, place.field.dataset).map((path): JoinPath => ({ turn, back: [], path })),
  );
  const message = `${needed.join(' and ')} meet in more than one dataset: ${roots.join(', ')}. Add a metric of one of them to say which is meant, or name a relationship in "via".`;
  throw ValidationError.at([...place.path, 'via'], message, viasOf(joinPaths));
}

/**
 * Finds the dataset of groups without metrics that include the calendar's date: the one dataset with a main date that
 * reaches all other fields.
 */
function rootWithMainDate(
  { model, about }: GroupsRequest,
  { path, calendar }: ResolvedPlace,
  lowest: string | undefined,
  goesAlong: (root: string) => boolean,
): string {
  const dated = [...(calendar?.mainDates.keys() ?? [])];
  const leading = dated.filter(goesAlong);
  const candidates = about.size === 0 ? leading : leading.filter((dataset) => about.has(dataset));
  const [one, ...others] = candidates;
  if (one !== undefined && others.length === 0) return one;
  const meant = [lowest, ...(about.size === 0 ? [model.factDataset] : [])];
  const chosen = meant.find((dataset) => dataset !== undefined && candidates.includes(dataset));
  if (chosen !== undefined) return chosen;
  throw ValidationError.at(
    [...path, 'dataset'],
    one === undefined
      ? 'No dataset with a main date leads to the other fields. Name a date of one of them.'
      : `The date may be the main date of ${candidates.join(' or ')}. Add a metric of one of them, or name its date.`,
    one === undefined ? dated : candidates,
  );
}
