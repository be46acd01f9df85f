import { expect, test, vi } from 'vitest';
import { answer, cell, dimension, metric } from '../test/answers.ts';
import { drawChart, paintedTexts } from './draw-chart.ts';

const yearly = (first: number, count: number, apart = 1) =>
  answer(
    [{ ...dimension('year', 'Year', 'date'), grain: 'year' }, metric('m', 'M')],
    Array.from({ length: count }, (_, index) => ({
      year: `${String(first + index * apart).padStart(4, '0')}-01-01`,
      m: cell(index % 7, `${index % 7}`),
    })),
  );

/** Returns the labels of the axis of time: the texts of the lowest line. */
function yearsOf(body: object, width = 700): readonly string[] {
  const texts = paintedTexts(drawChart(body, 'line', {}, { width }).svg);
  const lowest = Math.max(...texts.map(({ y }) => y));
  return texts.filter(({ y }) => y > lowest - 2).map(({ text }) => text.replaceAll('\u202f', ' '));
}

test.each([
  ['two centuries', yearly(1820, 201), ['1825', '1850', '1875', '1900', '1925', '1950', '1975', '2000']],
  [
    'seven centuries, of which one has years of two digits',
    yearly(27, 71, 10),
    ['100', '200', '300', '400', '500', '600', '700'],
  ],
  ['seven years', yearly(2019, 7), ['2019', '2020', '2021', '2022', '2023', '2024', '2025']],
])('an axis of %s is labelled by years, each once, without a warning of ECharts', (_, body, expected) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect(yearsOf(body)).toEqual(expected);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test('a narrow axis of years has at least two labels', () => {
  expect(yearsOf(yearly(2019, 7), 260)).toEqual(['2020', '2022', '2024']);
});

const hourly = (first: string, count: number) =>
  answer(
    [dimension('hour', 'Hour', 'timestamp'), metric('m', 'M')],
    Array.from({ length: count }, (_, index) => ({
      hour: new Date(Date.parse(first) + index * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
      m: cell(index % 5, `${index % 5}`),
    })),
  );
const daily = (first: string, count: number) =>
  answer(
    [dimension('day', 'Day', 'date'), metric('m', 'M')],
    Array.from({ length: count }, (_, index) => ({
      day: new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
      m: cell(index % 5, `${index % 5}`),
    })),
  );

test.each([
  [
    'two days of hours',
    hourly('2026-03-28T13:00Z', 48),
    ['6:00 PM', 'Mar 29', '6:00 AM', '12:00 PM', '6:00 PM', 'Mar 30', '6:00 AM', '12:00 PM'],
  ],
  ['sixty days', daily('2026-06-01', 60), ['Jun 1', 'Jun 11', 'Jun 21', 'Jul 1', 'Jul 11', 'Jul 21']],
  ['fourteen months', daily('2025-01-15', 420), ['Mar', 'May', 'Jul', 'Sep', 'Nov', '2026', 'Mar']],
])('labels of %s are evenly apart', (_, body, expected) => {
  expect(yearsOf(body)).toEqual(expected);
});
