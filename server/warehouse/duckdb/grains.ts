import type {
  GrainFunctions,
  Moment,
  NumberedPeriod,
  PeriodNumbers,
  StepUnit,
} from '../../../router/capabilities/dialect.ts';
import { UTC } from '../../../router/time-zone.ts';
import { inSingleQuotes } from '../quoting.ts';

/** Writes the local time of the moment, as a DATE or a TIMESTAMP. */
function clock({ expression, type, zone }: Moment): string {
  if (type === 'date') return expression;
  if (zone === undefined || (zone === UTC && type === 'timestamp')) return `CAST(${expression} AS TIMESTAMP)`;
  const instant = type === 'timestamptz' ? expression : `timezone('UTC', CAST(${expression} AS TIMESTAMP))`;
  return `timezone(${inSingleQuotes(zone)}, ${instant})`;
}

/**
 * Writes the start of a period. With a zone, it is the instant minus the local time since the start, so that the repeated hour at a clock change
 * stays two hours.
 */
const begin = (unit: string) => (moment: Moment) => {
  const shown = clock(moment);
  if (moment.zone === undefined) return `date_trunc('${unit}', ${shown})`;
  const instant = moment.type === 'timestamp' ? `CAST(${moment.expression} AS TIMESTAMP)` : moment.expression;
  return `(${instant} - (${shown} - date_trunc('${unit}', ${shown})))`;
};
const firstDayOf = (unit: string) => (moment: Moment) => `CAST(date_trunc('${unit}', ${clock(moment)}) AS DATE)`;
const part = (name: string) => (moment: Moment) => `CAST(${name}(${clock(moment)}) AS INTEGER)`;

const week: GrainFunctions['week'] = (moment, firstDay) => {
  const shown = clock(moment);
  return `(CAST(${shown} AS DATE) - CAST((isodow(${shown}) + ${7 - firstDay}) % 7 AS INTEGER))`;
};

/** DuckDB 1.5; its built-in ICU library has the zones. */
export const duckdbGrains: GrainFunctions = {
  second: begin('second'),
  minute: begin('minute'),
  hour: begin('hour'),
  day: (moment) => `CAST(${clock(moment)} AS DATE)`,
  week,
  month: firstDayOf('month'),
  quarter: firstDayOf('quarter'),
  year: firstDayOf('year'),
  hour_of_day: part('hour'),
  day_of_week: part('isodow'),
  day_of_month: part('dayofmonth'),
  day_of_year: part('dayofyear'),
  week_of_year: (moment, firstDay) =>
    firstDay === 1
      ? part('weekofyear')(moment)
      : `CAST((dayofyear(${week(moment, firstDay)} + 3) + 6) // 7 AS INTEGER)`,
  month_of_year: part('month'),
  quarter_of_year: part('quarter'),
};

/** Periods of each length in a year. */
const PERIODS_OF_YEAR = { month: 12, quarter: 4 } as const;

/** `date_trunc` takes five times as long as `year` and `month` of a date (checked on three million rows). */
export const duckdbPeriodNumbers: PeriodNumbers = {
  of(period: NumberedPeriod, moment) {
    const shown = clock(moment);
    return period === 'year'
      ? `year(${shown})`
      : `(year(${shown}) * ${PERIODS_OF_YEAR[period]} + ${period}(${shown}) - 1)`;
  },
  firstDay(period: NumberedPeriod, number) {
    if (period === 'year') return `make_date(CAST(${number} AS INTEGER), 1, 1)`;
    const count = PERIODS_OF_YEAR[period];
    const month = `${number} % ${count} * ${12 / count} + 1`;
    return `make_date(CAST(${number} // ${count} AS INTEGER), CAST(${month} AS INTEGER), 1)`;
  },
};

export function duckdbShifted({ expression, type }: Moment, count: string, unit: StepUnit): string {
  switch (unit) {
    case 'second':
      return `(${expression} + INTERVAL (${count}) SECOND)`;
    case 'day':
      return `(${expression} + CAST(${count} AS INTEGER))`;
    case 'month': {
      const step = `INTERVAL (${count}) MONTH`;
      if (type === 'timestamptz') return `timezone('UTC', timezone('UTC', ${expression}) + ${step})`;
      return type === 'date' ? `CAST(${expression} + ${step} AS DATE)` : `(${expression} + ${step})`;
    }
  }
}
