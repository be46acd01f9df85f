import { expect, it } from 'vitest';
import { readTimeAxis } from '../../../analytics/index.ts';
import { captionedAxis, type NamedPeriod } from './period-labels.ts';

async function labels(members: readonly NamedPeriod[], shown: number, ahead: number) {
  const axis = await readTimeAxis(members.slice(0, shown).map(({ period }) => period ?? null));
  if (axis === undefined) throw new Error('no axis');
  const { labelAt } = captionedAxis(axis, members);
  return Array.from({ length: ahead }, (_, k) => labelAt(shown + k));
}

const named = (periods: readonly string[], caption: (period: string) => string): readonly NamedPeriod[] =>
  periods.map((period) => ({ period, caption: caption(period) }));
const MONTHS = Array.from(
  { length: 24 },
  (_, i) => `${2024 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
);
const nameOf = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', { month: 'long', timeZone: 'UTC' });

it('January follows December', async () => {
  expect(await labels(named(MONTHS, nameOf), 24, 2)).toEqual(['January', 'February']);
});

it('the year in captions continues', async () => {
  expect(
    await labels(
      named(MONTHS, (month) => `${nameOf(month)} ${month.slice(0, 4)}`),
      24,
      2,
    ),
  ).toEqual(['January 2026', 'February 2026']);
  const quarters = ['2024-Q1', '2024-Q2', '2024-Q3', '2024-Q4', '2025-Q1'];
  const written = named(quarters, (each) => `Quarter ${each.at(-1)}, ${each.slice(0, 4)}`);
  expect(await labels(written, 5, 2)).toEqual(['Quarter 2, 2025', 'Quarter 3, 2025']);
  expect(
    await labels(
      named(['2023', '2024', '2025'], (year) => `FY ${year}`),
      3,
      2,
    ),
  ).toEqual(['FY 2026', 'FY 2027']);
});

it('existing members keep their captions', async () => {
  const ahead = named(MONTHS, (month) =>
    month === '2025-12' ? 'December 2025' : `${nameOf(month)} ${month.slice(0, 4)}`,
  );
  expect(await labels(ahead, 23, 1)).toEqual(['December 2025']);
});

it('periods stay texts if captions have no rule or cover only part of the year', async () => {
  expect(
    await labels(
      named(MONTHS, (month) => `Campaign ${MONTHS.indexOf(month)}`),
      24,
      1,
    ),
  ).toEqual(['2026-01']);
  expect(await labels(named(MONTHS.slice(0, 10), nameOf), 10, 2)).toEqual(['2024-11', '2024-12']);
});

it('levels of days and weeks keep the texts of their periods', async () => {
  const days = named(['2024-03-01', '2024-03-02', '2024-03-03'], (day) => `Day ${day.slice(8)}`);
  expect(await labels(days, 3, 1)).toEqual(['2024-03-04']);
});
