/** The grain of a date in a request: which there is, and what its values are. */

import type { Moment } from '../../../../router/capabilities/dialect.ts';
import {
  DATE_GRAINS,
  type DateGrain,
  grainsOf,
  isGrainOf,
  isMomentType,
  type WeekDay,
} from '../../../../router/date-grains.ts';
import { InternalError } from '../../../../router/errors.ts';
import { UTC } from '../../../../router/time-zone.ts';
import type { Field } from '../../model/model.ts';
import type { TimeSettings } from '../../model/time-settings.ts';

/** A grain with all that its values depend on. */
export interface ResolvedGrain {
  readonly name: DateGrain;
  /** The zone whose clocks are read; `undefined` for dates and for clocks without a zone. */
  readonly zone: string | undefined;
  readonly firstDay: WeekDay;
  readonly locale: string;
  /** True for a grain that the request does not name: that of a date of the calendar is the day. */
  readonly isImplied?: boolean | undefined;
}

/** Returns a grain of a field, or `undefined` where the field has no such grain. */
export function grainOf(name: DateGrain, field: Field, time: TimeSettings): ResolvedGrain | undefined {
  if (!grainsOf(field.type).includes(name)) return undefined;
  const { firstDay, locale } = time;
  return Object.freeze({ name, zone: zoneOf(field, time), firstDay, locale });
}

/** The zone in which a field's instants are read. A timestamp without a zone is taken for UTC, unless its model says that it is local. */
export function zoneOf({ type, isLocalTime }: Field, { timezone }: TimeSettings): string | undefined {
  if (type === 'timestamptz') return timezone ?? UTC;
  return type === 'timestamp' && !isLocalTime ? timezone : undefined;
}

/** Returns what a dialect needs to know of a field to compute a grain of it. */
export function momentOf(expression: string, { type }: Field, { zone }: ResolvedGrain): Moment {
  if (!isMomentType(type)) throw new InternalError('a grain is asked of a field that is no date');
  return { expression, type, zone };
}

/** Returns the field whose values are those of a grain: of another type, and compared as such. */
export function fieldAtGrain(field: Field, grain: ResolvedGrain | undefined): Field {
  if (grain === undefined) return field;
  if (isGrainOf(grain.name, 'part')) return { ...field, type: 'integer', nativeType: 'INTEGER' };
  if (isGrainOf(grain.name, 'period')) return { ...field, type: 'date', nativeType: 'DATE' };
  // Engines that convert members of a list to the column's type have seconds alone as a type of its own.
  return { ...field, type: grain.zone === undefined ? 'timestamp' : field.type, nativeType: 'DateTime' };
}

/** Says what the values of a grain are, for the plan in words. */
export function describeGrain({ name, zone, firstDay }: ResolvedGrain): string {
  const clocks = zone === undefined ? '' : `, by the clocks of ${zone}`;
  const weeks = name.startsWith('week') ? `, weeks from ${WEEK_DAY_NAMES[firstDay]} on` : '';
  return `${DATE_GRAINS[name].says}${clocks}${weeks}`;
}

const WEEK_DAY_NAMES: Readonly<Record<WeekDay, string>> = {
  1: 'Monday',
  2: 'Tuesday',
  3: 'Wednesday',
  4: 'Thursday',
  5: 'Friday',
  6: 'Saturday',
  7: 'Sunday',
};
