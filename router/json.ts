/** Reads JSON of callers. Bounded before a value is built, and exact where a double is not. */
import { MalformedBodyError, ValidationError } from './errors.ts';
import { MAX_JSON_DEPTH, MAX_JSON_MEMBERS, MAX_JSON_NUMBER_LENGTH, MAX_JSON_VALUES } from './limits.ts';

/**
 * Returns the value of a JSON text. A number that does not fit a double exactly becomes a text of its digits; every
 * operation takes such a value in this form.
 *
 * @throws MalformedBodyError when the text is no JSON, nests too deep or has too many values
 * @throws ValidationError at a member `__proto__`, which no operation has and which no copy of an object would keep
 */
export function readJson(text: string, maxValues: number = MAX_JSON_VALUES): unknown {
  return parse(checkedJson(text, maxValues));
}

/**
 * Returns the text as `readJson` takes it: bounded, and with quotes around every number that no double represents
 * exactly.
 *
 * @throws MalformedBodyError and ValidationError as `readJson`; invalid JSON may pass
 */
export function checkedJson(text: string, maxValues: number = MAX_JSON_VALUES): string {
  const checked = withExactNumbers(text, maxValues);
  // An escape may spell any letter of the name.
  if (checked.includes('__proto__') || checked.includes('\\u00')) refusePrototype(parse(checked));
  return checked;
}

function withExactNumbers(text: string, maxValues: number): string {
  let depth = 0;
  /** Members of the object that is open at each depth. */
  const members = new Uint32Array(MAX_JSON_DEPTH + 1);
  let values = 1;
  let at = 0;
  let kept = 0;
  const parts: string[] = [];
  while (at < text.length) {
    switch (KINDS[text.charCodeAt(at)]) {
      case BLANK:
        at++;
        continue;
      case QUOTE:
        at = endOfString(text, at);
        continue;
      case NUMBER: {
        const end = endOfNumber(text, at);
        if (end - at >= MIN_INEXACT_LENGTH && !isExact(text.slice(at, end))) {
          parts.push(text.slice(kept, at), `"${text.slice(at, end)}"`);
          kept = end;
        }
        at = end;
        continue;
      }
      case WORD:
        at = endOfWord(text, at);
        continue;
      case OPENING:
        depth++;
        values++;
        if (depth > MAX_JSON_DEPTH) throw nestsTooDeep();
        members[depth] = 0;
        break;
      case CLOSING:
        depth--;
        if (depth < 0) throw notJson();
        break;
      case COMMA:
        values++;
        break;
      case COLON: {
        values++;
        const count = (members[depth] ?? 0) + 1;
        members[depth] = count;
        if (count > MAX_JSON_MEMBERS)
          throw new MalformedBodyError(`An object of the JSON has more than ${MAX_JSON_MEMBERS} members.`);
        break;
      }
      default:
        // Reported at once: the parser would read a large invalid text completely, too.
        throw notJson();
    }
    if (values > maxValues)
      throw new MalformedBodyError(`The JSON has more than ${maxValues} values; send several requests.`);
    at++;
  }
  return kept === 0 ? text : `${parts.join('')}${text.slice(kept)}`;
}

/** The token that begins with a character outside of texts. */
const [BLANK, QUOTE, NUMBER, WORD, OPENING, CLOSING, COMMA, COLON] = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** By the character's code; 0 or nothing for characters that begin nothing. */
const KINDS = kindsOf([
  [' \t\n\r', BLANK],
  ['"', QUOTE],
  ['-0123456789', NUMBER],
  ['tfn', WORD],
  ['[{', OPENING],
  [']}', CLOSING],
  [',', COMMA],
  [':', COLON],
]);

function kindsOf(kinds: readonly (readonly [characters: string, kind: number])[]): Uint8Array {
  const table = new Uint8Array(128);
  for (const [characters, kind] of kinds) {
    for (const character of characters) table[character.charCodeAt(0)] = kind;
  }
  return table;
}

const QUOTE_CODE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const LARGE_E = 0x45;
const SMALL_E = 0x65;

/** The shortest number that does not fit a double has three digits of an exponent: `1e309`. */
const MIN_INEXACT_LENGTH = 5;

/** Finds where the text behind the closing quote begins. */
function endOfString(text: string, opening: number): number {
  const quote = text.indexOf('"', opening + 1);
  if (quote < 0) return text.length;
  if (text.charCodeAt(quote - 1) !== BACKSLASH) return quote + 1;
  // Letter by letter where escapes are frequent: a search for each quote costs more.
  for (let at = opening + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH) at++;
    else if (char === QUOTE_CODE) return at + 1;
  }
  return text.length;
}

function endOfNumber(text: string, begin: number): number {
  const longest = begin + MAX_JSON_NUMBER_LENGTH;
  let at = begin + 1;
  while (IN_NUMBERS[text.charCodeAt(at)] === 1) {
    if (at === longest)
      throw new MalformedBodyError(`A number of the JSON has more than ${MAX_JSON_NUMBER_LENGTH} characters.`);
    at++;
  }
  return at;
}

const IN_NUMBERS = kindsOf([['-+.0123456789eE', 1]]);

function endOfWord(text: string, begin: number): number {
  const word = ['true', 'false', 'null'].find((each) => text.startsWith(each, begin));
  if (word === undefined) throw notJson();
  return begin + word.length;
}

/** Returns whether a double represents this number so exactly that writing it again gives the same digits. */
function isExact(number: string): boolean {
  // Doubles distinguish any two numbers of 15 significant digits.
  if (number.length < 16 && !/[eE]/.test(number)) return true;
  if (/^-?\d{17,}$/.test(number)) return false;
  if (number.length > MAX_DOUBLE_LENGTH && significantDigits(number) > 17) return false;
  const value = Number(number);
  if (Number.isNaN(value)) return true; // Not a JSON number: the parser reports it.
  if (!Number.isFinite(value)) return false;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return /[eE]/.test(number);
  return digitsOf(String(value)) === digitsOf(number);
}

/** Characters of the longest number that JavaScript writes for a double: `-1.2345678901234567e-300`. */
const MAX_DOUBLE_LENGTH = 24;

/**
 * Counts the digits of a number without leading and trailing zeros. 17 digits distinguish any two doubles, and no
 * double is written with more.
 */
function significantDigits(number: string): number {
  let digits = 0;
  let untilLast = 0;
  for (let at = 0; at < number.length; at++) {
    const char = number.charCodeAt(at);
    if (char === SMALL_E || char === LARGE_E) break;
    if (char < ZERO || (char === ZERO && digits === 0)) continue;
    digits++;
    if (char !== ZERO) untilLast = digits;
  }
  return untilLast;
}

/** Returns a number in one spelling: its digits without zeros around them, and the power of ten: `-1.50` -> `15e-1`. */
function digitsOf(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().replace('-', '').split('e');
  // The first minus may have been the sign of an exponent.
  const power = /e-/i.test(number) ? -Math.abs(Number(exponent)) : Number(exponent);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole}${fraction}`;
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--;
  let begin = 0;
  while (begin < end && digits.charCodeAt(begin) === ZERO) begin++;
  if (begin === end) return '0';
  return `${digits.slice(begin, end)}e${power - fraction.length + digits.length - end}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notJson(cause);
  }
}

/** Returns whether objects and lists are nested more than `depth` deep, without recursion. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  let level = [value].filter(isNested);
  for (let at = 0; level.length > 0; at++) {
    if (at === depth) return true;
    level = level.flatMap((each) => Object.values(each).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Returns the refusal of a body that nests deeper than any request may. */
export function nestsTooDeep(): MalformedBodyError {
  return new MalformedBodyError(`The JSON nests more than ${MAX_JSON_DEPTH} objects and lists in each other.`);
}

/** Returns the value of a text that may be JSON or something else; `undefined` where it is no JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notJson(cause?: unknown): MalformedBodyError {
  return new MalformedBodyError('The body is not valid JSON.', { cause });
}

function refusePrototype(root: unknown): void {
  const waiting: { readonly value: unknown; readonly path: readonly PropertyKey[] }[] = [{ value: root, path: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__'))
      throw ValidationError.at([...path, '__proto__'], 'There is no member "__proto__" here.');
    for (const [key, child] of Object.entries(value)) {
      if (typeof child === 'object')
        waiting.push({ value: child, path: [...path, Array.isArray(value) ? Number(key) : key] });
    }
  }
}
