/** Zones are read in turns of the event loop. Work is counted in questions to `Intl`, of which one takes some microseconds. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { zoneRules } from '../../../router/time-zone.ts';
import { offsetSql, readZone } from './zone-offset.ts';

/** At 20 microseconds each, ten times what they take, 10 ms. */
const MAX_CHANGES_IN_A_TURN = 500;

test.each(['Africa/Casablanca', 'Europe/Berlin', 'America/St_Johns'])(
  'the changes of %s are read in short turns and once, and the expression then asks nothing more',
  async (zone) => {
    const formats: { readonly format: unknown } = Intl.DateTimeFormat.prototype;
    const asked = vi.spyOn(formats, 'format', 'get');
    try {
      let isRead = false;
      const reading = Promise.all([readZone(zone), readZone(zone)]).then(() => {
        isRead = true;
      });
      const turns: number[] = [];
      for (let before = asked.mock.calls.length; !isRead; before = asked.mock.calls.length) {
        await nextTurn();
        turns.push(asked.mock.calls.length - before);
      }
      await reading;
      const all = asked.mock.calls.length;
      expect(Math.max(...turns)).toBeLessThanOrEqual(MAX_CHANGES_IN_A_TURN);
      expect(turns.length).toBeGreaterThan(all / MAX_CHANGES_IN_A_TURN);
      // Each of 279 years is read every five days, once for both calls.
      expect(all).toBeGreaterThan(279 * 73);
      expect(all).toBeLessThan(279 * 73 * 3);
      expect(offsetSql('at', zone)).toContain('CASE');
      await readZone(zone);
      expect(asked.mock.calls.length).toBe(all);
    } finally {
      asked.mockRestore();
    }
  },
);

test('what is read in turns is what is read in one go', async () => {
  await readZone('Europe/Berlin');
  // The last Sundays of March and October, at 01:00 UTC.
  expect(zoneRules('Europe/Berlin').changes.filter(({ at }) => new Date(at).getUTCFullYear() === 2024)).toEqual([
    { at: Date.UTC(2024, 2, 31, 1), offset: 7_200 },
    { at: Date.UTC(2024, 9, 27, 1), offset: 3_600 },
  ]);
});
