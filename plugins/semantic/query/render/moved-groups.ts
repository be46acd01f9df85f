/**
 * Aggregates the rows of a metric that is offset in time by their own periods, and moves the periods afterwards. A date is
 * then moved once for each period, and not once for each row. This is done only where each group of the answer has the
 * rows of exactly one period, so that every aggregate stays what it is.
 */
import type { Dialect, Moment } from '../../../../router/capabilities/dialect.ts';
import type { DateGrain } from '../../../../router/date-grains.ts';
import { InternalError } from '../../../../router/errors.ts';
import { joinSql, type SqlPart, sql } from '../../../query-surface/index.ts';
import { testsOf } from '../nodes/conditions.ts';
import { fieldAtGrain, type ResolvedGrain, tableOf } from '../nodes/grain.ts';
import { GRAINS_OF } from '../nodes/grains-of-periods.ts';
import type { FactSubquery, PlacedCondition, PlacedField } from '../nodes/plan.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import { isElsewhere, type NumberedSpread } from '../nodes/shown-days.ts';
import { isLayered } from '../nodes/subquery-kinds.ts';
import { grainSql } from './grain-sql.ts';
import type { RowsRenderer } from './rows.ts';
import { movedDay, spreadConditions, spreadJoin } from './shown-days.ts';

/** A subquery with groups that are moved after its rows are aggregated. */
interface MovedLast {
  /** The same rows by their own periods. It has no moved group. */
  readonly own: FactSubquery;
  /** For each group of the answer, the index of the group of `own` that it is computed from. */
  readonly places: readonly number[];
  /** The group of `own` with the periods that are moved. */
  readonly key: number;
  readonly spread: NumberedSpread | undefined;
  /** The conditions on the days that show the rows. */
  readonly shown: readonly PlacedCondition[];
}

/** Periods that a step may lead from one to another, the shortest first, and the units of the step in each. */
const PERIODS_OF_STEPS = {
  month: { month: 1, quarter: 3, year: 12 },
  day: { day: 1, week: 7 },
} as const;

type MovedGrain = ResolvedGrain & { readonly moved: NonNullable<ResolvedGrain['moved']> };

interface MovedGroup {
  readonly index: number;
  readonly group: FieldInRole;
  readonly grain: MovedGrain;
}

/**
 * Returns how the first groups of a subquery are moved after their rows are aggregated; `undefined` where they are not
 * moved, or where a group of the answer may have rows of several periods.
 */
export function movedLast(subquery: FactSubquery, groupCount: number): MovedLast | undefined {
  if (isLayered(subquery) || subquery.scope.taken !== undefined) return undefined;
  const groups = subquery.groups.slice(0, groupCount);
  const moved = groups.flatMap((group, index): readonly MovedGroup[] => {
    const { grain } = group;
    return grain?.moved === undefined ? [] : [{ index, group, grain: { ...grain, moved: grain.moved } }];
  });
  const [first] = moved;
  if (first === undefined || !moved.every((one) => isAlike(subquery, one, first))) return undefined;
  const { spread } = subquery;
  const numbered = spread === undefined || 'pairs' in spread.by ? undefined : spread.by;
  if (spread !== undefined && numbered === undefined) return undefined;
  const key = numbered === undefined ? keyOfShift(moved) : keyOfSpread(moved, numbered);
  const conditions = conditionsOf(subquery.where, subquery, first);
  if (key === undefined || conditions === undefined) return undefined;
  const kept = groups.flatMap((group, index) => {
    if (group.grain?.moved === undefined) return [{ index, group }];
    return index === key.index ? [{ index, group: { ...group, grain: { ...key.grain, moved: undefined } } }] : [];
  });
  const placeOf = (index: number) => kept.findIndex((one) => one.index === index);
  return {
    own: {
      ...subquery,
      groups: kept.map(({ group }) => group),
      groupNodes: kept.flatMap(({ index }) => subquery.groupNodes[index] ?? []),
      spread: undefined,
      where: conditions.own,
    },
    places: groups.map(({ grain }, index) => placeOf(grain?.moved === undefined ? index : key.index)),
    key: placeOf(key.index),
    spread: numbered,
    shown: conditions.shown,
  };
}

/** Returns whether two groups are moved alike: the same date, by the same step, in the same calendar. */
function isAlike({ groupNodes }: FactSubquery, one: MovedGroup, other: MovedGroup): boolean {
  const [node, otherNode] = [groupNodes[one.index], groupNodes[other.index]];
  const isSameField = one.group.field === other.group.field && node?.role === otherNode?.role;
  const wayOf = ({ grain: { moved, calendar } }: MovedGroup) => JSON.stringify([moved, calendar]);
  return isSameField && tableOf(one.grain) === undefined && wayOf(one) === wayOf(other);
}

interface Key {
  readonly index: number;
  readonly grain: ResolvedGrain;
}

/** Finds the shortest period that a step leads to another one of, where all moved groups follow from it. */
function keyOfShift(moved: readonly MovedGroup[]): Key | undefined {
  const [first] = moved;
  if (first === undefined || first.grain.moved.kind !== 'shifted') return undefined;
  const { unit, count } = first.grain.moved.shift;
  if (unit === 'millisecond') return undefined;
  for (const [period, length] of Object.entries(PERIODS_OF_STEPS[unit])) {
    const key = moved.find(({ grain }) => grain.name === period);
    if (key === undefined) continue;
    const following = grainsOf(period);
    return count % length === 0 && moved.every(({ grain }) => following.has(grain.name)) ? key : undefined;
  }
  return undefined;
}

function grainsOf(period: string): ReadonlySet<DateGrain> {
  return Object.entries(GRAINS_OF).find(([name]) => name === period)?.[1] ?? new Set();
}

/** Returns the day of the rows, where one of the groups has each day that shows a row apart. */
function keyOfSpread(moved: readonly MovedGroup[], { finest }: NumberedSpread): Key | undefined {
  const key = moved.find(({ grain }) => {
    return grain.name === finest.period && JSON.stringify(grain.calendar) === JSON.stringify(finest.calendar);
  });
  if (
    key === undefined ||
    !moved.every(({ grain }) => grain.moved.kind === 'spread' && GRAINS_OF.day.has(grain.name))
  ) {
    return undefined;
  }
  return { index: key.index, grain: { ...key.grain, name: 'day', calendar: undefined } };
}

/** Separates the conditions on shown days from the others; `undefined` where a condition is of both. */
function conditionsOf(
  where: readonly PlacedCondition[],
  { groupNodes }: FactSubquery,
  { group, index }: MovedGroup,
): { readonly own: readonly PlacedCondition[]; readonly shown: readonly PlacedCondition[] } | undefined {
  const isShown = (place: PlacedField) => isElsewhere(place);
  const isOfDate = ({ field, node, grain }: PlacedField) =>
    field === group.field && node.role === groupNodes[index]?.role && tableOf(grain) === undefined;
  const shown = where.filter((one) => testsOf([one]).some(isShown));
  const areTests = (one: PlacedCondition): boolean => {
    if (one.kind === 'test') return isShown(one.filter) && isOfDate(one.filter) && one.filter.test.kind !== 'within';
    return (one.kind === 'any' || one.kind === 'all') && one.of.every(areTests);
  };
  if (!shown.every(areTests)) return undefined;
  return { own: where.filter((one) => !shown.includes(one)), shown };
}

/** The item of FROM with the aggregated rows. */
const OWN = 'own_periods';

/**
 * Writes the groups of a subquery, moved after its rows are aggregated.
 *
 * @param rows the SELECT of `own`
 * @param values the names of the computed columns
 */
export function selectMoved(
  { places, key, spread, shown }: MovedLast,
  subquery: FactSubquery,
  { rows, values }: { readonly rows: SqlPart; readonly values: readonly string[] },
  renderer: RowsRenderer,
  dialect: Dialect,
): SqlPart {
  const day: Moment = { expression: `${OWN}.g${key}`, type: 'date', zone: undefined };
  const atGrain = (grain: ResolvedGrain) => grainSql(movedDay(day, grain, dialect) ?? day, grain, dialect);
  const groups = places.map((place, index) => {
    const grain = subquery.groups[index]?.grain;
    return `${grain?.moved === undefined ? `${OWN}.g${place}` : atGrain(grain)} AS g${index}`;
  });
  const tested = (one: PlacedCondition): SqlPart => {
    if (one.kind === 'test') {
      const { field, grain, test } = one.filter;
      if (grain === undefined) throw new InternalError('a condition on a shown day has no grain');
      return renderer.tested(fieldAtGrain(field, grain), atGrain(grain), test);
    }
    if (one.kind === 'among' || one.kind === 'match') throw new InternalError('a condition on a shown day is no test');
    return sql`(${joinSql(one.of.map(tested), one.kind === 'any' ? ' OR ' : ' AND ')})`;
  };
  const grainOfSpread = spread?.place.grain;
  const conditions: readonly SqlPart[] = [
    ...shown.map(tested),
    ...(spread === undefined || grainOfSpread === undefined
      ? []
      : spreadConditions(spread, day, grainOfSpread, dialect)),
  ];
  const columns = [...groups, ...values.map((name) => `${OWN}.${name} AS ${name}`)].join(', ');
  const join = spread === undefined ? '' : `\n  ${spreadJoin(spread.days, dialect)}`;
  const where = conditions.length === 0 ? '' : sql`\n  WHERE ${joinSql(conditions, '\n    AND ')}`;
  return sql`  SELECT ${columns}\n  FROM (\n${rows}\n  ) AS ${OWN}${join}${where}`;
}
