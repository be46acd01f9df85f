/** What the kinds of a metric make of the rows that its aggregates are of. */
import { describePath } from '../query/paths.ts';
import { ADDS_UP } from './adding-up.ts';
import { convertedAt, onlyOne, refuseScoped, windowedAt } from './bind-windows.ts';
import type { DraftMetric } from './read.ts';
import type { ScopeContext } from './scope-context.ts';
import { ExpressionError } from './sql.ts';
import { type Bound, type BoundAggregate, leavesOf, type Taken } from './template.ts';

/**
 * Returns what becomes of each aggregate of a metric, those of the metrics that it is made of among them.
 *
 * @throws ExpressionError where the data of a kind name what they cannot
 */
export function scopesOf(
  { filter, facts: { kinds } }: DraftMetric,
  context: ScopeContext,
): (call: BoundAggregate) => BoundAggregate {
  const { names } = context;
  const changes: ((call: BoundAggregate) => BoundAggregate)[] = [];
  if (filter !== undefined) {
    const condition = names.condition(filter.template);
    changes.push((call) => filtered(call, condition, context));
  }
  const { semi_additive: semiAdditive } = kinds;
  if (semiAdditive !== undefined) {
    const { by, take, per } = semiAdditive;
    const fields = { by: names.field(by, 'taken by'), per: per.map((each) => names.field(each, 'taken per')) };
    const taken: Taken = Object.freeze({ take, ...fields, name: [by, ...per].join(', ') });
    changes.push((call) => takenAt(call, taken, context));
  }
  const { cumulative, conversion } = kinds;
  if (cumulative !== undefined) {
    const date = cumulative.by === undefined ? undefined : names.moment(cumulative.by, context.datasets);
    changes.push((call) => windowedAt(call, baseOf(call, context), cumulative, date, context));
  }
  if (conversion !== undefined) {
    const base = names.metricNamed(conversion.base);
    changes.push((call) => convertedAt(call, datasetOf(call, context), conversion, base, context));
  }
  return (call) => changes.reduce((changed, change) => change(changed), call);
}

/** Every row of the aggregate must lead to one row of what the filter reads. */
function filtered(call: BoundAggregate, condition: Bound, context: ScopeContext): BoundAggregate {
  const read = datasetsOf(call, context);
  for (const { dataset } of leavesOf(condition)) {
    const base = read.find((each) => isReached(each, read, context)) ?? '';
    if (dataset === base) continue;
    const paths = context.graph.directPaths(base, dataset);
    if (paths.length === 0) {
      const reached = [...context.graph.reachable(base)];
      const legal = reached.length === 0 ? '' : `; it leads to ${reached.join(', ')}`;
      throw new ExpressionError(`is of ${base}, and its filter reads ${dataset}, to which that does not lead${legal}`);
    }
    if (paths.length > 1) {
      const ways = paths.map((path) => describePath(base, path)).join('; ');
      throw new ExpressionError(`is filtered by ${dataset}, to which ${base} leads in more than one way: ${ways}`);
    }
  }
  return { ...call, scope: { ...call.scope, filters: [...(call.scope?.filters ?? []), condition] } };
}

/** Whether a dataset leads to all others, so that its rows are those that are aggregated. */
function isReached(dataset: string, read: readonly string[], { graph }: ScopeContext): boolean {
  const reached = graph.reachable(dataset);
  return read.every((other) => other === dataset || reached.has(other));
}

/** Rows of one date are those of one dataset. */
function takenAt(call: BoundAggregate, taken: Taken, context: ScopeContext): BoundAggregate {
  refuseScoped(call);
  const dates = [taken.by, ...taken.per].flatMap((each) => leavesOf(each)).map(({ dataset }) => dataset);
  const [dataset, other] = new Set([...datasetsOf(call, context), ...dates]);
  if (other !== undefined) throw new ExpressionError(`is of ${dataset}, and what it is taken by is of ${other}`);
  if (taken.take === 'average' && taken.per.length > 0 && !ADDS_UP.has(call.aggregation)) {
    throw new ExpressionError(
      `is averaged per ${taken.name}, and means of ${call.aggregation} are not put together; ${[...ADDS_UP].join(', ')} are`,
    );
  }
  return { ...call, scope: { ...call.scope, taken } };
}

/** The dataset whose rows are aggregated: of those that are read the one that leads to the others. */
function baseOf(call: BoundAggregate, context: ScopeContext): string {
  const read = datasetsOf(call, context);
  return read.find((each) => isReached(each, read, context)) ?? '';
}

/** The one dataset that an aggregate reads. */
function datasetOf(call: BoundAggregate, context: ScopeContext): string {
  return onlyOne(datasetsOf(call, context), 'each of its aggregates');
}

/** Datasets that an aggregate reads. */
function datasetsOf(call: BoundAggregate, { countedDataset }: ScopeContext): readonly string[] {
  const leaves = leavesOf(call.call).map(({ dataset }) => dataset);
  return leaves.length === 0 ? [call.countedDataset ?? countedDataset] : [...new Set(leaves)];
}
