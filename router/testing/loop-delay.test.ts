import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isHeld, longestHold } from './loop-delay.ts';

/** Computes for as long, whatever else the machine does. */
function spin(milliseconds: number): void {
  const before = process.cpuUsage();
  for (let spent = 0; spent < milliseconds * 1_000; ) {
    const { user, system } = process.cpuUsage(before);
    spent = user + system;
  }
}

it('the measure sees a loop that is held, and one that is let go of', async () => {
  const inOneGo = await longestHold(async () => spin(400));
  const inPieces = await longestHold(async () => {
    for (let piece = 0; piece < 80; piece++) {
      spin(5);
      await nextTurn();
    }
  });
  expect(isHeld(inOneGo)).toBe(true);
  expect(isHeld(inPieces)).toBe(false);
});
