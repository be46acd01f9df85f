import { expect, test } from 'vitest';
import { itemCounter } from './cooperative-yield.ts';

test('a counter of items is due once for each so many items, whatever the steps are', () => {
  const isDue = itemCounter(10);
  expect([4, 4, 4, 4, 4, 4].map(isDue)).toEqual([false, false, true, false, false, true]);
  expect([10, 25, 0, 9, 1].map(isDue)).toEqual([true, true, false, false, true]);
});
