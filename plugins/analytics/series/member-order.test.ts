import { expect, it } from 'vitest';
import { mergedOrder } from './member-order.ts';

const merged = async (...lists: (readonly string[])[]) => [...(await mergedOrder(lists)).keys()];

it('a member that the first list lacks has its place in the other lists', async () => {
  expect(await merged(['Feb', 'Mar'], ['Jan', 'Feb'], ['Feb', 'Mar', 'Apr'])).toEqual(['Jan', 'Feb', 'Mar', 'Apr']);
  expect(await merged(['Jan', 'Mar'], ['Jan', 'Feb', 'Mar'])).toEqual(['Jan', 'Feb', 'Mar']);
});

it('one list is its own order, also with a member twice in a row', async () => {
  expect(await merged(['b', 'a', 'a', 'c'])).toEqual(['b', 'a', 'c']);
  expect(await merged()).toEqual([]);
});

it('lists that contradict one another keep the order of appearance', async () => {
  expect(await merged(['a', 'b'], ['b', 'a'])).toEqual(['a', 'b']);
});
