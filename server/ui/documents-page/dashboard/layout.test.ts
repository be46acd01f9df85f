import { expect, test } from 'vitest';
import { freeId, freePlace, placeTile, type Tile } from './layout.ts';

const tile = (id: string, x: number, y: number, w: number, h: number): Tile => ({ id, kind: 'chart', x, y, w, h });
const places = (tiles: readonly Tile[]) => Object.fromEntries(tiles.map(({ id, x, y, w, h }) => [id, [x, y, w, h]]));

test('a tile moves, and those in its way move down with those below them', () => {
  const tiles = [tile('a', 0, 0, 6, 4), tile('b', 6, 0, 6, 4), tile('c', 6, 4, 6, 2)];
  expect(places(placeTile(tiles, 'a', { x: 4, y: 0, w: 6, h: 4 }, 12))).toEqual({
    a: [4, 0, 6, 4],
    b: [6, 4, 6, 4],
    c: [6, 8, 6, 2],
  });
});

test('a tile stays in the grid', () => {
  const tiles = [tile('a', 0, 0, 6, 4)];
  expect(places(placeTile(tiles, 'a', { x: 9, y: -3, w: 6, h: 4 }, 12))).toEqual({ a: [6, 0, 6, 4] });
  expect(places(placeTile(tiles, 'a', { x: 0, y: 0, w: 40, h: 0 }, 12))).toEqual({ a: [0, 0, 12, 1] });
});

test('tiles without a tile in their way keep their places', () => {
  const tiles = [tile('a', 0, 0, 3, 2), tile('b', 9, 7, 3, 2)];
  expect(places(placeTile(tiles, 'a', { x: 3, y: 0, w: 3, h: 2 }, 12))).toEqual({ a: [3, 0, 3, 2], b: [9, 7, 3, 2] });
});

test('a new tile takes the first free place, else a new row', () => {
  expect(freePlace([tile('a', 0, 0, 6, 4)], { w: 6, h: 4 }, 12)).toEqual({ x: 6, y: 0, w: 6, h: 4 });
  expect(freePlace([tile('a', 0, 0, 8, 4)], { w: 6, h: 4 }, 12)).toEqual({ x: 0, y: 4, w: 6, h: 4 });
  expect(freePlace([], { w: 20, h: 1 }, 12)).toEqual({ x: 0, y: 0, w: 12, h: 1 });
});

test('a new tile has an id of its own', () => {
  expect(freeId([{ id: 'chart-1' }, { id: 'chart-3' }], 'chart')).toBe('chart-2');
});
