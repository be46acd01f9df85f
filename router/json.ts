/** JSON text of a caller -> a value. Bounded before anything is built of it, and exact where a double is not. */
import { MalformedBodyError, ValidationError } from './errors.ts';
import { MAX_JSON_DEPTH, MAX_JSON_MEMBERS, MAX_JSON_VALUES } from './limits.ts';

/**
 * Returns the value of a JSON text. A number that no double holds exactly comes as text of its digits, which is how
 * every operation takes such a value.
 *
 * @throws MalformedBodyError when the text is no JSON, nests too deep or holds too many values
 * @throws ValidationError at a member `__proto__`, which no operation has and which no copy of an object would keep
 */
export function readJson(text: string, maxValues: number = MAX_JSON_VALUES): unknown {
  return parse(checkedJson(text, maxValues));
}

/**
 * Returns the text as `readJson` takes it: bounded, and with every number that no double holds exactly put in quotes.
 *
 * @throws MalformedBodyError and ValidationError as `readJson`; but what is no JSON may pass
 */
export function checkedJson(text: string, maxValues: number = MAX_JSON_VALUES): string {
  const checked = withExactNumbers(text, maxValues);
  // An escape may spell any letter of the name.
  if (/__proto__|\\u00/i.test(checked)) refusePrototype(parse(checked));
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
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === MINUS || (char >= ZERO && char <= NINE)) {
      const end = endOfNumber(text, at);
      if (end - at >= MIN_INEXACT_LENGTH && !isExact(text.slice(at, end))) {
        parts.push(text.slice(kept, at), `"${text.slice(at, end)}"`);
        kept = end;
      }
      at = end;
    } else {
      if (char === BRACKET || char === BRACE) {
        depth++;
        values++;
        if (depth > MAX_JSON_DEPTH)
          throw new MalformedBodyError(`The JSON nests more than ${MAX_JSON_DEPTH} objects and lists in each other.`);
        members[depth] = 0;
      } else if (char === CLOSING_BRACKET || char === CLOSING_BRACE) depth--;
      else if (char === COMMA) values++;
      else if (char === COLON) {
        values++;
        const count = (members[depth] ?? 0) + 1;
        members[depth] = count;
        if (count > MAX_JSON_MEMBERS)
          throw new MalformedBodyError(`An object of the JSON has more than ${MAX_JSON_MEMBERS} members.`);
      }
      if (values > maxValues)
        throw new MalformedBodyError(`The JSON holds more than ${maxValues} values; ask in several requests.`);
      at++;
    }
  }
  return kept === 0 ? text : `${parts.join('')}${text.slice(kept)}`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** The shortest number that no double holds has three digits of an exponent: `1e309`. */
const MIN_INEXACT_LENGTH = 5;

/** Where the text behind the closing quote begins. */
function endOfString(text: string, opening: number): number {
  let at = opening + 1;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at + 1;
    at += char === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

function endOfNumber(text: string, begin: number): number {
  NUMBER_PART.lastIndex = begin;
  return begin + (NUMBER_PART.exec(text)?.[0].length ?? 1);
}

const NUMBER_PART = /[-+.\deE]+/y;

/** Whether a double tells this number from its neighbours, so that reading and writing it again gives the same digits. */
function isExact(number: string): boolean {
  // Doubles tell every two numbers of 15 significant digits apart.
  if (number.length < 16 && !/[eE]/.test(number)) return true;
  if (/^-?\d{17,}$/.test(number)) return false;
  const value = Number(number);
  if (Number.isNaN(value)) return true; // No number of JSON: the parser says so.
  if (!Number.isFinite(value)) return false;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return /[eE]/.test(number);
  return digitsOf(String(value)) === digitsOf(number);
}

/** A number in one spelling: its digits without zeros around them, and the power of ten: `-1.50` -> `15e-1`. */
function digitsOf(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().replace('-', '').split('e');
  // The sign of an exponent is what the first minus may have been.
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
    throw new MalformedBodyError('The body is not valid JSON.', { cause });
  }
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
