import type { GrainFunctions, Moment, StepUnit } from '../../../router/capabilities/dialect.ts';
import { UTC } from '../../../router/time-zone.ts';
import { inSingleQuotes } from '../quoting.ts';

/** Writes the local time of the moment as a timestamp; of a date its first moment, independent of the session's zone. */
function clock({ expression, type, zone }: Moment): string {
  if (type === 'date') return `CAST(${expression} AS timestamp)`;
  if (zone === undefined || (zone === UTC && type === 'timestamp')) return expression;
  const instant = type === 'timestamptz' ? expression : `(${expression} AT TIME ZONE 'UTC')`;
  return `(${instant} AT TIME ZONE ${inSingleQuotes(zone)})`;
}

/**
 * Writes the start of a period. With a zone, it is the instant minus the local time since the start, so that the repeated hour at a clock change
 * stays two hours.
 */
const begin = (unit: string) => (moment: Moment) => {
  const shown = clock(moment);
  const begun = `date_trunc('${unit}', ${shown})`;
  return moment.zone === undefined ? begun : `(${moment.expression} - (${shown} - ${begun}))`;
};
const firstDayOf = (unit: string) => (moment: Moment) => `CAST(date_trunc('${unit}', ${clock(moment)}) AS date)`;
const part = (name: string) => (moment: Moment) => `CAST(EXTRACT(${name} FROM ${clock(moment)}) AS integer)`;

const week: GrainFunctions['week'] = (moment, firstDay) =>
  firstDay === 1
    ? firstDayOf('week')(moment)
    : `(CAST(${clock(moment)} AS date) - (${part('ISODOW')(moment)} + ${7 - firstDay}) % 7)`;

/** PostgreSQL 14 and later. */
export const postgresqlGrains: GrainFunctions = {
  second: begin('second'),
  minute: begin('minute'),
  hour: begin('hour'),
  day: (moment) => (moment.type === 'date' ? moment.expression : `CAST(${clock(moment)} AS date)`),
  week,
  month: firstDayOf('month'),
  quarter: firstDayOf('quarter'),
  year: firstDayOf('year'),
  hour_of_day: part('HOUR'),
  day_of_week: part('ISODOW'),
  day_of_month: part('DAY'),
  day_of_year: part('DOY'),
  week_of_year: (moment, firstDay) =>
    firstDay === 1
      ? part('WEEK')(moment)
      : `((CAST(EXTRACT(DOY FROM ${week(moment, firstDay)} + 3) AS integer) + 6) / 7)`,
  month_of_year: part('MONTH'),
  quarter_of_year: part('QUARTER'),
};

export function postgresqlShifted({ expression, type }: Moment, count: string, unit: StepUnit): string {
  if (unit === 'day') return `(${expression} + CAST(${count} AS integer))`;
  const step = `(${count}) * INTERVAL '1 ${unit}'`;
  if (unit === 'second') return `(${expression} + ${step})`;
  if (type === 'timestamptz') return `((${expression} AT TIME ZONE 'UTC' + ${step}) AT TIME ZONE 'UTC')`;
  return type === 'date' ? `CAST(${expression} + ${step} AS date)` : `(${expression} + ${step})`;
}
