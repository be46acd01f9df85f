/** Describes the roll-up that could answer a subquery, by the names of its fields and metrics. It has no value of a request. */
import type { DateGrain } from '../../../../router/date-grains.ts';
import { InternalError } from '../../../../router/errors.ts';
import type { Field, Model } from '../../model/model.ts';
import { ROLLUP_GRAINS, type RollupGrain } from '../../model/rollups.ts';
import { fiscalYearOf, type ResolvedGrain, tableOf, zoneOf } from '../nodes/grain.ts';
import { GRAINS_OF } from '../nodes/grains-of-periods.ts';
import type { AggregateRef, FactSubquery, Node, PlacedCondition } from '../nodes/plan.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import { isLayered } from '../nodes/subquery-kinds.ts';
import { callKey, isOfDays, isOfMoment, isRestricted, pathOf } from './rolled-up.ts';

export interface DemandedField {
  /** `dataset.field` */
  readonly field: string;
  /** The longest period from which all that is asked of a date follows. */
  readonly grain?: RollupGrain | undefined;
  /** The relationships on the path to it. */
  readonly via: readonly string[];
}

/** A roll-up that would answer: one row for each combination of the fields, with the metrics. */
export interface RollupDemand {
  readonly dataset: string;
  readonly fields: readonly DemandedField[];
  readonly metrics: readonly string[];
}

/** Grains of roll-ups, from the longest. */
const FROM_LONGEST: readonly RollupGrain[] = ROLLUP_GRAINS.toReversed();

/** Returns the longest grain of a roll-up from which some grains follow; `undefined` where none does. */
function commonGrain(wanted: readonly DateGrain[]): RollupGrain | undefined {
  return FROM_LONGEST.find((grain) => wanted.every((one) => GRAINS_OF[grain].has(one)));
}

/**
 * Returns what a roll-up would need to answer a subquery; `undefined` where no roll-up can.
 *
 * @param model the model as the caller sees it
 * @param nameOf returns the metric that is one aggregate
 */
export function demandOf(
  subquery: FactSubquery,
  model: Model,
  nameOf: (key: string) => string | undefined,
): RollupDemand | undefined {
  const { base, tree, scope, distinct, groups, groupNodes, where, aggregates, spread } = subquery;
  if (isLayered(subquery) || distinct !== undefined || scope.taken !== undefined || spread !== undefined)
    return undefined;
  if (tree.bridge.length > 0 || aggregates.length === 0 || isRestricted(tree, model)) return undefined;
  const metrics = aggregates.map((one) => metricOf(one, nameOf));
  const fieldAt = (place: FieldInRole, node: Node | undefined, isMoment: boolean): DemandedField | undefined => {
    const via = node === undefined ? undefined : pathOf(node, tree);
    return via === undefined ? undefined : demandedField(place, via, isMoment, model);
  };
  const fields = [
    ...groups.map((group, index) => fieldAt(group, groupNodes[index], false)),
    ...where.flatMap((one) => fieldsOf(one, fieldAt)),
  ];
  if (metrics.includes(undefined) || fields.includes(undefined)) return undefined;
  return {
    dataset: base,
    fields: merged(fields.filter((one) => one !== undefined)),
    metrics: [...new Set(metrics.filter((one) => one !== undefined))].toSorted(),
  };
}

/** Returns the names of the metrics that are one aggregate, by what they compute. */
export function metricsByCall({ metrics }: Model): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, expression } of metrics.values()) {
    const [call, more] = expression;
    if (more !== undefined || typeof call !== 'object' || call.kind !== 'aggregate') continue;
    const { filters: _, ...others } = call.scope ?? {};
    if (Object.values(others).every((one) => one === undefined) && !names.has(callKey(call)))
      names.set(callKey(call), name);
  }
  return names;
}

function metricOf(
  { call, aggregation }: AggregateRef,
  nameOf: (key: string) => string | undefined,
): string | undefined {
  const isOther = aggregation !== undefined && call.argument !== undefined && aggregation !== call.aggregation;
  return isOther ? undefined : nameOf(callKey(call));
}

function fieldsOf(
  condition: PlacedCondition,
  fieldAt: (place: FieldInRole, node: Node, isMoment: boolean) => DemandedField | undefined,
): readonly (DemandedField | undefined)[] {
  switch (condition.kind) {
    case 'test': {
      const { filter } = condition;
      return [fieldAt(filter, filter.node, isOfMoment(filter))];
    }
    case 'any':
    case 'all':
      return condition.of.flatMap((one) => fieldsOf(one, fieldAt));
    case 'among':
    case 'match':
      return [undefined];
  }
}

function demandedField(
  { field, grain }: FieldInRole,
  via: readonly string[],
  isMoment: boolean,
  model: Model,
): DemandedField | undefined {
  const named = { field: `${field.dataset}.${field.name}`, via };
  if (grain === undefined || isMoment) {
    if (field.type === 'date') return { ...named, grain: 'day' };
    return isMoment && grain !== undefined ? undefined : named;
  }
  const stored = grainFor(grain, field, model);
  return stored === undefined ? undefined : { ...named, grain: stored };
}

function grainFor(wanted: ResolvedGrain, field: Field, { time }: Model): RollupGrain | undefined {
  if (tableOf(wanted) !== undefined) return undefined;
  if (wanted.zone !== zoneOf(field, time) || wanted.firstDay !== time.firstDay) return undefined;
  if (wanted.moved !== undefined) return isOfDays(wanted.moved) ? 'day' : undefined;
  return fiscalYearOf(wanted) === undefined ? commonGrain([wanted.name]) : 'day';
}

/** Returns each field once, in the order of their names: a date with the longest period from which all others follow. */
export function merged(fields: readonly DemandedField[]): readonly DemandedField[] {
  const byPlace = groupedByPlace(fields);
  return [...byPlace.keys()].toSorted().map((key): DemandedField => {
    const [first, ...others] = byPlace.get(key) ?? [];
    if (first === undefined) throw new InternalError('a place of a roll-up has no field');
    const grains = [first, ...others].map(({ grain }) => grain);
    const { field, via } = first;
    // The moment itself answers for all of its periods.
    if (grains.includes(undefined)) return { field, via };
    return { field, via, grain: commonGrain(grains.filter((one) => one !== undefined)) ?? 'day' };
  });
}

function groupedByPlace(fields: readonly DemandedField[]): ReadonlyMap<string, readonly DemandedField[]> {
  const byPlace = new Map<string, DemandedField[]>();
  for (const one of fields) {
    const key = JSON.stringify([one.field, one.via]);
    const same = byPlace.get(key);
    if (same === undefined) byPlace.set(key, [one]);
    else same.push(one);
  }
  return byPlace;
}

/** Returns whether a roll-up that meets one demand answers another one. */
export function covers(rollup: RollupDemand, demand: RollupDemand): boolean {
  return (
    rollup.dataset === demand.dataset &&
    demand.metrics.every((metric) => rollup.metrics.includes(metric)) &&
    demand.fields.every((field) => rollup.fields.some((stored) => answersField(stored, field)))
  );
}

function answersField(stored: DemandedField, { field, via, grain }: DemandedField): boolean {
  if (stored.field !== field || JSON.stringify(stored.via) !== JSON.stringify(via)) return false;
  if (stored.grain === undefined) return true;
  return grain !== undefined && GRAINS_OF[stored.grain].has(grain);
}
