import { describe, expect, test } from 'vitest';
import { calendar } from './calendar.ts';
import { isoWeek, isoWeekday } from './dates.ts';

const days = calendar();
const on = (date: string) => days.find((day) => day.date === date);

describe('the calendar', () => {
  test('has every day of 2023, 2024 (a leap year) and 2025 once, in order', () => {
    expect(days).toHaveLength(365 + 366 + 365);
    expect(days[0]?.date).toBe('2023-01-01');
    expect(days.at(-1)?.date).toBe('2025-12-31');
    const sortedOnce = [...new Set(days.map((day) => day.date))].sort();
    expect(days.map((day) => day.date)).toEqual(sortedOnce);
    expect(on('2024-02-29')?.weekday).toBe('Thursday');
  });

  test('numbers weeks as ISO 8601 does: a week belongs to the year of its Thursday', () => {
    expect(isoWeek('2023-01-01')).toBe(52);
    expect(isoWeek('2023-01-02')).toBe(1);
    expect(isoWeek('2024-12-30')).toBe(1);
    expect(isoWeek('2020-12-31')).toBe(53);
    expect(isoWeekday('2025-12-31')).toBe(3);
  });

  test('marks and names the holidays of the chain', () => {
    expect(on('2024-03-29')?.holidayName).toBe('Good Friday');
    expect(on('2024-04-01')?.holidayName).toBe('Easter Monday');
    expect(on('2025-12-25')?.isHoliday).toBe(true);
    expect(on('2025-06-18')?.isHoliday).toBe(false);
    // New Year, Labour Day, two days of Christmas and three of Easter, in three years.
    expect(days.filter((day) => day.isHoliday)).toHaveLength(3 * 7);
  });

  test('has more demand on Saturdays than on Mondays, before Christmas than in October, and each year than the year before', () => {
    const demand = (date: string): number => on(date)?.demand ?? 0;
    expect(demand('2025-10-11')).toBeGreaterThan(demand('2025-10-13'));
    expect(demand('2025-12-20')).toBeGreaterThan(1.5 * demand('2025-10-11'));
    expect(demand('2025-12-25')).toBeLessThan(0.5 * demand('2025-12-18'));
    const ofYear = (year: number): number =>
      days.filter((day) => day.year === year).reduce((sum, day) => sum + day.demand, 0) / 365;
    expect(ofYear(2024)).toBeGreaterThan(ofYear(2023));
    expect(ofYear(2025)).toBeGreaterThan(ofYear(2024));
  });
});
