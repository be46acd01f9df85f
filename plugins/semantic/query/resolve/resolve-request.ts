/** Resolves a request: finds its names in the model that the caller may see. One pass finds all mistakes of the body. */
import type { BoundLimits } from '../../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../../router/errors.ts';
import type { RequestPath } from '../../../../router/path.ts';
import { match, ProblemList, refuseDuplicates } from '../../../query-surface/index.ts';
import { groupOf, isMetricFilter } from '../../filter-schemas.ts';
import type { Field, Model } from '../../model/model.ts';
import { RelationshipGraph } from '../../model/relationship-graph.ts';
import { aggregatesOf, leavesOf } from '../../model/template.ts';
import type { FieldItem, FilterNode, SemanticQueryRequest, ValueItem } from '../../schemas.ts';
import { lowestOf } from '../joins/join-tree.ts';
import { fieldKey } from '../nodes/field-key.ts';
import type { ResolvedQuery, ResolvedValue } from '../nodes/resolved-query.ts';
import { findPlace, NameFinder } from './fields.ts';
import { fillOf, refuseFillOfFew } from './fill.ts';
import { FilterResolver, refuseManyValues, testGroups } from './filters.ts';
import { timeOf } from './grains.ts';
import { MetricFinder } from './metrics.ts';
import { SortFinder } from './sorts.ts';

export interface ResolveOptions {
  /** The engine's limits on values; without them all values pass. */
  readonly holds?: BoundLimits | undefined;
  /** The present, which relative periods count to; needed where the statement is run. */
  readonly now?: number | undefined;
  /** True where metrics were removed because of their shape: then the datasets of the fields are unknown. */
  readonly lacksMetrics?: boolean | undefined;
}

/** The resolved parts of a request, and its problems. */
export interface Resolution {
  /** All that was found; the whole request where there are no problems. */
  readonly query: ResolvedQuery;
  readonly problems: ProblemList;
  /** True where enough was found to check that relationships lead to the fields. */
  readonly isJoinable: boolean;
}

/**
 * Finds the names of a request.
 *
 * @throws ValidationError where the request has more values or filters than a statement takes
 */
export function resolve(
  request: SemanticQueryRequest,
  model: Model,
  { holds, now = 0, lacksMetrics = false }: ResolveOptions = {},
): Resolution {
  const { rows = [], columns = [], values = [], filters = [], sorts = [], limit } = request;
  refuseManyValues(filters, ['filters']);
  const problems = new ProblemList();
  const time = timeOf(request, model.time, problems);
  if (rows.length + columns.length + values.length === 0) {
    const message = 'Name at least one field in rows or columns, or one metric in values.';
    problems.add(['values'], message, [...model.metrics.keys()]);
  }
  const metricDatasets = values.flatMap((item) => datasetsOf(item, model));
  const names = new NameFinder(model, problems, metricDatasets, factsOf(request, model));
  const metrics = new MetricFinder(model, names, problems);
  const groupsOf = (items: readonly FieldItem[], path: RequestPath) =>
    items.flatMap((item, index) => findPlace(item, [...path, index], names, time, problems));
  const foundRows = groupsOf(rows, ['rows']);
  const foundColumns = groupsOf(columns, ['columns']);
  const groups = [...foundRows, ...foundColumns];
  refuseDuplicates(groups, fieldKey, (key) => `The field ${key} is there twice.`, problems);
  const foundValues = values.flatMap((item, index) => metrics.value(item, ['values', index]));
  const metricName = ({ metric }: ResolvedValue) => metric.name;
  refuseDuplicates(foundValues, metricName, (name) => `The metric ${name} is there twice.`, problems);
  const filterResolver = new FilterResolver(names, metrics, { time, now, holds }, problems);
  const { conditions, having } = filterResolver.filters(filters, ['filters'], foundValues);
  // Sorts are looked up among the parts that the request shows; if these are already wrong, a second error helps nobody.
  const shown = { groups, values: foundValues, isWhole: problems.count === 0 };
  const sortFinder = new SortFinder(names, shown, problems);
  const foundSorts = sorts.flatMap((item, index) => sortFinder.sort(item, ['sorts', index]));
  const query = {
    rows: foundRows,
    columns: foundColumns,
    values: foundValues,
    conditions,
    having,
    fill: fillOf(rows, foundRows, foundColumns, ['rows'], problems),
    sorts: foundSorts,
    time,
    limit,
  };
  refuseFillOfFew(query, problems);
  const isOfFields = values.length === 0 && !lacksMetrics && !testGroups(filters);
  return { query, problems, isJoinable: foundValues.length > 0 || isOfFields };
}

/**
 * Finds one field by its names in the members `dataset` and `field`.
 *
 * @throws ValidationError where there is none
 */
export function resolveField(item: FieldItem, model: Model): Field {
  const problems = new ProblemList();
  const field = new NameFinder(model, problems).field(item, []);
  problems.throwAll();
  if (field === undefined) throw new InternalError('a field was neither found nor refused');
  return field;
}

/** Lists the datasets that the metrics of a request and its filters aggregate. */
function factsOf({ values = [], filters = [] }: SemanticQueryRequest, model: Model): readonly string[] {
  const graph = new RelationshipGraph(model);
  const names = [...values.map(({ metric }) => metric), ...metricsOfFilters(filters)];
  const bases = names.flatMap((name) => {
    const metricMatch = match(name, [...model.metrics.values()]);
    if (metricMatch.kind !== 'one') return [];
    return aggregatesOf(metricMatch.item.expression).flatMap((call) => {
      const read = [...new Set(leavesOf(call.call).map(({ dataset }) => dataset))];
      const base = read.length === 0 ? (call.countedDataset ?? metricMatch.item.countedDataset) : lowestOf(read, graph);
      return base === undefined ? [] : [base];
    });
  });
  return [...new Set(bases)];
}

function metricsOfFilters(filters: readonly FilterNode[]): readonly string[] {
  return filters.flatMap((node) => {
    const group = groupOf(node);
    if (group !== undefined) return metricsOfFilters(group.of);
    return isMetricFilter(node) ? [node.metric] : [];
  });
}

/** Lists the datasets that a metric reads. */
function datasetsOf({ metric: name }: ValueItem, model: Model): readonly string[] {
  const metricMatch = match(name, [...model.metrics.values()]);
  if (metricMatch.kind !== 'one') return [];
  const read = aggregatesOf(metricMatch.item.expression).flatMap((call) => {
    const datasets = leavesOf(call.call).map(({ dataset }) => dataset);
    return datasets.length === 0 ? [call.countedDataset ?? metricMatch.item.countedDataset] : datasets;
  });
  return [...new Set(read)];
}
