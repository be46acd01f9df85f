import MiniSearch from 'minisearch';
import { MAX_RANKED_WORDS } from './limits.ts';

/** A text of which as much goes into a prompt as fits. */
export interface Line {
  readonly text: string;
  /** Search texts: the name weighs more than the description. */
  readonly names: string;
  readonly about: string;
  /** Whether it is a metric or a measure. Almost every query needs one, so these and the others take turns. */
  readonly isFigure?: boolean;
  /** Places of lines that are often needed with this one. */
  readonly companions?: readonly number[];
}

export interface Fitted {
  readonly indexes: readonly number[];
  readonly isWhole: boolean;
}

/** UTF-8 bytes of a token at least, in the languages and the notation of prompts. */
const BYTES_PER_TOKEN = 3;

/** Estimates the tokens of a text; rather too many than too few. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/**
 * Chooses the lines that fit into `maxTokens`: all of them, or those that fit the question best. What no word of the
 * question is found in comes after what one is, in its own order.
 *
 * @returns places of the chosen lines, in the order of the lines
 */
export async function choose(lines: readonly Line[], question: string, maxTokens: number): Promise<Fitted> {
  const costs = lines.map(({ text }) => tokensOf(`${text}\n`));
  if (costs.reduce((sum, cost) => sum + cost, 0) <= maxTokens) return { indexes: [...lines.keys()], isWhole: true };
  const indexes: number[] = [];
  let left = maxTokens;
  for (const index of await bestFirst(lines, question)) {
    const cost = costs[index] ?? 0;
    if (cost > left) continue;
    left -= cost;
    indexes.push(index);
  }
  return { indexes: indexes.sort((a, b) => a - b), isWhole: false };
}

/**
 * Returns the places of all lines, the ones that fit the question best first, each before its companions. The same lines and
 * question have the same order.
 */
export async function bestFirst(lines: readonly Line[], question: string): Promise<readonly number[]> {
  const search = new MiniSearch<{ id: number; names: string; about: string }>({
    fields: ['names', 'about'],
    tokenize: wordsOf,
    processTerm: folded,
  });
  // In pieces, so that the other work of the process has its turn.
  await search.addAllAsync(
    lines.map(({ names, about }, id) => ({ id, names, about })),
    { chunkSize: 100 },
  );
  const words = [...new Set(wordsOf(question).map(folded))].slice(0, MAX_RANKED_WORDS);
  const hits = search.search(words.join(' '), {
    boost: { names: 4 },
    prefix: (word) => word.length > 3,
    fuzzy: (word) => (word.length > 4 ? 0.2 : false),
  });
  const order = new Set<number>();
  for (const place of takingTurns(
    hits.map(({ id }) => Number(id)),
    lines,
  )) {
    order.add(place);
    for (const companion of lines[place]?.companions ?? []) order.add(companion);
  }
  for (const index of lines.keys()) order.add(index);
  return [...order];
}

/** Returns the places with the best figure first, then the best of the others, and so on. */
function takingTurns(places: readonly number[], lines: readonly Line[]): readonly number[] {
  const figures = places.filter((place) => lines[place]?.isFigure === true);
  const others = places.filter((place) => lines[place]?.isFigure !== true);
  const longest = Math.max(figures.length, others.length);
  return Array.from({ length: longest }, (_, turn) => [figures[turn], others[turn]])
    .flat()
    .filter((place) => place !== undefined);
}

/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Splits a text into its words; `netSales` and `net_sales` are two. */
function wordsOf(text: string): string[] {
  const words = text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[\s\p{P}\p{S}]+/u)
    .filter((word) => word !== '');
  return words.flatMap((word) =>
    UNSPACED.test(word) ? [...segmenter.segment(word)].map(({ segment }) => segment) : [word],
  );
}

/** Folds letter case and accents. */
function folded(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
