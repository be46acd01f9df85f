import { InternalError } from '../../router/errors.ts';

/**
 * Splits JSON without reading its numbers: `JSON.parse` would round an integer beyond 2^53 and the digits of a decimal.
 * Each piece is then read by the type of its column, and a nested value stays the JSON text that it is.
 */

/** Splits the text of a JSON array: `[1,"a, b",{"c":[2]}]` -> `1`, `"a, b"`, `{"c":[2]}`. */
export function jsonElements(text: string): readonly string[] {
  const elements: string[] = [];
  const end = text.length - 1;
  let start = text.indexOf('[') + 1;
  if (start === 0) throw new InternalError('A warehouse sent a row that is not a JSON array.');
  let depth = 0;
  for (let at = start; at <= end; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        depth++;
        break;
      case CLOSE_BRACE:
        depth--;
        break;
      case CLOSE_BRACKET:
        if (depth > 0) {
          depth--;
          break;
        }
        if (elements.length > 0 || text.slice(start, at).trim() !== '') elements.push(text.slice(start, at).trim());
        return elements;
      case COMMA:
        if (depth > 0) break;
        elements.push(text.slice(start, at).trim());
        start = at + 1;
        break;
    }
  }
  throw new InternalError('A warehouse sent a row that does not end.');
}

/**
 * Returns the raw text of one member of a JSON object, `undefined` where it has none: `{"id":1,"data":[[2]]}`, `data`
 * -> `[[2]]`.
 */
export function jsonMember(text: string, name: string): string | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        // At depth 1 a string before a colon is a key.
        if (depth === 1 && text.slice(at + 1, end) === name && isColonNext(text, end + 1))
          return valueAt(text, text.indexOf(':', end) + 1);
        at = end;
        break;
      }
      case OPEN_BRACKET:
      case OPEN_BRACE:
        depth++;
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth--;
        break;
    }
  }
  return undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Returns the position of the quote that closes the string that opens at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  throw new InternalError('A warehouse sent a text that does not end.');
}

function isColonNext(text: string, at: number): boolean {
  return /^\s*:/.test(text.slice(at, at + 8));
}

function valueAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        depth++;
        break;
      case COMMA:
        if (depth === 0) return text.slice(start, at).trim();
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        if (depth === 0) return text.slice(start, at).trim();
        depth--;
        break;
    }
  }
  throw new InternalError('A warehouse sent an answer that does not end.');
}
