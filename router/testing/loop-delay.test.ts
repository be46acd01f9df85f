import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { holdOf, isHeld, longestHold } from './loop-delay.ts';

/** Computes for this processor time, which does not depend on the load of the machine. */
function spin(milliseconds: number): void {
  const before = process.cpuUsage();
  for (let spent = 0; spent < milliseconds * 1_000; ) {
    const { user, system } = process.cpuUsage(before);
    spent = user + system;
  }
}

it('the measure recognizes a blocked loop, and work that lets the loop run', async () => {
  const inOneGo = await holdOf(async () => spin(400));
  const inPieces = await longestHold(async () => {
    for (let piece = 0; piece < 80; piece++) {
      spin(5);
      await nextTurn();
    }
  });
  // A busy machine lengthens the whole work, not the longest block.
  expect(inOneGo.heldMillis).toBeGreaterThan(300);
  expect(isHeld(inPieces)).toBe(false);
});

it('work blocks the loop too long above 200 ms and a tenth of its time', () => {
  expect(isHeld({ heldMillis: 400, totalMillis: 400 })).toBe(true);
  expect(isHeld({ heldMillis: 201, totalMillis: 2_000 })).toBe(true);
  expect(isHeld({ heldMillis: 199, totalMillis: 199 })).toBe(false);
  expect(isHeld({ heldMillis: 400, totalMillis: 4_001 })).toBe(false);
});
