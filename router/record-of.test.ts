import { expect, test } from 'vitest';
import { recordOf } from './record-of.ts';

test('a record has what Object.fromEntries makes of the pairs', () => {
  for (const names of [
    ['a', 'b', 'c'],
    ['2', '1', '0'],
    ['__proto__', 'constructor', 'toString'],
    ['a', 'a', 'b'],
    [],
  ]) {
    const values = names.map((_, index) => ({ index }));
    const record = recordOf(names, values);
    expect(Object.entries(record)).toEqual(
      Object.entries(Object.fromEntries(names.map((name, at) => [name, values[at]]))),
    );
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  }
});
