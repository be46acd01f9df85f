import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isHeld, longestHold } from './loop-delay.ts';

function spin(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
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
