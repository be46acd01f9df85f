import { expect, test } from 'vitest';
import { SingleFlight } from './single-flight.ts';

/** Makes work that ends on demand and reports whether it was stopped. */
function work() {
  let end = (_result: string): void => undefined;
  const promise = new Promise<string>((resolve) => {
    end = resolve;
  });
  let started = 0;
  let stop: AbortSignal | undefined;
  let isCurrent = () => false;
  return {
    end: (result: string) => end(result),
    started: () => started,
    isStopped: () => stop?.aborted === true,
    isCurrent: () => isCurrent(),
    run: (signal: AbortSignal, current: () => boolean) => {
      started += 1;
      stop = signal;
      isCurrent = current;
      return promise;
    },
  };
}

test('calls during a flight share its work, and a later call starts new work', async () => {
  const flights = new SingleFlight<string>();
  const one = work();
  const waiting = [flights.run('a', undefined, one.run), flights.run('a', undefined, one.run)];
  expect([one.started(), flights.has('a'), flights.has('b')]).toEqual([1, true, false]);
  one.end('x');
  expect(await Promise.all(waiting)).toEqual(['x', 'x']);
  expect(flights.has('a')).toBe(false);
  expect(await flights.run('a', undefined, one.run)).toBe('x');
  expect(one.started()).toBe(2);
});

test('the work is stopped when its last waiting caller gives up, and not before', async () => {
  const flights = new SingleFlight<string>('Given up.');
  const one = work();
  const [first, second] = [new AbortController(), new AbortController()];
  const waiting = [flights.run('a', first.signal, one.run), flights.run('a', second.signal, one.run)];
  first.abort();
  await expect(waiting[0]).rejects.toMatchObject({ kind: 'CANCELLED', message: 'Given up.' });
  expect(one.isStopped()).toBe(false);
  second.abort();
  await expect(waiting[1]).rejects.toMatchObject({ kind: 'CANCELLED' });
  expect([one.isStopped(), flights.has('a')]).toEqual([true, false]);
  const again = work();
  const later = flights.run('a', undefined, again.run);
  expect(again.started()).toBe(1);
  again.end('y');
  expect(await later).toBe('y');
});

test('forgotten work still ends for its waiting callers, and a new call starts new work', async () => {
  const flights = new SingleFlight<string>();
  const [old, young] = [work(), work()];
  const before = flights.run('a', undefined, old.run);
  flights.forget((key) => key === 'a');
  const after = flights.run('a', undefined, young.run);
  expect([old.isCurrent(), young.isCurrent()]).toEqual([false, true]);
  old.end('old');
  young.end('young');
  expect([await before, await after]).toEqual(['old', 'young']);
});

test('a failure reaches every waiting caller, and is not cached', async () => {
  const flights = new SingleFlight<string>();
  const failing = () => Promise.reject(new Error('no'));
  await expect(flights.run('a', undefined, failing)).rejects.toThrow('no');
  expect(flights.has('a')).toBe(false);
});

test('closing stops all work', async () => {
  const flights = new SingleFlight<string>();
  const one = work();
  const waiting = flights.run('a', undefined, one.run);
  flights.close();
  expect(one.isStopped()).toBe(true);
  one.end('x');
  expect(await waiting).toBe('x');
});
