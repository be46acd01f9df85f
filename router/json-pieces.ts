/** Writes long values as JSON without blocking the event loop. */
import { cooperativeYield } from './cooperative-yield.ts';

/** A longer list is written entry by entry, so that no single call serialises much. */
export const LONG_LIST = 100;
/** Depth to which lists are searched in objects: envelope, answer, columns. Deeper lists are small. */
const MAX_DEPTH = 4;
/** Characters that are collected before they are sent on. */
const PIECE_LENGTH = 32_768;

/** Entries of a long list are serialised together up to this weight; see `weightOf`. */
const WEIGHT_AT_ONCE = 512;
/** Characters of a text that weigh as much as a number. */
const CHARACTERS_OF_A_NUMBER = 32;

/** Returns whether an answer contains a list that takes long to serialise. */
export function isLong(value: unknown, depth = 0): boolean {
  return weightOf(value, depth) === Number.POSITIVE_INFINITY;
}

/** Returns about how many numbers take as long to serialise as a value: infinity if it contains a long list. */
function weightOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return 1 + value.length / CHARACTERS_OF_A_NUMBER;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return 1;
  let weight = 1;
  if (Array.isArray(value)) {
    if (value.length > LONG_LIST) return Number.POSITIVE_INFINITY;
    for (const entry of value) weight += weightOf(entry, depth + 1);
  } else for (const name in value) weight += weightOf(Reflect.get(value, name), depth + 1);
  return weight;
}

/** Writes a value as `JSON.stringify` does, in pieces of bounded length. */
export function* jsonPieces(value: unknown): Generator<string> {
  let gathered = '';
  for (const part of parts(value, 0)) {
    gathered += part;
    if (gathered.length < PIECE_LENGTH) continue;
    yield gathered;
    gathered = '';
  }
  if (gathered !== '') yield gathered;
}

function* parts(value: unknown, depth: number): Generator<string> {
  if (!isLong(value, depth)) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) {
    yield '[';
    for (let from = 0; from < value.length; ) {
      if (from > 0) yield ',';
      const to = endOfShort(value, from, depth + 1);
      if (to > from) yield JSON.stringify(value.slice(from, to)).slice(1, -1);
      else yield* parts(value[from], depth + 1);
      from = Math.max(to, from + 1);
    }
    yield ']';
  } else {
    yield '{';
    let isFirst = true;
    for (const [name, member] of Object.entries(Object(value))) {
      if (member === undefined) continue;
      yield `${isFirst ? '' : ','}${JSON.stringify(name)}:`;
      isFirst = false;
      yield* parts(member, depth + 1);
    }
    yield '}';
  }
}

/** Returns the end of the entries from `from` that may be serialised together: none if the first one contains a long list. */
function endOfShort(entries: readonly unknown[], from: number, depth: number): number {
  let weight = 0;
  for (let at = from; at < entries.length; at++) {
    const own = weightOf(entries[at], depth);
    weight += own;
    if (weight > WEIGHT_AT_ONCE) return own < Number.POSITIVE_INFINITY && at === from ? at + 1 : at;
  }
  return entries.length;
}

/** Serialises a value without blocking the event loop. */
export async function jsonText(value: unknown): Promise<string> {
  const yieldTurn = cooperativeYield();
  const pieces: string[] = [];
  for (const piece of jsonPieces(value)) {
    pieces.push(piece);
    await yieldTurn();
  }
  return pieces.join('');
}
