import { expect, test } from 'vitest';
import { parseAnswer } from '../src/api/parse-answer.ts';
import { ungroupedNote } from '../src/chart/ungrouped-note.ts';
import { formatsFor } from '../src/formats.ts';
import { answer, cell, dimension, metric } from '../test/answers.ts';

const noteOf = (rows: readonly (readonly [string | null, number])[], settings = { ungrouped: true }) =>
  ungroupedNote(
    parseAnswer(
      answer(
        [dimension('c', 'Customer'), metric('m', 'Revenue')],
        rows.map(([name, value]) => ({ c: name, m: cell(value, String(value)) })),
      ),
    ),
    settings,
    formatsFor('en', undefined),
  );

test('a chart that asks for it notes the share without a group', () => {
  expect(
    noteOf([
      ['Ann', 986],
      [null, 14],
    ]),
  ).toBe('1.4% of Revenue has no Customer');
  expect(
    noteOf(
      [
        ['Ann', 986],
        [null, 14],
      ],
      { ungrouped: false },
    ),
  ).toBeUndefined();
  expect(
    noteOf([
      ['Ann', 986],
      ['Bob', 14],
    ]),
  ).toBeUndefined();
  // Shares of sums with negative parts mean nothing.
  expect(
    noteOf([
      ['Ann', 986],
      ['Bob', -20],
      [null, 14],
    ]),
  ).toBeUndefined();
});
