import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatasourceBoard } from './board.ts';

const PATIENCE = 5_000;
let board: DatasourceBoard;
beforeEach(() => {
  vi.useFakeTimers();
  board = new DatasourceBoard(PATIENCE);
});
afterEach(() => vi.useRealTimers());

/** Returns what became of a wait, after some time. */
async function outcomeAfter(ms: number, waiting: Promise<void>): Promise<unknown> {
  let outcome: unknown = 'waits';
  waiting.then(
    () => (outcome = 'goes on'),
    (error: unknown) => (outcome = error),
  );
  await vi.advanceTimersByTimeAsync(ms);
  return outcome;
}

describe('a caller that needs a connection', () => {
  it('waits while it is loaded, in any letter case, and continues afterwards', async () => {
    board.begin(['Shop', 'Other']);
    const waiting = board.settled('shop');
    expect(await outcomeAfter(PATIENCE - 1, waiting)).toBe('waits');
    board.end('Shop', 'served');
    expect(await outcomeAfter(0, waiting)).toBe('goes on');
    expect(board.loading).toEqual(['Other']);
  });

  it('learns after a while that it is still being loaded, and when to retry', async () => {
    board.begin(['Shop']);
    expect(await outcomeAfter(PATIENCE, board.settled('shop'))).toMatchObject({
      status: 503,
      code: 'DATASOURCE_LOADING',
      retryAfterSeconds: expect.any(Number),
    });
  });

  it('does not wait for others', async () => {
    board.begin(['Shop']);
    expect(await outcomeAfter(0, board.settled('other'))).toBe('goes on');
  });

  it('waits until the connections are known', async () => {
    const waiting = board.settled('shop');
    expect(await outcomeAfter(1, waiting)).toBe('waits');
    board.begin([]);
    expect(await outcomeAfter(0, waiting)).toBe('goes on');
  });

  it('learns at once that its warehouse does not answer, until it does', async () => {
    board.begin(['Shop']);
    board.end('Shop', 'down');
    expect(await outcomeAfter(0, board.settled('SHOP'))).toMatchObject({ status: 503, code: 'DATASOURCE_UNAVAILABLE' });
    board.begin(['Shop']);
    board.end('Shop', 'refused');
    expect(await outcomeAfter(0, board.settled('shop'))).toBe('goes on');
  });

  it('learns nothing about a removed descriptor', async () => {
    board.begin(['Shop']);
    board.end('Shop', 'down');
    board.keepOnly(['other']);
    expect(await outcomeAfter(0, board.settled('shop'))).toBe('goes on');
  });
});

it('that lists waits for all, for a limited time', async () => {
  board.begin(['a', 'b']);
  board.end('a', 'served');
  const first = board.allSettled();
  expect(await outcomeAfter(PATIENCE - 1, first)).toBe('waits');
  expect(await outcomeAfter(1, first)).toBe('goes on');
});
