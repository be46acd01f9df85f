import type { GrainFunctions, Moment, StepUnit } from '../../../router/capabilities/dialect.ts';
import { UTC } from '../../../router/time-zone.ts';
import { inSingleQuotes } from '../quoting.ts';

/** Writes the moment in the local time of its zone: the zone is a part of the type, which every function uses. */
function clock({ expression, type, zone = UTC }: Moment): string {
  return type === 'date' ? `toDate32(${expression})` : `toTimeZone(${expression}, ${inSingleQuotes(zone)})`;
}

const day = (moment: Moment) => (moment.type === 'date' ? clock(moment) : `toDate32(${clock(moment)})`);
const part = (name: string) => (moment: Moment) => `${name}(${clock(moment)})`;

/** Writes the start of a period. The fraction of a second is removed first, because removing it below zero would round up. */
const begin = (beyond: (shown: string) => string) => (moment: Moment) => {
  const precise = `toDateTime64(${moment.expression}, 6, 'UTC')`;
  return `(${precise} - toIntervalMicrosecond(toMicrosecond(${precise})) - toIntervalSecond(${beyond(clock(moment))}))`;
};

const week: GrainFunctions['week'] = (moment, firstDay) =>
  `addDays(${day(moment)}, -((toDayOfWeek(${clock(moment)}) + ${7 - firstDay}) % 7))`;

/**
 * ClickHouse 24.8 and later. Its own `toStartOf…` return a Date, from 1970 to 2149; days counted back from a Date32 reach from 1900 to 2299, as far
 * as its calendar.
 */
export const clickhouseGrains: GrainFunctions = {
  second: begin(() => '0'),
  minute: begin((shown) => `toSecond(${shown})`),
  hour: begin((shown) => `toMinute(${shown}) * 60 + toSecond(${shown})`),
  day,
  week,
  month: (moment) => `addDays(${day(moment)}, 1 - toDayOfMonth(${clock(moment)}))`,
  quarter: (moment) => `makeDate32(toYear(${clock(moment)}), toQuarter(${clock(moment)}) * 3 - 2, 1)`,
  year: (moment) => `addDays(${day(moment)}, 1 - toDayOfYear(${clock(moment)}))`,
  hour_of_day: part('toHour'),
  day_of_week: part('toDayOfWeek'),
  day_of_month: part('toDayOfMonth'),
  day_of_year: part('toDayOfYear'),
  week_of_year: (moment, firstDay) => `intDiv(toDayOfYear(addDays(${week(moment, firstDay)}, 3)) + 6, 7)`,
  month_of_year: part('toMonth'),
  quarter_of_year: part('toQuarter'),
};

/** Moves a moment in the types with the widest range: a Date ends in 2149, a DateTime in 2106. */
export function clickhouseShifted({ expression, type }: Moment, count: string, unit: StepUnit): string {
  const moment = type === 'date' ? `toDate32(${expression})` : `toDateTime64(${expression}, 6, 'UTC')`;
  const add = { second: 'addSeconds', day: 'addDays', month: 'addMonths' } as const satisfies Record<StepUnit, string>;
  return `${add[unit]}(${moment}, ${count})`;
}
