import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Periods, type TablePeriod } from './period-table.ts';

/** Periods with gaps, and with days between the days of other periods. */
const calendars = fc
  .uniqueArray(fc.tuple(fc.integer({ min: -40, max: 40 }), fc.nat(12), fc.integer({ min: -3, max: 9 })), {
    maxLength: 12,
    selector: ([first]) => first,
  })
  .map((drawn) =>
    drawn
      .toSorted(([left], [right]) => left - right)
      .map(([first, length, key]): TablePeriod => ({ first, last: first + length, key, label: `of ${first}` })),
  );
const days = fc.integer({ min: -60, max: 60 });

it('periods are found by their days and numbers as in a loop over all periods', () => {
  fc.assert(
    fc.property(calendars, days, days, fc.integer({ min: -3, max: 9 }), (all, from, to, number) => {
      const periods = new Periods(all);
      expect(periods.endingFrom(from)).toBe(all.find(({ last }) => last >= from));
      expect(periods.beginningBy(to)).toBe(all.findLast(({ first }) => first <= to));
      expect(periods.within(from, to)).toEqual(all.filter(({ first, last }) => last >= from && first <= to));
      expect(periods.meant(`${number}.0`)).toBe(all.find(({ key }) => key === number));
    }),
    { numRuns: 500 },
  );
});
