import { expect, test } from 'vitest';
import { Channel, type Message } from './channel.ts';

type Count = { readonly count: { readonly request: number; readonly part: number; readonly answer: string } };
type Nothing = Record<never, never>;

test('a side handles few parts of an answer in one turn of its event loop, however fast the other side is', async () => {
  // Stands for a port, which passes on the messages that arrive while it passes on others.
  const arrived: Message[] = [];
  let isPassingOn = false;
  const passOn = async (): Promise<void> => {
    if (isPassingOn) return;
    isPassingOn = true;
    for (let message = arrived.shift(); message !== undefined; message = arrived.shift()) {
      asking.receive(message);
      // The other side, a thread of its own, needs no turn of this event loop.
      for (let step = 0; step < 20; step++) await Promise.resolve();
    }
    isPassingOn = false;
  };
  const answering: Channel<Nothing, Count> = new Channel(
    (message) => {
      arrived.push(message);
      void passOn();
    },
    {
      count: async (to, { part }) => {
        for (let number = 0; number < to; number++) await part(number);
        return 'done';
      },
    },
  );
  const asking: Channel<Count, Nothing> = new Channel((message) => answering.receive(message), {});

  let turn = 0;
  let next = setImmediate(countTurn);
  function countTurn(): void {
    turn++;
    next = setImmediate(countTurn);
  }
  const partsOfTurns = new Map<number, number>();
  const parts: number[] = [];
  const onPart = (part: number): void => {
    parts.push(part);
    partsOfTurns.set(turn, (partsOfTurns.get(turn) ?? 0) + 1);
  };
  expect(await asking.ask('count', 100, { onPart })).toBe('done');
  clearImmediate(next);
  expect(parts).toEqual(Array.from({ length: 100 }, (_, number) => number));
  expect(Math.max(...partsOfTurns.values())).toBeLessThan(10);
});
