/**
 * The grains of dates: the one list. Requests, their JSON Schemas, the docs and the functions of every dialect follow from
 * it; a grain that is added does not compile until each dialect, the calendar and the labels know it.
 */

/** The result of a grain: the start of a period of the clock, the first day of a period of the calendar, or the number of a part. */
export type GrainKind = 'clock' | 'period' | 'part';

export const DATE_GRAINS = {
  second: { kind: 'clock', needsTime: true, says: 'the second' },
  minute: { kind: 'clock', needsTime: true, says: 'the minute' },
  hour: { kind: 'clock', needsTime: true, says: 'the hour' },
  day: { kind: 'period', needsTime: false, says: 'the day' },
  week: { kind: 'period', needsTime: false, says: 'the first day of the week' },
  month: { kind: 'period', needsTime: false, says: 'the first day of the month' },
  quarter: { kind: 'period', needsTime: false, says: 'the first day of the quarter' },
  year: { kind: 'period', needsTime: false, says: 'the first day of the year' },
  hour_of_day: { kind: 'part', needsTime: true, says: '0 to 23' },
  day_of_week: { kind: 'part', needsTime: false, says: '1 for Monday to 7 for Sunday' },
  day_of_month: { kind: 'part', needsTime: false, says: '1 to 31' },
  day_of_year: { kind: 'part', needsTime: false, says: '1 to 366' },
  week_of_year: { kind: 'part', needsTime: false, says: '1 to 53' },
  month_of_year: { kind: 'part', needsTime: false, says: '1 to 12' },
  quarter_of_year: { kind: 'part', needsTime: false, says: '1 to 4' },
} as const satisfies Record<
  string,
  {
    readonly kind: GrainKind;
    /** True for grains of columns with a time of day only. */
    readonly needsTime: boolean;
    readonly says: string;
  }
>;

export type DateGrain = keyof typeof DATE_GRAINS;

/** The grains of one kind. */
export type GrainOf<K extends GrainKind> = {
  [Grain in DateGrain]: (typeof DATE_GRAINS)[Grain]['kind'] extends K ? Grain : never;
}[DateGrain];

/** All names, the finest period first, then the parts. */
export const DATE_GRAIN_NAMES = Object.keys(DATE_GRAINS) as [DateGrain, ...DateGrain[]];

/** Returns whether a name is that of a grain. */
export function isDateGrain(name: string): name is DateGrain {
  return Object.hasOwn(DATE_GRAINS, name);
}

export function isGrainOf<K extends GrainKind>(grain: DateGrain, kind: K): grain is GrainOf<K> {
  return DATE_GRAINS[grain].kind === kind;
}

/** Types of the columns that have grains. */
export const MOMENT_TYPES = ['date', 'timestamp', 'timestamptz'] as const;
export type MomentType = (typeof MOMENT_TYPES)[number];

/** Returns the grains of a column of this type; none for a type that is not a date. */
export function grainsOf(type: string): readonly DateGrain[] {
  if (!isMomentType(type)) return [];
  return DATE_GRAIN_NAMES.filter((grain) => type !== 'date' || !DATE_GRAINS[grain].needsTime);
}

export function isMomentType(type: string): type is MomentType {
  return MOMENT_TYPES.some((one) => one === type);
}

/** A day of the week as ISO 8601 counts: 1 for Monday to 7 for Sunday. */
export type WeekDay = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** By their English names, as models write the first day of a week. */
export const WEEK_DAYS = {
  monday: 1,
  tuesday: 2,
  wednesday: 3,
  thursday: 4,
  friday: 5,
  saturday: 6,
  sunday: 7,
} as const satisfies Record<string, WeekDay>;
