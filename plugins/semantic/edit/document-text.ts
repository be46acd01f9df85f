/**
 * Changes single values in the text of a YAML or JSON document. Everything else, such as comments, order, quotes and
 * empty lines, stays as its author wrote it.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, Scalar } from 'yaml';
import { jsonOrUndefined } from '../../../router/json.ts';
import { isRecord } from '../../../router/record.ts';
import type { Place } from '../model/problems.ts';

/** A document that cannot be changed in place. The message continues "The document". */
export class UnchangeableError extends Error {}

type Change =
  | { readonly kind: 'set'; readonly place: Place; readonly value: unknown }
  | { readonly kind: 'remove'; readonly place: Place }
  | { readonly kind: 'append'; readonly place: Place; readonly value: unknown };

/** Returns the text with one value set. Members that are missing on the way are made. @throws UnchangeableError */
export function setValue(text: string, place: Place, value: unknown): string {
  return changed(text, { kind: 'set', place, value });
}

/** Returns the text without a value and its key. A text without the value stays. @throws UnchangeableError */
export function removeValue(text: string, place: Place): string {
  return changed(text, { kind: 'remove', place });
}

/** Returns the text with one more entry of a list, which is made where it is missing. @throws UnchangeableError */
export function appendValue(text: string, place: Place, value: unknown): string {
  return changed(text, { kind: 'append', place, value });
}

function changed(text: string, change: Change): string {
  if (/^\s*[{[]/.test(text)) {
    const root = jsonOrUndefined(text);
    if (root !== undefined) return changedJson(text, root, change);
  }
  const document = read(text);
  const before: unknown = document.toJS({ maxAliasCount: 100 });
  const expected = applied(before, change);
  if (isDeepStrictEqual(before, expected)) return text;
  const spliced = splice(text, document, change);
  if (spliced !== undefined && reads(spliced, expected)) return spliced;
  // The library writes the whole document again where the place has a form that is not spliced. It keeps comments.
  const rewritten = rewrittenBy(document, change);
  if (reads(rewritten, expected)) return rewritten;
  throw new UnchangeableError('uses a form of YAML here that only its source can change.');
}

function read(text: string): Document.Parsed {
  // `readYaml` has checked depth and repeated keys; the library's own check compares each key with all others.
  const document = parseDocument(text, { uniqueKeys: false });
  if (document.errors.length > 0) throw new UnchangeableError('is no strict YAML, so that only its source can change.');
  return document;
}

function reads(text: string, expected: unknown): boolean {
  const document = parseDocument(text, { uniqueKeys: false });
  return document.errors.length === 0 && isDeepStrictEqual(document.toJS({ maxAliasCount: 100 }), expected);
}

/** Returns the values of a document after a change. Shares unchanged values. */
function applied(root: unknown, { place, ...change }: Change): unknown {
  const [key, ...rest] = place;
  if (key === undefined) {
    if (change.kind === 'append') return [...(Array.isArray(root) ? root : []), change.value];
    return change.kind === 'set' ? change.value : undefined;
  }
  if (Array.isArray(root)) {
    if (change.kind === 'remove' && rest.length === 0) return root.filter((_, index) => index !== key);
    return root.map((each, index) => (index === key ? applied(each, { ...change, place: rest } as Change) : each));
  }
  const record = isRecord(root) ? root : {};
  if (change.kind === 'remove') {
    if (!Object.hasOwn(record, key)) return root;
    if (rest.length === 0) return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
  }
  const inner = applied(Object.hasOwn(record, key) ? record[key] : undefined, { ...change, place: rest } as Change);
  return { ...record, [key]: inner };
}

function changedJson(text: string, root: unknown, change: Change): string {
  const after = applied(root, change);
  if (isDeepStrictEqual(root, after)) return text;
  const indentation = /\n([ \t]+)\S/.exec(text)?.[1] ?? '';
  const end = /\s*$/.exec(text)?.[0] ?? '';
  return `${JSON.stringify(after, undefined, indentation)}${end}`;
}

function rewrittenBy(document: Document.Parsed, { place, ...change }: Change): string {
  if (change.kind === 'remove') document.deleteIn(place);
  else if (change.kind === 'set') document.setIn(place, document.createNode(change.value));
  else document.addIn(document.hasIn(place) ? place : [...place, 0], document.createNode(change.value));
  return document.toString({ lineWidth: 0 });
}

/** Returns the text with the change written at its place; `undefined` where the place has an unusual form. */
function splice(text: string, document: Document.Parsed, change: Change): string | undefined {
  let node: unknown = document.contents;
  for (const [depth, key] of change.place.entries()) {
    if (isAlias(node)) throw new UnchangeableError('shares this value with another place by an alias.');
    const isLast = depth === change.place.length - 1;
    if (isMap(node)) {
      const pair = node.items.find((each) => isScalar(each.key) && each.key.value === key);
      if (pair === undefined || pair.value === null) {
        if (change.kind === 'remove') return undefined;
        const rest = change.place.slice(depth + 1);
        const written = change.kind === 'append' ? [change.value] : change.value;
        const value = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), written);
        return pair === undefined ? inserted(text, node, String(key), value) : undefined;
      }
      if (isLast && change.kind === 'remove') return withoutPair(text, node.items as Pair[], pair as Pair, node.flow);
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(key)];
      if (isLast && change.kind === 'remove') return withoutItem(text, node.items as Node[], item as Node, node.flow);
      node = item;
    } else return undefined;
  }
  if (isAlias(node)) throw new UnchangeableError('shares this value with another place by an alias.');
  if (change.kind === 'append') return isSeq(node) ? appended(text, node, change.value) : undefined;
  return change.kind === 'set' ? replaced(text, node, change.value) : undefined;
}

type MapOrSeq = { readonly items: readonly unknown[]; readonly flow?: boolean | undefined; range?: Range | null };
type Range = readonly [number, number, number];

function rangeOf(node: unknown): Range | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  return node.range as unknown as Range;
}

/** Returns the offset at which the value of a node ends. */
function endOf(node: unknown): number | undefined {
  if ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const last = node.items.at(-1);
    if (last === undefined) return rangeOf(node)?.[1];
    return isMap(node) ? endOfPair(last as Pair) : endOf(last);
  }
  return rangeOf(node)?.[1];
}

function endOfPair({ key, value }: Pair): number | undefined {
  return value === null || rangeOf(value) === undefined ? rangeOf(key)?.[1] : endOf(value);
}

/** Returns the offset after the line that an offset is in; the offset itself at the beginning of a line. */
function nextLine(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return offset;
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function replaced(text: string, node: unknown, value: unknown): string | undefined {
  const range = rangeOf(node);
  if (range === undefined) return undefined;
  const [start, end] = range;
  if (isScalar(node)) {
    const isBlock = node.type === Scalar.BLOCK_FOLDED || node.type === Scalar.BLOCK_LITERAL;
    const column = indentationOf(text, start);
    if (isBlock && typeof value === 'string') {
      const folded = foldedText(value, column + 2, eolOf(text));
      const written = folded ?? `${scalarText(value, false)}${eolOf(text)}`;
      return text.slice(0, start) + written + text.slice(end);
    }
    const quote = node.type === Scalar.QUOTE_DOUBLE ? '"' : node.type === Scalar.QUOTE_SINGLE ? "'" : undefined;
    return text.slice(0, start) + flowText(value, true, quote) + text.slice(end);
  }
  const inFlow = (isMap(node) || isSeq(node)) && node.flow === true;
  return inFlow ? text.slice(0, start) + flowText(value, true) + text.slice(end) : undefined;
}

/** Returns the column of the key that a line begins with, past the dash of a list. */
function indentationOf(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return /^[ ]*(?:- +)*/.exec(text.slice(start, offset))?.[0].length ?? 0;
}

function inserted(text: string, map: MapOrSeq, key: string, value: unknown): string | undefined {
  const pairs = map.items as readonly Pair[];
  if (map.flow === true) {
    const last = pairs.at(-1);
    const end = last === undefined ? undefined : endOfPair(last);
    if (end === undefined) return undefined;
    return `${text.slice(0, end)}, ${plainText(key, true)}: ${flowText(value, true)}${text.slice(end)}`;
  }
  const [first] = pairs;
  const start = first === undefined ? undefined : rangeOf(first.key)?.[0];
  const anchor = anchorFor(key, pairs);
  const end = anchor === undefined ? undefined : endOfPair(anchor);
  if (start === undefined || end === undefined) return undefined;
  return withLine(text, end, pairText(key, value, start - lineStart(text, start), eolOf(text)));
}

/** The order in which people expect the members of an element; a new member comes after the ones before it. */
const ORDER = ['name', 'label', 'description', 'source', 'from', 'to', 'expression', 'dimension', 'ai_context'];

function anchorFor(key: string, pairs: readonly Pair[]): Pair | undefined {
  const place = ORDER.indexOf(key);
  const names = (pair: Pair) => (isScalar(pair.key) ? String(pair.key.value) : '');
  const before = place === -1 ? [] : ORDER.slice(0, place);
  return pairs.findLast((pair) => before.includes(names(pair))) ?? pairs.at(-1);
}

/** Inserts whole lines after the line of an offset. */
function withLine(text: string, offset: number, lines: string): string {
  const at = nextLine(text, offset);
  const eol = eolOf(text);
  const isCut = at === text.length && !text.endsWith('\n');
  return `${text.slice(0, at)}${isCut ? eol : ''}${lines}${eol}${text.slice(at)}`;
}

function appended(text: string, seq: MapOrSeq, value: unknown): string | undefined {
  const last = seq.items.at(-1);
  const end = endOf(last);
  const start = rangeOf(last)?.[0];
  if (end === undefined || start === undefined) return undefined;
  if (seq.flow === true) return `${text.slice(0, end)}, ${flowText(value, true)}${text.slice(end)}`;
  const dash = text.lastIndexOf('-', start - 1);
  const column = dash - lineStart(text, dash);
  if (text.slice(lineStart(text, dash), dash).trim() !== '') return undefined;
  return withLine(text, end, itemText(value, column, eolOf(text)));
}

function itemText(value: unknown, column: number, eol: string): string {
  const indentation = ' '.repeat(column);
  if (!isRecord(value)) return `${indentation}- ${flowText(value, false)}`;
  const lines = Object.entries(value).map(([key, inner]) => pairText(key, inner, column + 2, eol));
  return `${indentation}- ${lines.join(eol).trimStart()}`;
}

/** The longest line that a value is written in beside its key. */
const LINE_LENGTH = 110;

function pairText(key: string, value: unknown, column: number, eol: string): string {
  const start = `${' '.repeat(column)}${plainText(key, false)}:`;
  if (Array.isArray(value) && value.some(isRecord))
    return [start, ...value.map((each) => itemText(each, column + 2, eol))].join(eol);
  const line = `${start} ${flowText(value, false)}`;
  if (line.length <= LINE_LENGTH || typeof value !== 'string') return line;
  const folded = foldedText(value, column + 2, eol);
  return folded === undefined ? line : `${start} ${folded.slice(0, -eol.length)}`;
}

/** Writes a text as a folded block with a line break at its end; `undefined` where folding would change it. */
function foldedText(value: string, column: number, eol: string): string | undefined {
  if (value === '' || /\n|\t| {2}|^\s|\s$/.test(value)) return undefined;
  const lines: string[] = [];
  for (const word of value.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || column + last.length + word.length >= LINE_LENGTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return `>-${eol}${lines.map((line) => `${' '.repeat(column)}${line}${eol}`).join('')}`;
}

function withoutPair(text: string, pairs: readonly Pair[], pair: Pair, isFlow?: boolean): string | undefined {
  const start = rangeOf(pair.key)?.[0];
  const end = endOfPair(pair);
  if (start === undefined || end === undefined || pairs.length === 1) return undefined;
  const next = pairs[pairs.indexOf(pair) + 1];
  const nextStart = next === undefined ? undefined : rangeOf(next.key)?.[0];
  if (isFlow === true) return withoutFlowPart(text, start, end, nextStart, endOfPart(pairs, pair, endOfPair));
  const line = lineStart(text, start);
  if (text.slice(line, start).trim() === '') return text.slice(0, line) + text.slice(nextLine(text, end));
  return nextStart === undefined ? undefined : text.slice(0, start) + text.slice(nextStart);
}

function withoutItem(text: string, items: readonly Node[], item: Node, isFlow?: boolean): string | undefined {
  const start = rangeOf(item)?.[0];
  const end = endOf(item);
  if (start === undefined || end === undefined || items.length === 1) return undefined;
  const next = rangeOf(items[items.indexOf(item) + 1])?.[0];
  if (isFlow === true) return withoutFlowPart(text, start, end, next, endOfPart(items, item, endOf));
  const line = lineStart(text, text.lastIndexOf('-', start - 1));
  return text.slice(0, line) + text.slice(nextLine(text, end));
}

function endOfPart<Part>(parts: readonly Part[], part: Part, end: (part: Part) => number | undefined) {
  const before = parts[parts.indexOf(part) - 1];
  return before === undefined ? undefined : end(before);
}

/** Removes one part of a flow collection with its comma. */
function withoutFlowPart(text: string, start: number, end: number, next?: number, before?: number): string | undefined {
  if (next !== undefined) return text.slice(0, start) + text.slice(next);
  return before === undefined ? undefined : text.slice(0, before) + text.slice(end);
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Writes a value on one line. @param inFlow true where it is inside brackets or braces, or where that is unknown */
function flowText(value: unknown, inFlow: boolean, quote?: '"' | "'"): string {
  if (typeof value === 'string') return quote === undefined ? scalarText(value, inFlow) : quoted(value, quote);
  if (Array.isArray(value)) return `[${value.map((each) => flowText(each, true)).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([key, inner]) => `${plainText(key, true)}: ${flowText(inner, true)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function plainText(key: string, inFlow: boolean): string {
  return scalarText(key, inFlow);
}

/** Texts that YAML readers of any version take for another type. */
const OTHER_TYPE = /^(?:true|false|yes|no|on|off|y|n|null|~|[-+.]?[0-9].*|\.inf|\.nan)$/i;

function scalarText(value: string, inFlow: boolean): string {
  const isPlain =
    /^[\p{L}_(][^\n\r\t\\"'#]*$/u.test(value) &&
    !/:(?: |$)|\s$|^---/.test(value) &&
    !(inFlow && /[,[\]{}]/.test(value)) &&
    !OTHER_TYPE.test(value);
  if (isPlain) return value;
  return quoted(value, value.includes('"') && !/[\n\r\t\\]/.test(value) ? "'" : '"');
}

function quoted(value: string, quote: '"' | "'"): string {
  const isSimple = !/[\n\r\t\p{C}]/u.test(value);
  return quote === "'" && isSimple ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}
