/** Describes parts of a plan in words. */
import { DATE_GRAINS, type WeekDay } from '../../../../router/date-grains.ts';
import { plural } from '../../../../router/plural.ts';
import { isOfDays, type TableDays } from '../../model/template.ts';
import { fiscalYearOf, type ResolvedGrain, tableOf } from '../nodes/grain.ts';
import type { Condition, Junction, ResolvedPlace } from '../nodes/resolved-query.ts';
import type { Pairs } from '../nodes/shown-days.ts';

/** Describes the values of a grain, for the plan in words. */
export function describeGrain(grain: ResolvedGrain): string {
  const { name, zone, firstDay } = grain;
  const calendar = fiscalYearOf(grain);
  const table = tableOf(grain);
  const clocks = zone === undefined ? '' : `, by the clocks of ${zone}`;
  if (table !== undefined) {
    const { dataset, date, key } = table;
    return `the ${dataset}.${key} of its day in ${dataset}.${date}${clocks}; a day that is not there has none`;
  }
  const weeks = name.startsWith('week') ? `, weeks from ${WEEK_DAY_NAMES[firstDay]} on` : '';
  const years =
    calendar === undefined
      ? ''
      : `, of years that begin on day ${calendar.day} of month ${calendar.month} (${calendar.name})`;
  return `${DATE_GRAINS[name].says}${years}${clocks}${weeks}`;
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

/** Describes the days that show rows, for the plan in words. */
export function describePairs(pairs: Pairs): string {
  const periodsOf = ({ dataset, key, date }: TableDays) =>
    `a period of ${dataset}.${key.name} (by ${dataset}.${date.name})`;
  if (pairs.kind === 'before') {
    const { shown, shift } = pairs;
    const step = `${shift.count} ${plural(shift.count, shift.unit)}`;
    return `A period of ${shown.dataset}.${shown.key} has the rows of the days ${step} before its days, each once`;
  }
  if (pairs.kind === 'to') {
    const { to, shown } = pairs;
    const period = isOfDays(to) ? periodsOf(to) : `a ${to.period}`;
    const each = 'periods' in shown ? shown.name : shown.period;
    return `Rows of the first day of ${period} are shown in each ${each} that begins in it`;
  }
  const behind = `the one ${pairs.count} behind it in the order of their first days`;
  return pairs.isWhole
    ? `Rows of ${periodsOf(pairs.table)} are shown in ${behind}`
    : `Rows of a day of ${periodsOf(pairs.table)} are shown at the day at its place in ${behind}, rows of the last day also at later places`;
}

/** Describes how conditions combine: `sales.channel or (stores.region and sales.date)`. */
export function describeConditions(
  conditions: readonly Condition[],
  name: (place: ResolvedPlace) => string,
  junction: Junction = 'all',
): string {
  return conditions
    .map((one) => {
      if (one.kind === 'filter') return name(one.filter);
      if (one.kind === 'among') return `metrics per ${one.among.places.map(name).join(', ')}`;
      const inner = describeConditions(one.of, name, one.kind);
      return one.of.length === 1 ? inner : `(${inner})`;
    })
    .join(junction === 'any' ? ' or ' : ' and ');
}
