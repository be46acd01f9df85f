import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TimeoutError } from '../../../router/errors.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { SET_CASES } from './functions/testing/set-cases.ts';
import { NAME_CASES, OPERATOR_CASES, SCALAR_CASES, STATISTIC_CASES } from './functions/testing/value-cases.ts';
import { type MdxCatalog, MdxError } from './index.ts';
import { tokenize } from './syntax/lexer.ts';
import { parseStatement } from './syntax/parse-statement.ts';
import { openShop, SHOP_TABLES } from './testing/shop.ts';

/** Queries of every function. Wrong queries are made from them. */
const QUERIES: readonly string[] = [
  ...SET_CASES.map(
    ([set, , cube]) => `select non empty {${set}} dimension properties MEMBER_KEY on 0 from [${cube ?? 'Sales'}]`,
  ),
  ...[...OPERATOR_CASES, ...STATISTIC_CASES, ...SCALAR_CASES, ...NAME_CASES].map(
    ([value]) =>
      `with member Measures.X as ${value}, format_string = '#,##0.0', solve_order = 2 set S as [Store].Members
       select {Measures.X} on columns, S on rows from [Sales] where ([Time].[2023]) cell properties VALUE, FORMAT_STRING`,
  ),
];

/** Splits a text into words, each with the characters up to the next word. */
function words(query: string): readonly string[] {
  const starts = tokenize(query).map(({ start }) => start);
  return starts.slice(0, -1).map((start, index) => query.slice(start, starts[index + 1]));
}

const POOL: readonly string[] = [
  ...new Set(QUERIES.flatMap(words)),
  ...['-1 ', '1e308 ', '99999999999 ', '"" ', 'NULL ', '[#null] ', '&[1] ', "'", '"', '[', '(((((', '{}', ', ,', '.'],
];

/**
 * Sorts words by kind, so that a word is replaced by one of its kind: names by names, numbers by numbers, functions by
 * functions.
 */
const sort = (word: string) =>
  word.startsWith('[')
    ? '['
    : /^[\d.]+\s*$/.test(word)
      ? '1'
      : /^\w/.test(word)
        ? 'w'
        : /^["']/.test(word)
          ? '"'
          : word;
const BY_SORT = new Map([...new Set(POOL.map(sort))].map((kind) => [kind, POOL.filter((word) => sort(word) === kind)]));

function kin(word: string, other: number): string {
  const words = BY_SORT.get(sort(word)) ?? [word];
  return words[other % words.length] ?? word;
}

/**
 * A change of one word: it is dropped, doubled, replaced by another, or swapped with another. Most often it is replaced
 * by one of its kind.
 */
const change = fc.record({
  kind: fc.constantFrom('drop', 'double', 'replace', 'insert', 'swap', 'cut', 'kin', 'kin', 'kin', 'kin', 'kin', 'kin'),
  at: fc.nat(),
  other: fc.nat(),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function mutated(query: string, changes: readonly Change[]): string {
  const text = [...words(query)];
  for (const { kind, at, other } of changes) {
    if (text.length === 0) return '';
    const place = at % text.length;
    const word = POOL[other % POOL.length] ?? '';
    const elsewhere = other % text.length;
    if (kind === 'drop') text.splice(place, 1);
    else if (kind === 'double') text.splice(place, 0, text[place] ?? '');
    else if (kind === 'replace') text[place] = word;
    else if (kind === 'kin') text[place] = kin(text[place] ?? '', other);
    else if (kind === 'insert') text.splice(place, 0, word);
    else if (kind === 'cut') text.length = place;
    else [text[place], text[elsewhere]] = [text[elsewhere] ?? '', text[place] ?? ''];
  }
  return text.join('');
}

describe('wrong queries', () => {
  let started: TestWarehouse;
  let shop: MdxCatalog;
  beforeAll(async () => {
    started = await startWarehouse('duckdb', SHOP_TABLES);
    shop = openShop(started.warehouse, { limits: { cells: 20_000, timeMs: 2_000, depth: 50 } });
  });
  afterAll(() => started.stop());

  it('made from right ones are answered, or refused with a reason, and never fail by a fault of the engine', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...QUERIES),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async (query, changes) => {
          const mdx = mutated(query, changes);
          const fault: unknown = await shop.query(mdx).then(
            () => undefined,
            (error: unknown) => error,
          );
          if (fault === undefined || fault instanceof TimeoutError) return;
          expect(fault, mdx).toBeInstanceOf(MdxError);
        },
      ),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 1_500), seed: SEED, interruptAfterTimeLimit: 40_000 },
    );
  });

  it('of any characters are refused with a position', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'select {}[](),.&\'"-*/\n 1aE%'.split('')), maxLength: 60 }),
        (text) => {
          try {
            parseStatement(text);
          } catch (error) {
            expect(error).toBeInstanceOf(MdxError);
            expect(error).toHaveProperty('position.line', expect.any(Number));
            expect(error).toHaveProperty('position.column', expect.any(Number));
          }
        },
      ),
      { numRuns: 5_000, seed: SEED },
    );
  });

  it('nested ten thousand deep are refused', async () => {
    for (const [open, close] of [
      ['(', ')'],
      ['{', '}'],
      ['- ', ''],
      ['NOT ', ''],
      ['1 + ', ''],
      ['NOT 1 = 1 OR ', ''],
    ]) {
      const deep = `${open?.repeat(10_000)}1${close?.repeat(10_000)}`;
      await expect(shop.query(`with member Measures.X as ${deep} select {Measures.X} on 0 from Sales`)).rejects.toThrow(
        MdxError,
      );
    }
  });

  it('with long sums are computed', async () => {
    const sum = Array.from({ length: 700 }, () => '1').join(' + ');
    const result = await shop.query(`with member Measures.X as ${sum} select {Measures.X} on 0 from Sales`);
    expect(result.cells[0]?.value).toBe(700);
  });
});
