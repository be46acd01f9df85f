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

describe('who asks for a connection', () => {
  it('waits while it is loaded, whatever the letter case, and goes on when that has ended', async () => {
    board.begin(['Shop', 'Other']);
    const waiting = board.settled('shop');
    expect(await outcomeAfter(PATIENCE - 1, waiting)).toBe('waits');
    board.end('Shop', 'served');
    expect(await outcomeAfter(0, waiting)).toBe('goes on');
    expect(board.loading).toEqual(['Other']);
  });

  it('is told after a while that it is still being loaded, and when to ask again', async () => {
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

  it('waits until it is known what there is', async () => {
    const waiting = board.settled('shop');
    expect(await outcomeAfter(1, waiting)).toBe('waits');
    board.begin([]);
    expect(await outcomeAfter(0, waiting)).toBe('goes on');
  });

  it('is told at once that its warehouse does not answer, until it does', async () => {
    board.begin(['Shop']);
    board.end('Shop', 'down');
    expect(await outcomeAfter(0, board.settled('SHOP'))).toMatchObject({ status: 503, code: 'DATASOURCE_UNAVAILABLE' });
    board.begin(['Shop']);
    board.end('Shop', 'refused');
    expect(await outcomeAfter(0, board.settled('shop'))).toBe('goes on');
  });

  it('hears no more of one whose descriptor is gone', async () => {
    board.begin(['Shop']);
    board.end('Shop', 'down');
    board.keepOnly(['other']);
    expect(await outcomeAfter(0, board.settled('shop'))).toBe('goes on');
  });
});

it('who lists waits for all, and no longer than a while', async () => {
  board.begin(['a', 'b']);
  board.end('a', 'served');
  const first = board.allSettled();
  expect(await outcomeAfter(PATIENCE - 1, first)).toBe('waits');
  expect(await outcomeAfter(1, first)).toBe('goes on');
});
