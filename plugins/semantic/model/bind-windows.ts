/** Resolves the names in cumulative metrics and conversions to the scopes of their aggregates. */
import { type GrainOf, isGrainOf } from '../../../router/date-grains.ts';
import type { ConversionFacts, CumulativeFacts } from './metric-kinds.ts';
import type { Metric } from './model.ts';
import { candidates, mainDate } from './moments.ts';
import { ExpressionError } from './parse-sql-expression.ts';
import { periodOrTable, type ScopeContext, scopeDate } from './scope-context.ts';
import {
  aggregatesOf,
  type Bound,
  type BoundAggregate,
  type Conversion,
  type ConversionSide,
  leavesOf,
  mapAggregates,
  type ScopeDate,
  type Window,
  type WindowLength,
} from './template.ts';

/** Returns an aggregate over windows of its rows. */
export function windowedAt(
  call: BoundAggregate,
  base: string,
  { window, to_date: toDate, take }: CumulativeFacts,
  declared: ScopeDate | undefined,
  context: ScopeContext,
): BoundAggregate {
  const { datasets, graph } = context;
  refuseScoped(call);
  const date = declared ?? mainDate(base, datasets);
  if (date === undefined) {
    const legal = candidates(datasets.get(base));
    throw new ExpressionError(`is cumulative, and ${base} has no main date; name one in "by"${legal}`);
  }
  if (date.dataset !== base && !graph.reachable(base).has(date.dataset)) {
    const legal = candidates(datasets.get(base));
    throw new ExpressionError(
      `is of ${base}, from which no relationship leads to the ${date.dataset} of its date${legal}`,
    );
  }
  const scope: Window = Object.freeze({ by: scopeDate(date), length: lengthOf(window, toDate, context), take });
  return { ...call, scope: { ...call.scope, window: scope } };
}

/** Lengths in periods from which a window counts as unlimited: a thousand years. */
const ALL_TIME: Partial<Readonly<Record<GrainOf<'period'>, number>>> = { year: 1_000, quarter: 4_000 };

function lengthOf(
  window: CumulativeFacts['window'],
  toDate: CumulativeFacts['to_date'],
  context: ScopeContext,
): WindowLength {
  if (window !== undefined) {
    const { count } = window;
    const named = periodOrTable(window.grain, 'a window of the grain', context);
    if ('table' in named) return { kind: 'last_of_table', count, table: named.table };
    // An engine's calendar does not reach back further: some engines fail and some return null.
    if (count >= (ALL_TIME[named.period.period] ?? Number.POSITIVE_INFINITY)) return { kind: 'all' };
    // Windows are counted back from the end of each period, so a fiscal month has the length of a calendar month.
    return { kind: 'last', count, grain: named.period.period };
  }
  if (toDate === undefined) return { kind: 'all' };
  const named = periodOrTable(toDate, 'to_date', context);
  return 'table' in named
    ? { kind: 'to_date_of_table', table: named.table }
    : { kind: 'to_date', period: named.period };
}

/** Returns an aggregate over conversions of the events that `base` aggregates. */
export function convertedAt(
  call: BoundAggregate,
  dataset: string,
  { entity, by, window, constant }: ConversionFacts,
  base: Metric,
  { names, datasets }: ScopeContext,
): BoundAggregate {
  refuseScoped(call);
  const baseCalls = aggregatesOf(base.expression);
  for (const each of baseCalls) refuseScoped(each);
  const baseDataset = onlyOne(
    baseCalls.flatMap((each) => {
      const read = leavesOf(each.call).map((leaf) => leaf.dataset);
      return read.length === 0 ? [each.countedDataset ?? base.countedDataset] : read;
    }),
    `the metric ${base.name} of its base events`,
  );
  if (datasets.get(baseDataset)?.rowKey === undefined) {
    throw new ExpressionError(`converts events of ${baseDataset}, which has no primary_key that identifies them`);
  }
  const side = (which: 'base' | 'conversion', of: string, filters: readonly Bound[]): ConversionSide => {
    const date = by === undefined ? mainDate(of, datasets) : names.moment(by[which], datasets);
    if (date === undefined) {
      const legal = candidates(datasets.get(of));
      throw new ExpressionError(`converts events of ${of}, which has no main date; name one in "by"${legal}`);
    }
    const alike = [entity, ...constant].map((each) => names.field(each[which], 'by'));
    const read = [date.dataset, ...alike.flatMap((each) => leavesOf(each)).map((leaf) => leaf.dataset)];
    const other = read.find((name) => name !== of);
    if (other !== undefined) throw new ExpressionError(`is a conversion of ${of}, and what it goes by is of ${other}`);
    return Object.freeze({ dataset: of, by: scopeDate(date), alike, filters });
  };
  const [only, more] = baseCalls;
  const filters = more === undefined ? (only?.scope?.filters ?? []) : [];
  const sides = { base: side('base', baseDataset, filters), conversion: side('conversion', dataset, []) };
  const hasTime = [sides.base, sides.conversion].every(({ by: { type } }) => type !== 'date');
  if (window !== undefined && isGrainOf(window.grain, 'clock') && !hasTime) {
    throw new ExpressionError(`has a window of ${window.grain}s, and its dates have no time of day`);
  }
  const scope: Conversion = Object.freeze({ ...sides, window });
  return { ...call, scope: { ...call.scope, conversion: scope } };
}

/** Returns conversions divided by the metric of their base events. */
export function rateOf(conversions: Bound, { expression, countedDataset }: Metric): Bound {
  const whole = mapAggregates(expression, (call) => ({
    ...call,
    countedDataset: call.countedDataset ?? countedDataset,
  }));
  return [{ kind: 'division', left: conversions, right: whole }];
}

/** Refuses an aggregate of other rows than the rows of its groups in a metric that changes its rows again. */
export function refuseScoped({ scope }: BoundAggregate): void {
  if (scope?.window !== undefined) throw new ExpressionError('is made of a metric that is cumulative itself');
  if (scope?.conversion !== undefined) throw new ExpressionError('is made of a metric of conversions');
  if (scope?.offset !== undefined) throw new ExpressionError('is made of a metric that is offset in time');
  if (scope?.taken !== undefined) throw new ExpressionError('is made of a metric that is taken at a date of its own');
}

export function onlyOne(names: readonly string[], what: string): string {
  const [one, other] = new Set(names);
  if (one !== undefined && other === undefined) return one;
  throw new ExpressionError(`is of several datasets (${[...new Set(names)].join(', ')}), and ${what} must be of one`);
}
