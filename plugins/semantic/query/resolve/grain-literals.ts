/** Reads values that filters compare with a grain: any moment of a period means the period. */

import {
  DAY_MS,
  dateText,
  dayOf,
  grainAt,
  momentText,
  readMoment,
  startOfPeriod,
} from '../../../../router/calendar.ts';
import type { Parameter } from '../../../../router/capabilities/warehouse.ts';
import { type DateGrain, isGrainOf, type WeekDay } from '../../../../router/date-grains.ts';
import { instantAt, wallClockAt } from '../../../../router/time-zone.ts';
import { type FiscalYear, fiscalYearStart, periodAfter, periodStart } from '../../model/fiscal-year.ts';
import type { Field } from '../../model/model.ts';
import { fiscalYearOf, type ResolvedGrain, tableOf } from '../nodes/grain.ts';
import { type LiteralValue, literal } from '../nodes/literals.ts';

const UNREAD = '1970-01-01';
const OFFSET = /(?:T| )\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;

/** Reads a value as a parameter of the grain's type, or returns a description of the expected value. */
export function grainLiteral(value: LiteralValue, field: Field, grain: ResolvedGrain): Parameter | string {
  const { name, zone, firstDay } = grain;
  const calendar = fiscalYearOf(grain);
  if (isGrainOf(name, 'part')) return literal(value, 'integer');
  const text = String(value).trim();
  const table = tableOf(grain);
  if (table !== undefined) {
    // A check of names only has not read the periods, so it accepts any value.
    if (table.periods === undefined) return { type: 'date', value: UNREAD };
    // A key with blanks differs from the same key without them.
    const period = table.periods.meant(String(value)) ?? table.periods.meant(text);
    if (period !== undefined) return { type: 'date', value: dateText(period.first) };
    return `a ${table.name} of ${table.dataset}, by its ${table.key}${table.label === undefined ? '' : ` or ${table.label}`}`;
  }
  const offset = OFFSET.exec(text)?.[1];
  const fiscal = calendar === undefined ? undefined : readFiscalPeriod(text, name, calendar);
  const written =
    fiscal ?? readPeriod(text, firstDay) ?? readMoment(text.slice(0, text.length - (offset?.length ?? 0)));
  if (written === undefined && calendar !== undefined) return FISCAL_EXPECTED;
  if (written === undefined) return EXPECTED[name] ?? 'a date such as 2024-12-31';
  const instant = offset === undefined ? undefined : written - offsetMillis(offset);
  const shown = instant === undefined || zone === undefined ? (instant ?? written) : wallClockAt(zone, instant);
  if (isGrainOf(name, 'period')) {
    const start = periodStart(Math.floor(shown / DAY_MS), name, firstDay, calendar);
    return { type: 'date', value: dateText(start) };
  }
  const begun = grainAt(shown, name, firstDay);
  if (zone === undefined) return { type: 'timestamp', value: momentText(begun) };
  const start = momentText((instant ?? instantAt(zone, written)) - (shown - begun));
  return field.type === 'timestamptz'
    ? { type: 'timestamptz', value: `${start}Z` }
    : { type: 'timestamp', value: start };
}

const EXPECTED: Readonly<Partial<Record<ResolvedGrain['name'], string>>> = {
  second: 'a date and time such as 2024-12-31T23:59:00',
  minute: 'a date and time such as 2024-12-31T23:59:00',
  hour: 'a date and time such as 2024-12-31T23:00:00',
  week: 'a date such as 2024-12-30, or a week such as 2024-W07',
  month: 'a date such as 2024-12-01, or a month such as 2024-12',
  quarter: 'a date such as 2024-10-01, or a quarter such as 2024-Q4',
  year: 'a date such as 2024-01-01, or a year such as 2024',
};

const FISCAL_EXPECTED = 'a date such as 2024-12-31, or a period such as FY2025, FY2025-Q1 or FY2025-M01';

/**
 * Reads periods of fiscal years: `FY2025`, `FY2025-Q1`, `FY2025-M01`, as answers label them, and `2025` where years
 * are meant.
 */
function readFiscalPeriod(text: string, grain: DateGrain, calendar: FiscalYear): number | undefined {
  const [, year, kind, number] = /^FY(\d{4})(?:[- ]?(Q|M)(\d\d?))?$/i.exec(text) ?? [];
  const [, labelKind, labelNumber, labelYear] = /^(Q|M)(\d\d?) FY(\d{4})$/i.exec(text) ?? [];
  const [, bareYear, bareQuarter] = /^(\d{4})(?:-Q([1-4]))?$/i.exec(text) ?? [];
  const isBare = bareQuarter === undefined ? grain === 'year' : grain === 'quarter';
  const named = year ?? labelYear ?? (isBare ? bareYear : undefined);
  if (named === undefined) return undefined;
  const isQuarter = (kind ?? labelKind ?? (bareQuarter === undefined ? 'M' : 'Q')).toUpperCase() === 'Q';
  const place = Number(number ?? labelNumber ?? bareQuarter ?? '1');
  if (place < 1 || place > (isQuarter ? 4 : 12)) return undefined;
  const start = fiscalYearStart(Number(named), calendar);
  return periodAfter(start, isQuarter ? 'quarter' : 'month', place - 1, calendar) * DAY_MS;
}

/** Reads periods as people write them: `2024`, `2024-03`, `2024-Q1`, `2024-W07`. */
function readPeriod(text: string, firstDay: WeekDay): number | undefined {
  const [, year, month, quarter, week] = /^(\d{4})(?:-(?:(\d\d)|Q([1-4])|W(\d\d)))?$/i.exec(text) ?? [];
  if (year === undefined) return undefined;
  if (week !== undefined) {
    // The first week is the week with 4 January, whatever the first day of weeks.
    const first = startOfPeriod(dayOf(Number(year), 0, 4), 'week', firstDay);
    const start = first + 7 * (Number(week) - 1);
    const end = startOfPeriod(dayOf(Number(year) + 1, 0, 4), 'week', firstDay);
    return start < first || start >= end ? undefined : start * DAY_MS;
  }
  if (month !== undefined && (Number(month) < 1 || Number(month) > 12)) return undefined;
  const index = quarter === undefined ? Number(month ?? '1') - 1 : (Number(quarter) - 1) * 3;
  return dayOf(Number(year), index, 1) * DAY_MS;
}

function offsetMillis(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const [hours, minutes] = [offset.slice(1, 3), offset.slice(-2)];
  return (Number(hours) * 60 + Number(minutes)) * (offset.startsWith('-') ? -60_000 : 60_000);
}
