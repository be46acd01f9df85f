import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inWords, sentenceParts } from './server-words.ts';

/** Words of sentences that are put together from several literals of the sources. */
const PUT_TOGETHER =
  /^(The first|\) and not in|This is not an? (Parquet|Excel)|The JSON is malformed\.|The file cannot be read:|% of its values|, by the counts|, and .*% of)/;

function sourcesOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}

test('each sentence is in the sources of the server, word for word', () => {
  const sources = sourcesOf('server/file-import') + sourcesOf('plugins/inference');
  // Words that are written once for one and once for several things are alternatives of one literal.
  const isWritten = (part: string): boolean =>
    PUT_TOGETHER.test(part.trim()) ||
    sources.includes(part) ||
    part
      .split(/\b(?:value|values|row|rows|line|lines|have|has|mean|means|numbers|dates|true or false|are|is|in line)\b/)
      .every((piece) => sources.includes(piece.trim()));
  const missing = sentenceParts().flatMap((parts) => parts.filter((part) => !isWritten(part)));
  expect(missing).toEqual([]);
});

/** Says a sentence in German by the file of the language. */
function german(parts: readonly string[], values: readonly string[]): string {
  const words = JSON.parse(readFileSync('server/ui/locales/de.json', 'utf8')) as Record<string, string>;
  const text = words[parts.map((part, at) => (at === 0 ? part : `{${at - 1}}${part}`)).join('')] ?? '';
  return text.replaceAll(/\{(\d)\}/g, (_, at) => values[Number(at)] ?? '');
}

test('a message is said with its values in the place that the language has for them', () => {
  const english = 'There are 4 values in line 12 where the header has 5.';
  expect(inWords(english)).toBe(english);
  expect(inWords(english, german)).toBe('In Zeile 12 stehen 4 Werte, es gibt aber 5 Spaltennamen.');
  expect(inWords(`orders.csv: ${english}`, german)).toBe(
    'orders.csv: In Zeile 12 stehen 4 Werte, es gibt aber 5 Spaltennamen.',
  );
  const finding =
    '7 of 40 values of Preis (netto) are not numbers: k.A. (4), - (2), ? (1) and 2 more. The column is kept as text.';
  expect(inWords(finding, german)).toBe(
    '7 von 40 Werten in Preis (netto) sind keine Zahlen: k.A. (4), - (2), ? (1) und 2 weitere. Die Spalte bleibt Text.',
  );
  expect(inWords('Its values look like an address. It has 21 different values.', german)).toBe(
    'Die Werte sehen so aus: eine Anschrift. Sie hat 21 verschiedene Werte.',
  );
});

test('a sentence that is not known stays, beside known ones', () => {
  expect(inWords('An unknown sentence. Number of rows.', german)).toBe('An unknown sentence. Anzahl der Zeilen.');
});
