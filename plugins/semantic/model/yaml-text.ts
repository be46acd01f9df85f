/** YAML text -> values that know their lines. JSON is YAML here. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  YAMLParseError,
} from 'yaml';
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type { Place } from './problems.ts';

export interface YamlText {
  readonly root: unknown;
  /** The line of the deepest part of a place that the text has. */
  readonly lineOf: (place: Place) => number | undefined;
}

export function readYaml(text: string): YamlText | { readonly problems: readonly DatasourceProblem[] } {
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
    return { root, lineOf: (place) => lineOf(yaml.contents, place, lines) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problems: [{ message: `The document cannot be read: ${reason}`, severity: 'error' }] };
  }
}

/** Characters that are read again at most to repair a text: each repair reads it whole. */
const MAX_REREAD = 2_000_000;

/**
 * Some writers indent the last line of a quoted text no deeper than its key. YAML 1.2 refuses that (7.3, flow lines
 * are indented), most readers do not. Such a line gets a space more, which changes neither text nor line numbers.
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
  // The parser itself compares each key with every other one of its map: minutes for twenty thousand.
  const yaml = parseDocument(written.join('\n'), { lineCounter: lines, uniqueKeys: false });
  yaml.errors.push(...repeatedKeys(yaml));
  return { yaml, lines };
}

/** The first key of each map that stands there twice. */
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

/** Maps whose repeated keys are told. */
const MAX_REPEATED = 20;

function lineOf(root: Node | null, place: Place, lines: LineCounter): number | undefined {
  let node: unknown = root;
  let offset = root?.range?.[0];
  for (const part of place) {
    if (isAlias(node)) break;
    if (isMap(node)) {
      const pair = node.items.find((item) => String(item.key) === part);
      if (pair === undefined) break;
      node = pair.value;
      offset = startOf(pair.key) ?? startOf(pair.value) ?? offset;
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return offset === undefined ? undefined : lines.linePos(offset).line;
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  const { range } = node;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined;
}
