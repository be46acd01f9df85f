/** Determines the effect of a metric's kinds on the rows that it aggregates. */
import type { Period } from '../../../router/calendar.ts';
import { AGGREGATION_NAMES, AGGREGATIONS } from './aggregations.ts';
import { convertedAt, onlyOne, refuseScoped, windowedAt } from './bind-windows.ts';
import type { NamedPeriod } from './fiscal-year.ts';
import type { OffsetFacts } from './metric-kinds.ts';
import type { FieldName } from './model.ts';
import { mainDate, mayBeMoment } from './moments.ts';
import { ExpressionError } from './parse-sql-expression.ts';
import type { DraftMetric } from './read-draft.ts';
import { describePath } from './relationship-graph.ts';
import { periodOrTable, type ScopeContext } from './scope-context.ts';
import {
  type Bound,
  type BoundAggregate,
  type DayShift,
  leavesOf,
  type Offset,
  type TableDays,
  type TableShift,
  type Taken,
} from './template.ts';

type Change = (call: BoundAggregate) => BoundAggregate;

/** The changes to each aggregate of a metric, including the aggregates of the metrics that it uses. */
export interface Scopes {
  readonly changeOfEach: Change;
  /** The change to all aggregates of the metric together, including the divisor of a rate. */
  readonly whole: Change;
}

/**
 * Returns the effect of a metric's kinds on its aggregates.
 *
 * @throws ExpressionError where the data of a kind name something that does not fit
 */
export function scopesOf({ filter, facts: { kinds } }: DraftMetric, context: ScopeContext): Scopes {
  const { names } = context;
  const changes: Change[] = [];
  if (filter !== undefined) {
    const condition = names.condition(filter.template);
    changes.push((call) => filtered(call, condition, context));
  }
  const { semi_additive: semiAdditive, offset, cumulative, conversion } = kinds;
  if (semiAdditive !== undefined) {
    const { by, take, per } = semiAdditive;
    const fields = { by: names.field(by, 'taken by'), per: per.map((each) => names.field(each, 'taken per')) };
    const taken: Taken = Object.freeze({ take, ...fields, name: [by, ...per].join(', ') });
    changes.push((call) => takenAt(call, taken, context));
  }
  if (cumulative !== undefined) {
    const date = cumulative.by === undefined ? undefined : names.moment(cumulative.by, context.datasets);
    changes.push((call) => windowedAt(call, baseOf(call, context), cumulative, date, context));
  }
  if (conversion !== undefined) {
    const base = names.metricNamed(conversion.base);
    changes.push((call) => convertedAt(call, datasetOf(call, context), conversion, base, context));
  }
  const changeOfEach: Change = (call) => changes.reduce((changed, change) => change(changed), call);
  if (offset === undefined) return { changeOfEach, whole: (call) => call };
  const declared = offset.by === undefined ? undefined : dateOf(offset.by, context);
  return { changeOfEach, whole: (call) => offsetBy(call, offset, declared, context) };
}

function filtered(call: BoundAggregate, condition: Bound, context: ScopeContext): BoundAggregate {
  refuseUnreached(
    datasetsOf(call, context),
    leavesOf(condition).map(({ dataset }) => dataset),
    'filter',
    context,
  );
  return { ...call, scope: { ...call.scope, filters: [...(call.scope?.filters ?? []), condition] } };
}

/** Returns a date or a timestamp that an offset names. */
function dateOf(name: string, { names, datasets }: ScopeContext): FieldName {
  names.field(name, 'offset by');
  const lastRead = names.fieldsRead.at(-1);
  const field = lastRead === undefined ? undefined : datasets.get(lastRead.dataset)?.fields.get(lastRead.field);
  if (field !== undefined && name.endsWith(`.${field.name}`) && mayBeMoment(field))
    return { dataset: field.dataset, field: field.name };
  const dates = [...(datasets.get(name.slice(0, name.indexOf('.')))?.fields.values() ?? [])].filter(mayBeMoment);
  const legal = dates.length === 0 ? '' : ` (there is ${dates.map((one) => `${one.dataset}.${one.name}`).join(', ')})`;
  throw new ExpressionError(`is offset by ${name}, which is not a date field${legal}`);
}

function offsetBy(
  call: BoundAggregate,
  { count = 1, grain = 'day', to }: OffsetFacts,
  declared: FieldName | undefined,
  context: ScopeContext,
): BoundAggregate {
  const { names, datasets } = context;
  const { window, conversion } = call.scope ?? {};
  const read = conversion === undefined ? datasetsOf(call, context) : [conversion.base.dataset];
  const base = read.find((each) => isReached(each, read, context)) ?? '';
  const main = declared === undefined ? (window?.by ?? mainDate(base, datasets) ?? conversion?.base.by) : undefined;
  const by = declared ?? (main === undefined ? undefined : { dataset: main.dataset, field: main.name });
  if (by === undefined) throw new ExpressionError(`is offset, and ${base} has no main date; name one in "by"`);
  if (window !== undefined && (by.dataset !== window.by.dataset || by.field !== window.by.name)) {
    throw new ExpressionError(
      `is offset by ${by.dataset}.${by.field}, and made of a metric that is cumulative by ${window.by.dataset}.${window.by.name}; both go by one date`,
    );
  }
  if (datasets.get(by.dataset)?.fields.has(by.field) === true) names.fieldsRead.push(by);
  refuseUnreached(read, [by.dataset], 'offset', context);
  const innerOffset = call.scope?.offset;
  const outerOffset: Offset =
    to === undefined ? { by, shift: shiftBy(grain, count, context) } : { by, to: periodTo(to, context) };
  return {
    ...call,
    scope: { ...call.scope, offset: innerOffset === undefined ? outerOffset : together(innerOffset, outerOffset) },
  };
}

function shiftBy(grain: string, count: number, context: ScopeContext): DayShift | TableShift {
  const named = periodOrTable(grain, 'an offset of the grain', context);
  if ('table' in named) return Object.freeze({ unit: 'period', count, table: named.table });
  return shiftOf(named.period.period, count);
}

function periodTo(to: string, context: ScopeContext): NamedPeriod | TableDays {
  const named = periodOrTable(to, 'an offset to', context);
  return 'table' in named ? named.table : named.period;
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

function shiftOf(grain: Period, count: number): DayShift {
  if (grain === 'day' || grain === 'week') return { unit: 'day', count: grain === 'day' ? count : count * 7 };
  return { unit: 'month', count: MONTHS[grain] * count };
}

/** Adds an offset to the offset of a metric. Both must count months, days, or periods of one table. */
function together(inner: Offset, outer: Offset): Offset {
  const isOne = inner.by.dataset === outer.by.dataset && inner.by.field === outer.by.field;
  if (isOne && inner.to === undefined && outer.to === undefined && shiftUnit(inner.shift) === shiftUnit(outer.shift)) {
    return { by: inner.by, shift: { ...inner.shift, count: inner.shift.count + outer.shift.count } };
  }
  throw new ExpressionError(
    'is made of a metric that is offset otherwise; offsets by months add up, those by days, and those by periods of one table',
  );
}

/** Returns the unit that a step counts. Steps of the same unit add up. */
function shiftUnit(shift: DayShift | TableShift): string {
  return shift.unit === 'period' ? `period ${shift.table.name}` : shift.unit;
}

/** Refuses an aggregate whose rows do not each lead to one row of the datasets that a kind reads. */
function refuseUnreached(read: readonly string[], reads: readonly string[], what: string, context: ScopeContext): void {
  for (const dataset of reads) {
    const base = read.find((each) => isReached(each, read, context)) ?? '';
    if (dataset === base) continue;
    const paths = context.graph.directPaths(base, dataset);
    if (paths.length === 0) {
      const reached = [...context.graph.reachable(base)];
      const legal = reached.length === 0 ? '' : `; it reaches ${reached.join(', ')}`;
      throw new ExpressionError(`is of ${base}, and its ${what} reads ${dataset}, which it does not reach${legal}`);
    }
    if (paths.length > 1) {
      const ways = paths.map((path) => describePath(base, path)).join('; ');
      throw new ExpressionError(
        `is of ${base}, and its ${what} reads ${dataset}, which it reaches along more than one path: ${ways}`,
      );
    }
  }
}

/** Returns whether a dataset reaches all others, so that its rows are aggregated. */
function isReached(dataset: string, read: readonly string[], { graph }: ScopeContext): boolean {
  const reached = graph.reachable(dataset);
  return read.every((other) => other === dataset || reached.has(other));
}

/** Restricts an aggregate to the rows of one date. The aggregate and the date must read one dataset. */
function takenAt(call: BoundAggregate, taken: Taken, context: ScopeContext): BoundAggregate {
  refuseScoped(call);
  const dates = [taken.by, ...taken.per].flatMap((each) => leavesOf(each)).map(({ dataset }) => dataset);
  const [dataset, other] = new Set([...datasetsOf(call, context), ...dates]);
  if (other !== undefined) throw new ExpressionError(`is of ${dataset}, and what it is taken by is of ${other}`);
  if (taken.take === 'average' && taken.per.length > 0 && AGGREGATIONS[call.aggregation].wholeOfParts === null) {
    const legal = AGGREGATION_NAMES.filter((name) => AGGREGATIONS[name].wholeOfParts !== null);
    throw new ExpressionError(
      `is averaged per ${taken.name}, and means of ${call.aggregation} are not put together; ${legal.join(', ')} are`,
    );
  }
  return { ...call, scope: { ...call.scope, taken } };
}

/** Returns the dataset with the aggregated rows, which reaches all others that the aggregate reads. */
function baseOf(call: BoundAggregate, context: ScopeContext): string {
  const read = datasetsOf(call, context);
  return read.find((each) => isReached(each, read, context)) ?? '';
}

/** Returns the one dataset that an aggregate reads. */
function datasetOf(call: BoundAggregate, context: ScopeContext): string {
  return onlyOne(datasetsOf(call, context), 'each of its aggregates');
}

/** Lists the datasets that an aggregate reads. */
function datasetsOf(call: BoundAggregate, { countedDataset }: ScopeContext): readonly string[] {
  const leaves = leavesOf(call.call).map(({ dataset }) => dataset);
  return leaves.length === 0 ? [call.countedDataset ?? countedDataset] : [...new Set(leaves)];
}
