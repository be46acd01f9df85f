import type { GrainFunctions, Moment, StepUnit } from '../../../router/capabilities/dialect.ts';
import { offsetSql } from './zone-offset.ts';

/** Writes the local time of the moment. The server's tables of zones are seldom filled, so they are not used. */
function clock({ expression, zone }: Moment): string {
  const offset = zone === undefined ? '0' : offsetSql(expression, zone);
  return offset === '0' ? expression : `(${expression} + INTERVAL ${offset} SECOND)`;
}

const part = (name: string) => (moment: Moment) => `${name}(${clock(moment)})`;
/** Writes the start of a period: the instant minus the local time since the start, so that the repeated hour at a clock change stays two hours. */
const begin = (beyond: (shown: string) => string) => (moment: Moment) => {
  const { expression } = moment;
  return `(${expression} - INTERVAL MICROSECOND(${expression}) MICROSECOND - INTERVAL (${beyond(clock(moment))}) SECOND)`;
};
const back = (day: string, days: string) => `(${day} - INTERVAL ${days} DAY)`;

const day = part('DATE');
const month = (moment: Moment) => back(day(moment), `(DAYOFMONTH(${clock(moment)}) - 1)`);
const week: GrainFunctions['week'] = (moment, firstDay) =>
  back(day(moment), `((WEEKDAY(${clock(moment)}) + ${8 - firstDay}) % 7)`);

/** MySQL 8.0.17 and later and MariaDB 10.5 and later. */
export const mysqlGrains: GrainFunctions = {
  second: begin(() => '0'),
  minute: begin((shown) => `SECOND(${shown})`),
  hour: begin((shown) => `MINUTE(${shown}) * 60 + SECOND(${shown})`),
  day,
  week,
  month,
  quarter: (moment) => `(${month(moment)} - INTERVAL ((MONTH(${clock(moment)}) - 1) % 3) MONTH)`,
  year: (moment) => back(day(moment), `(DAYOFYEAR(${clock(moment)}) - 1)`),
  hour_of_day: part('HOUR'),
  day_of_week: (moment) => `(WEEKDAY(${clock(moment)}) + 1)`,
  day_of_month: part('DAYOFMONTH'),
  day_of_year: part('DAYOFYEAR'),
  week_of_year: (moment, firstDay) => `((DAYOFYEAR(${week(moment, firstDay)} + INTERVAL 3 DAY) + 6) DIV 7)`,
  month_of_year: part('MONTH'),
  quarter_of_year: part('QUARTER'),
};

export function mysqlShifted({ expression }: Moment, count: string, unit: StepUnit): string {
  return `(${expression} + INTERVAL (${count}) ${unit.toUpperCase()})`;
}
