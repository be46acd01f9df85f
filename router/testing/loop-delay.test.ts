import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { holdOf, isHeld, longestHold } from './loop-delay.ts';

/** Computes for as long, whatever else the machine does. */
function spin(milliseconds: number): void {
  const before = process.cpuUsage();
  for (let spent = 0; spent < milliseconds * 1_000; ) {
    const { user, system } = process.cpuUsage(before);
    spent = user + system;
  }
}

it('the measure sees a loop that is held, and one that is let go of', async () => {
  const inOneGo = await holdOf(async () => spin(400));
  const inPieces = await longestHold(async () => {
    for (let piece = 0; piece < 80; piece++) {
      spin(5);
      await nextTurn();
    }
  });
  // A busy machine stretches the whole, not what is held.
  expect(inOneGo.heldMillis).toBeGreaterThan(300);
  expect(isHeld(inPieces)).toBe(false);
});

it('work is too long where it holds more than 200 ms and a tenth of the whole', () => {
  expect(isHeld({ heldMillis: 400, totalMillis: 400 })).toBe(true);
  expect(isHeld({ heldMillis: 201, totalMillis: 2_000 })).toBe(true);
  expect(isHeld({ heldMillis: 199, totalMillis: 199 })).toBe(false);
  expect(isHeld({ heldMillis: 400, totalMillis: 4_001 })).toBe(false);
});
