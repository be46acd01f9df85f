/** Tests that zones are read in turns of the event loop. The work is counted in calls of `Intl`, which take some microseconds each. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { zoneRules } from '../../../router/time-zone.ts';
import { offsetSql, readZone } from './zone-offset.ts';

/** With 20 microseconds each, ten times their duration, 10 ms. */
const MAX_CHANGES_IN_A_TURN = 500;

test.each(['Africa/Casablanca', 'Europe/Berlin', 'America/St_Johns'])(
  'the changes of %s are read once and in short turns, and the expression then reads no more',
  async (zone) => {
    const formats: { readonly format: unknown } = Intl.DateTimeFormat.prototype;
    const formatCalls = vi.spyOn(formats, 'format', 'get');
    try {
      let isRead = false;
      const reading = Promise.all([readZone(zone), readZone(zone)]).then(() => {
        isRead = true;
      });
      const turns: number[] = [];
      for (let before = formatCalls.mock.calls.length; !isRead; before = formatCalls.mock.calls.length) {
        await nextTurn();
        turns.push(formatCalls.mock.calls.length - before);
      }
      await reading;
      const all = formatCalls.mock.calls.length;
      expect(Math.max(...turns)).toBeLessThanOrEqual(MAX_CHANGES_IN_A_TURN);
      expect(turns.length).toBeGreaterThan(all / MAX_CHANGES_IN_A_TURN);
      // Each of 279 years is read every five days, once for both calls.
      expect(all).toBeGreaterThan(279 * 73);
      expect(all).toBeLessThan(279 * 73 * 3);
      expect(offsetSql('at', zone)).toContain('CASE');
      await readZone(zone);
      expect(formatCalls.mock.calls.length).toBe(all);
    } finally {
      formatCalls.mockRestore();
    }
  },
);

test('a zone read in turns equals a zone read at once', async () => {
  await readZone('Europe/Berlin');
  // The last Sundays of March and October, at 01:00 UTC.
  expect(zoneRules('Europe/Berlin').changes.filter(({ at }) => new Date(at).getUTCFullYear() === 2024)).toEqual([
    { at: Date.UTC(2024, 2, 31, 1), offset: 7_200 },
    { at: Date.UTC(2024, 9, 27, 1), offset: 3_600 },
  ]);
});
