import type { GrainFunctions, Moment, StepUnit } from '../../../router/capabilities/dialect.ts';
import { UTC } from '../../../router/time-zone.ts';
import { inSingleQuotes } from '../quoting.ts';

/** Writes the local time of the moment, as a DATE or a TIMESTAMP. */
function clock({ expression, type, zone }: Moment): string {
  if (zone === undefined || (zone === UTC && type === 'timestamp')) return expression;
  const instant = type === 'timestamptz' ? expression : `with_timezone(${expression}, 'UTC')`;
  return `CAST(${instant} AT TIME ZONE ${inSingleQuotes(zone)} AS TIMESTAMP(6))`;
}

const day = (moment: Moment) => (moment.type === 'date' ? moment.expression : `CAST(${clock(moment)} AS DATE)`);

/**
 * Writes the instant in UTC. A value in a named zone leaves the server as local time, which two instants share in the repeated hour of a clock
 * change.
 */
export const instantInUtc = (expression: string) => `(${expression} AT TIME ZONE 'UTC')`;

const instant = ({ expression, type }: Moment) => (type === 'timestamptz' ? instantInUtc(expression) : expression);

/**
 * Writes the start of a period. With a zone, it is the instant minus the local time since the start, so that the repeated hour at a clock change
 * stays two hours.
 */
const begin = (unit: string, beyond: (shown: string) => string) => (moment: Moment) =>
  moment.zone === undefined
    ? `date_trunc('${unit}', ${instant(moment)})`
    : `(date_trunc('second', ${instant(moment)}) - (${beyond(clock(moment))}) * INTERVAL '1' SECOND)`;
const firstDayOf = (unit: string) => (moment: Moment) => `CAST(date_trunc('${unit}', ${day(moment)}) AS DATE)`;
const part = (name: string) => (moment: Moment) => `CAST(${name}(${day(moment)}) AS INTEGER)`;

const week: GrainFunctions['week'] = (moment, firstDay) =>
  firstDay === 1
    ? firstDayOf('week')(moment)
    : `CAST(${day(moment)} - ((day_of_week(${day(moment)}) + ${7 - firstDay}) % 7) * INTERVAL '1' DAY AS DATE)`;

/** Trino 418 and later (checked on 476: `grains.test.ts`). */
export const trinoGrains: GrainFunctions = {
  second: (moment) => `date_trunc('second', ${instant(moment)})`,
  minute: begin('minute', (shown) => `second(${shown})`),
  hour: begin('hour', (shown) => `minute(${shown}) * 60 + second(${shown})`),
  day,
  week,
  month: firstDayOf('month'),
  quarter: firstDayOf('quarter'),
  year: firstDayOf('year'),
  hour_of_day: (moment) => `CAST(hour(${clock(moment)}) AS INTEGER)`,
  day_of_week: part('day_of_week'),
  day_of_month: part('day_of_month'),
  day_of_year: part('day_of_year'),
  week_of_year: (moment, firstDay) =>
    firstDay === 1
      ? part('week_of_year')(moment)
      : `CAST(floor((day_of_year(${week(moment, firstDay)} + INTERVAL '3' DAY) + 6) / 7) AS INTEGER)`,
  month_of_year: part('month'),
  quarter_of_year: part('quarter'),
};

export function trinoShifted({ expression, type }: Moment, count: string, unit: StepUnit): string {
  const moment = type === 'timestamptz' ? `${expression} AT TIME ZONE 'UTC'` : expression;
  const shifted = `(${moment} + (${count}) * INTERVAL '1' ${unit.toUpperCase()})`;
  return type === 'date' ? `CAST(${shifted} AS DATE)` : shifted;
}
