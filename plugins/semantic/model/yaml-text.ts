/** Reads YAML text into values with their lines. JSON is read as YAML. The result can be passed between threads. */
import { Composer, type CST, Document, isMap, isScalar, isSeq, LineCounter, Parser, visit, YAMLParseError } from 'yaml';
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import { MAX_DOCUMENT_LENGTH } from '../limits.ts';
import type { Place } from './problems.ts';

export interface YamlText {
  readonly root: unknown;
  /** `Lines` as JSON: few documents need them, and one text passes between threads much faster than many objects. */
  readonly lines: string;
}

/** The line where a value begins, and the lines of its entries, by index or by name. */
type Lines = readonly [line: number | null, inner?: readonly Lines[] | Readonly<Record<string, Lines>>];

export type YamlResult = YamlText | { readonly problems: readonly DatasourceProblem[] };

/** Returns the values of a text, or the reasons why it cannot be read. */
export function readYaml(text: string): YamlResult {
  if (text.length > MAX_DOCUMENT_LENGTH)
    return {
      problems: [{ message: `The document has more than ${MAX_DOCUMENT_LENGTH} characters.`, severity: 'error' }],
    };
  const { yaml, lines } = parseYaml(text);
  if (yaml.errors.length > 0) {
    return {
      problems: yaml.errors.map((error) => ({
        message: `The document is not readable YAML or JSON: ${error.message.split('\n')[0]?.replace(/ at line .*$/, '')}`,
        line: lines.linePos(error.pos[0]).line,
        severity: 'error',
      })),
    };
  }
  try {
    const root: unknown = yaml.toJS({ maxAliasCount: 100 });
    return { root, lines: JSON.stringify(linesOf(yaml.contents, startOf(yaml.contents), lines)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problems: [{ message: `The document cannot be read: ${reason}`, severity: 'error' }] };
  }
}

/** The most characters that are read again to repair a text: each repair reads the whole text. */
const MAX_REREAD = 1_000_000;

/**
 * Parses YAML. Some writers indent the last line of a quoted text no deeper than its key. YAML 1.2 refuses that (7.3, flow
 * lines are indented), but most readers accept it. Such a line gets one more space, which changes neither the text nor line
 * numbers.
 */
function parseYaml(text: string) {
  const asWritten = parseLines(text.split('\n'));
  const repaired = text.split('\n');
  const most = Math.min(100, Math.ceil(MAX_REREAD / Math.max(text.length, 1)));
  for (let at = asWritten, repairs = 0; repairs < most; repairs += 1) {
    if (at.yaml.errors.length === 0) return at;
    const unclosed = at.yaml.errors.find(({ message }) => message.startsWith('Missing closing'));
    if (unclosed === undefined) break;
    const next = at.lines.linePos(unclosed.pos[0]).line;
    const line = repaired[next];
    if (line === undefined) break;
    repaired[next] = ` ${line}`;
    at = parseLines(repaired);
  }
  return asWritten;
}

function parseLines(written: readonly string[]) {
  const lines = new LineCounter();
  const text = written.join('\n');
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const deep = tokens.map(tooDeep).find((offset) => offset !== undefined);
  if (deep !== undefined)
    return { yaml: refused(deep, `it nests more than ${MAX_DEPTH} maps and lists in each other`), lines };
  // The composer's own check compares each key with every other key of its map, which takes minutes for twenty thousand
  // keys.
  const [yaml = new Document(), second] = new Composer({ uniqueKeys: false }).compose(tokens, true, text.length);
  if (second !== undefined) return { yaml: refused(second.range[0], 'it holds several documents'), lines };
  yaml.errors.push(...repeatedKeys(yaml));
  return { yaml, lines };
}

/** Returns the document of a refused text. */
function refused(offset: number, reason: string): Document {
  const yaml = new Document();
  yaml.errors.push(new YAMLParseError([offset, offset], 'UNEXPECTED_TOKEN', reason));
  return yaml;
}

/**
 * The most maps and lists inside each other. The composer recurses into each, and a stack overflow would end the process.
 */
const MAX_DEPTH = 100;

/** Returns the offset at which a text nests too deeply. */
function tooDeep(token: CST.Token): number | undefined {
  const left: (readonly [token: CST.Token, depth: number])[] = [[token, 0]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [{ offset }, depth] = next;
    if (depth > MAX_DEPTH + 1) return offset;
    for (const inner of within(next[0])) left.push([inner, depth + 1]);
  }
  return undefined;
}

function within(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].filter((each) => each !== undefined && each !== null));
}

/** Reports the first repeated key of each map. */
function repeatedKeys(yaml: Document): readonly YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  visit(yaml, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const value = isScalar(key) ? key.value : key;
        const [start, end] = (isScalar(key) ? key.range : undefined) ?? [0, 0];
        if (seen.has(value) && value !== '<<') {
          errors.push(new YAMLParseError([start, end], 'DUPLICATE_KEY', 'Map keys must be unique'));
          return errors.length < MAX_REPEATED ? undefined : visit.BREAK;
        }
        seen.add(value);
      }
      return undefined;
    },
  });
  return errors;
}

/** The most maps that are reported for repeated keys. */
const MAX_REPEATED = 20;

/** Returns a function that finds the line of a place, or of its deepest part that the text has. */
export function lineFinder({ lines }: YamlText): (place: Place) => number | undefined {
  let read: Lines | undefined;
  return (place) => {
    read ??= JSON.parse(lines) as Lines;
    let [line, inner] = read;
    for (const part of place) {
      const entry = inner !== undefined && Object.hasOwn(inner, part) ? Reflect.get(inner, part) : undefined;
      if (entry === undefined) break;
      line = entry[0] ?? line;
      inner = entry[1];
    }
    return line ?? undefined;
  };
}

/** Collects the lines of a node. The node of an alias is elsewhere, so places in it have the line of the alias. */
function linesOf(node: unknown, start: number | undefined, counter: LineCounter): Lines {
  const line = start === undefined ? null : counter.linePos(start).line;
  if (isSeq(node)) return [line, node.items.map((item) => linesOf(item, startOf(item), counter))];
  if (!isMap(node)) return [line];
  const members = new Map<string, Lines>();
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : String(key);
    if (!members.has(name)) members.set(name, linesOf(value, startOf(key) ?? startOf(value), counter));
  }
  return [line, Object.fromEntries(members)];
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  const { range } = node;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined;
}
