import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { onAbort, untilAborted } from './abort.ts';

const warnings: Error[] = [];
const warned = (warning: Error): void => void warnings.push(warning);
beforeEach(() => {
  warnings.length = 0;
  process.on('warning', warned);
});
afterEach(() => void process.off('warning', warned));

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));
const reason = () => new Error('left');

test('fifty works that wait for one signal warn of no leak, and leave it when they end', async () => {
  const { signal } = new AbortController();
  const works = Array.from({ length: 50 }, () => untilAborted(soon(), signal, reason));
  expect(getEventListeners(signal, 'abort')).toHaveLength(50);
  await Promise.all(works);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  await soon();
  expect(warnings).toEqual([]);
});

test('an abort ends the wait, not the work; one before ends it at once', async () => {
  const controller = new AbortController();
  let isDone = false;
  const work = soon().then(() => {
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

test('what failed is told as it is, and without a signal nothing is listened to', async () => {
  const { signal } = new AbortController();
  await expect(untilAborted(Promise.reject(new Error('failed')), signal, reason)).rejects.toThrow('failed');
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  await expect(untilAborted(Promise.resolve(1), undefined, reason)).resolves.toBe(1);
  onAbort(undefined, () => {})();
});
