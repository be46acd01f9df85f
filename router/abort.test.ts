import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { onAbort, untilAborted } from './abort.ts';

const warnings: Error[] = [];
const noteWarning = (warning: Error): void => void warnings.push(warning);
beforeEach(() => {
  warnings.length = 0;
  process.on('warning', noteWarning);
});
afterEach(() => void process.off('warning', noteWarning));

const reason = () => new Error('left');

test('fifty waits for one signal cause no leak warning, and remove their listeners when they end', async () => {
  const { signal } = new AbortController();
  const works = Array.from({ length: 50 }, () => untilAborted(nextTurn(), signal, reason));
  expect(getEventListeners(signal, 'abort')).toHaveLength(50);
  await Promise.all(works);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  await nextTurn();
  expect(warnings).toEqual([]);
});

test('an abort ends the wait and not the work; after an abort a wait ends at once', async () => {
  const controller = new AbortController();
  let isDone = false;
  const work = nextTurn().then(() => {
    isDone = true;
  });
  const wait = untilAborted(work, controller.signal, reason);
  controller.abort();
  await expect(wait).rejects.toThrow('left');
  await expect(untilAborted(work, controller.signal, reason)).rejects.toThrow('left');
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  expect(isDone).toBe(false);
  await work;
});

test('the error of the work is thrown unchanged, and without a signal nothing listens', async () => {
  const { signal } = new AbortController();
  await expect(untilAborted(Promise.reject(new Error('failed')), signal, reason)).rejects.toThrow('failed');
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  await expect(untilAborted(Promise.resolve(1), undefined, reason)).resolves.toBe(1);
  onAbort(undefined, () => {})();
});
