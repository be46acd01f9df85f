import { expect, it } from 'vitest';
import { requestTurn } from './request-turns.ts';

it('requests that arrive together begin in turns of their own, in their order', async () => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const begun: [request: number, turn: number][] = [];
  await Promise.all(
    [0, 1, 2, 3].map(async (request) => {
      await requestTurn();
      begun.push([request, turn]);
    }),
  );
  isOver = true;
  expect(begun.map(([request]) => request)).toEqual([0, 1, 2, 3]);
  expect(new Set(begun.map(([, at]) => at)).size).toBe(4);
});

it('a request alone does not wait', async () => {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(requestTurn()).toBeUndefined();
});
