import { describe, expect, test } from 'vitest';
import { fitName } from '../src/chart/modes/fit-name.ts';

/** A mark with room for lines of so many characters. */
const room =
  (characters: number, most: number) =>
  (lines: readonly string[]): boolean =>
    lines.length <= most && lines.every(({ length }) => length <= characters);

describe('a name in a mark', () => {
  test('stays on one line while it fits', () => {
    expect(fitName('Lighting basic', room(14, 3))).toBe('Lighting basic');
  });
  test('is broken between words, into lines as short as possible', () => {
    expect(fitName('Folding chair, set of two', room(14, 3))).toBe('Folding chair,\nset of two');
    expect(fitName('one two three four', room(8, 3))).toBe('one two\nthree\nfour');
  });
  test('is cut where most of it stays', () => {
    expect(fitName('Furniture', room(8, 3))).toBe('Furnitu…');
  });
  test('is left out where one would have to guess', () => {
    expect(fitName('Furniture', room(5, 3))).toBeUndefined();
    expect(fitName('Furniture mini', room(8, 1))).toBeUndefined();
  });
});
