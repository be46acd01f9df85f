/** Tests the check of phrases with planted cases: it finds each phrase, and nothing else. */
import { expect, it } from 'vitest';
import { PHRASES, phrasesIn, report } from './phrases.ts';

const textsIn = (text: string) => phrasesIn(text).map(({ line, text: phrase }) => [line, phrase]);

it.each([
  ['a comment of one line', '// The total likewise.\n', [[1, 'likewise']]],
  ['a message', "throw new Error('All rows, save for the last.');\n", [[1, 'save for']]],
  ['a page of documentation', '# Title\n\nThat which is shown.\n', [[3, 'That which']]],
  ['a turn across two lines of a comment', '/**\n * Everything is come\n * by later.\n */\n', [[2, 'is come by']]],
  [
    'a verb in either number',
    '// Filters hang together. A month has it not.\n',
    [
      [1, 'hang together'],
      [1, 'has it not'],
    ],
  ],
  [
    'turns that point or report instead of naming',
    '// It tells whether callers are told of rows\n// and of parts, whatever comes of it.\n',
    [
      [1, 'tells whether'],
      [1, 'are told'],
      [2, 'comes of it'],
    ],
  ],
  [
    'a negated noun in a message',
    "warn('names day, which is no field'); fail('kind is none of a, b');\n",
    [
      [1, 'which is no'],
      [1, 'is none of'],
    ],
  ],
  ['a turn across two comments of one line', '// It sees\n// to it.\n', [[1, 'sees to it']]],
  [
    'several in a text, in their order',
    'save where\nlikewise\n',
    [
      [1, 'save where'],
      [2, 'likewise'],
    ],
  ],
] as const)('finds %s', (_, text, findings) => {
  expect(textsIn(text)).toEqual(findings);
});

it.each([
  ['part of a longer word', '// otherwise, likewiseness; which is not a field'],
  ['a turn with a comment that ends in it', '/** It sees */\nto(it);'],
  ['code whose names resemble it', 'const saveFor = that.which;'],
])('leaves %s alone', (_, text) => {
  expect(textsIn(text)).toEqual([]);
});

it('reports the file, the line and the words to write instead', () => {
  expect(report([{ file: 'a/b.ts', text: '\n// likewise\n' }])).toEqual([
    'a/b.ts:2: "likewise": write also, or repeat the verb',
  ]);
});

it('has no phrase twice', () => {
  const words = PHRASES.map((phrase) => phrase.words);
  expect(new Set(words).size).toBe(words.length);
});
