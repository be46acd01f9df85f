/** Request -> names found in the model the caller may see. Every mistake of the body is found in one pass. */
import type { BoundLimits } from '../../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../../router/errors.ts';
import type { RequestPath } from '../../../../router/path.ts';
import { short } from '../../../../router/short.ts';
import { match } from '../../../query-surface/index.ts';
import type { Field, Model } from '../../model/model.ts';
import { leavesOf } from '../../model/template.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import type { FieldItem, SemanticQueryRequest, ValueItem } from '../../schemas.ts';
import { problemsOfWays } from '../planner.ts';
import type { ResolvedGroup, ResolvedQuery, ResolvedValue } from '../resolved.ts';
import { keyOf } from './field-key.ts';
import { FilterResolver, refuseManyValues } from './filters.ts';
import { findGrain, timeOf } from './grains.ts';
import { NameFinder } from './names.ts';
import { ProblemList } from './problem-list.ts';
import { SortFinder } from './sorts.ts';

export interface ResolveOptions {
  /** Path of the request in a body that wraps it. */
  readonly root?: string | undefined;
  /** What values the engine takes; without it all of them are let through. */
  readonly holds?: BoundLimits | undefined;
  /** The present, which relative periods count to; needed where the statement is run. */
  readonly now?: number | undefined;
  /** True where metrics were taken out because of their shape: nobody can say then what the fields are of. */
  readonly lacksMetrics?: boolean | undefined;
}

/**
 * Finds the names of a request.
 *
 * @throws ValidationError with every problem found
 */
export function resolve(
  request: SemanticQueryRequest,
  model: Model,
  { root = '', holds, now = 0, lacksMetrics = false }: ResolveOptions = {},
): ResolvedQuery {
  const { rows = [], columns = [], values = [], filters = [], sorts = [], limit } = request;
  const base = root === '' ? [] : [root];
  refuseManyValues(filters, [...base, 'filters']);
  const problems = new ProblemList();
  const time = timeOf(request, model.time, base, problems);
  if (rows.length + columns.length + values.length === 0) {
    const message = 'Name at least one field in rows or columns, or one metric in values.';
    problems.add([...base, 'values'], message, [...model.metrics.keys()]);
  }
  const metricDatasets = values.flatMap((item) => datasetsOf(item, model));
  const names = new NameFinder(model, problems, metricDatasets);
  const groupsOf = (items: readonly FieldItem[], path: RequestPath) =>
    items.flatMap((item, index) => group(item, [...path, index], names, time, problems));
  const foundRows = groupsOf(rows, [...base, 'rows']);
  const foundColumns = groupsOf(columns, [...base, 'columns']);
  const groups = [...foundRows, ...foundColumns];
  refuseTwice(groups, keyOf, (key) => `The field ${key} is there twice.`, problems);
  const foundValues = values.flatMap((item, index) => value(item, [...base, 'values', index], model, names, problems));
  const nameOf = ({ metric }: ResolvedValue) => metric.name;
  refuseTwice(foundValues, nameOf, (name) => `The metric ${name} is there twice.`, problems);
  const conditions = new FilterResolver(names, { time, now, holds }, problems).conditions(filters, [
    ...base,
    'filters',
  ]);
  // Sorts are looked up among what the request shows; when that is wrong already, saying it twice helps nobody.
  const shown = { groups, values: foundValues, isWhole: problems.count === 0 };
  const sortFinder = new SortFinder(names, shown, problems);
  const foundSorts = sorts.flatMap((item, index) => sortFinder.sort(item, [...base, 'sorts', index]));
  const found = { rows: foundRows, columns: foundColumns, values: foundValues, conditions, sorts: foundSorts, limit };
  // What planning would find next is told with it.
  if (problems.count > 0 && (foundValues.length > 0 || (values.length === 0 && !lacksMetrics)))
    problems.append(problemsOfWays(found, model));
  problems.throwAll();
  return found;
}

/**
 * Finds one field by its names, which stand in the members `dataset` and `field`.
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

function group(
  item: FieldItem,
  path: RequestPath,
  names: NameFinder,
  time: TimeSettings,
  problems: ProblemList,
): readonly ResolvedGroup[] {
  const field = names.field(item, path);
  const via = names.via(item.via, field, path);
  const grain = findGrain(item.grain, field, path, time, problems);
  return field === undefined ? [] : [{ path, field, via, grain }];
}

function value(
  item: ValueItem,
  path: RequestPath,
  model: Model,
  names: NameFinder,
  problems: ProblemList,
): readonly ResolvedValue[] {
  const metric = names.named(item.metric, [...model.metrics.values()], [...path, 'metric'], 'metric');
  if (metric === undefined) return [];
  if (item.aggregation === undefined) return [{ path, metric, aggregation: undefined }];
  const wanted = item.aggregation.toUpperCase();
  const aggregation = metric.supportedOverrides.find((name) => name === wanted);
  if (aggregation !== undefined) return [{ path, metric, aggregation }];
  const message =
    metric.supportedOverrides.length === 0
      ? `The aggregation of ${metric.name} cannot be replaced.`
      : `${metric.name} cannot be aggregated by "${short(item.aggregation)}".`;
  problems.add([...path, 'aggregation'], message, metric.supportedOverrides);
  return [];
}

function refuseTwice<Item extends { readonly path: RequestPath }>(
  items: readonly Item[],
  key: (item: Item) => string,
  message: (key: string) => string,
  problems: ProblemList,
): void {
  const seen = new Set<string>();
  for (const item of items) {
    if (seen.has(key(item))) problems.add(item.path, message(key(item)));
    seen.add(key(item));
  }
}

/** Datasets whose rows a metric aggregates. */
function datasetsOf({ metric: name }: ValueItem, model: Model): readonly string[] {
  const found = match(name, [...model.metrics.values()]);
  if (found.kind !== 'one') return [];
  const read = leavesOf(found.item.expression).map(({ dataset }) => dataset);
  return [...new Set(read.length === 0 ? [found.item.countedDataset] : read)];
}
