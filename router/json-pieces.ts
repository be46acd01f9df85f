/** Writes long values as JSON without blocking the event loop. */
import { cooperativeYield } from './cooperative-yield.ts';

/** A longer list is written entry by entry, so that no single call serialises much. */
export const LONG_LIST = 100;
/** Depth to which lists are searched in objects: envelope, answer, columns. Deeper lists are small. */
const MAX_DEPTH = 4;
/** Characters that are collected before they are sent on. */
const PIECE_LENGTH = 32_768;

/** Returns whether an answer contains a list that takes long to serialise. */
export function isLong(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.length > LONG_LIST || value.some((entry) => isLong(entry, depth + 1));
  return Object.values(value).some((member) => isLong(member, depth + 1));
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
    for (const [at, entry] of value.entries()) {
      if (at > 0) yield ',';
      yield* parts(entry, depth + 1);
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
