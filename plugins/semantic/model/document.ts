/** The text of a semantic document -> checked values that know their lines. JSON is YAML here. */
import { isAlias, isMap, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { z } from 'zod';
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type { Locator, Place } from './problems.ts';

// Objects are loose: keys that this product does not know belong to others and are no mistake.
const orAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);
const name = z.string().min(1);
const columns = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(name).min(1));

/** `{dialects: [...]}`; the 1.0 draft also writes the bare list. */
const expression = z.preprocess(
  (value) => (Array.isArray(value) ? { dialects: value } : value),
  z.looseObject({
    dialects: z.array(z.looseObject({ dialect: z.string(), expression: z.string() })).min(1),
  }),
);

const aiContext = orAbsent(
  z.union([
    z.string(),
    z.looseObject({
      instructions: orAbsent(z.string()),
      synonyms: orAbsent(z.array(z.string())),
      examples: orAbsent(z.array(z.unknown())),
    }),
  ]),
);

const extensions = orAbsent(z.array(z.looseObject({ vendor_name: z.string(), data: z.unknown() })));

const described = {
  name,
  label: orAbsent(z.string()),
  description: orAbsent(z.string()),
  ai_context: aiContext,
  custom_extensions: extensions,
};

const field = z.looseObject({
  ...described,
  expression,
  dimension: orAbsent(z.looseObject({ is_time: orAbsent(z.boolean()) })),
});
const dataset = z.looseObject({
  ...described,
  source: name,
  primary_key: orAbsent(columns),
  unique_keys: orAbsent(z.array(columns)),
  fields: orAbsent(z.array(field)),
});
const relationship = z.looseObject({ name, from: name, to: name, from_columns: columns, to_columns: columns });
const metric = z.looseObject({ ...described, expression });
const model = z.looseObject({
  ...described,
  datasets: z.array(dataset).min(1),
  relationships: orAbsent(z.array(relationship)),
  metrics: orAbsent(z.array(metric)),
});

export type ModelElement = z.output<typeof model>;
export type DatasetElement = z.output<typeof dataset>;
export type FieldElement = z.output<typeof field>;
export type MetricElement = z.output<typeof metric>;
export type RelationshipElement = z.output<typeof relationship>;
export type ExpressionElement = z.output<typeof expression>;
export type AiContext = z.output<typeof aiContext>;
export type Extensions = z.output<typeof extensions>;

/** One semantic model of a document and where it begins. */
export interface ModelDocument {
  readonly model: ModelElement;
  readonly place: Place;
  readonly locator: Locator;
  /** The document's ontology block as it stands; empty where there is none. */
  readonly ontology: readonly unknown[];
}

const READ_VERSIONS = /^(0\.1\.\d+|0\.2\.|1\.0)/;

/**
 * Reads the model called `wanted`, or the document's only one. Understands OSI 0.1.x, the 1.0 draft (no version) and
 * 0.2.0.dev0, with the model under `semantic_model` or `ontology_mappings[].semantic_model`.
 */
export function readDocument(
  text: string,
  wanted: string | undefined,
): ModelDocument | { readonly problems: readonly DatasourceProblem[] } {
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
  let root: unknown;
  try {
    root = yaml.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refused(`The document cannot be read: ${reason}`);
  }
  if (!isRecord(root)) return refused('The document is no semantic document: its top level must be a mapping.', 1);

  const locator = locatorOf(root, (place) => lineOf(yaml.contents, place, lines));
  const version = root.version;
  if (version !== undefined && version !== null && !READ_VERSIONS.test(String(version))) {
    const message = `version ${String(version)} is not one that is read here; known are 0.1.0, 0.1.1, 0.2.0.dev0 and documents without a version.`;
    return refused(message, locator.lineOf(['version']));
  }

  const found = modelsOf(root);
  const named = found.filter(({ value }) => isRecord(value) && value.name === wanted);
  const [chosen, other] = wanted === undefined ? found : named;
  if (chosen === undefined || other !== undefined) {
    const names = found.flatMap(({ value }) => (isRecord(value) ? [String(value.name)] : []));
    if (found.length === 0) return refused('There is no semantic_model in the document.', 1);
    if (chosen === undefined)
      return refused(`There is no semantic model called ${wanted}; the document has ${names.join(', ')}.`, 1);
    return refused(
      `The document has several semantic models (${names.join(', ')}); the datasource must name one of them once.`,
      1,
    );
  }

  const checked = model.safeParse(chosen.value);
  if (!checked.success) {
    return {
      problems: checked.error.issues.map((issue) => {
        const place = [...chosen.place, ...issue.path.filter((part) => typeof part !== 'symbol')];
        const element = locator.nameOf(place);
        const key = place.findLast((part) => typeof part === 'string') ?? '';
        const message = `${element === '' ? '' : `${element}: `}${wordsFor(key, issue)}`;
        return { message, line: locator.lineOf(place), severity: 'error' };
      }),
    };
  }
  const ontology = root.ontology;
  return { model: checked.data, place: chosen.place, locator, ontology: Array.isArray(ontology) ? ontology : [] };
}

/**
 * Some writers indent the last line of a quoted text no deeper than its key. YAML 1.2 refuses that (7.3, flow lines
 * are indented), most readers do not. Such a line gets a space more, which changes neither text nor line numbers.
 */
function parseYaml(text: string) {
  const asWritten = parseLines(text.split('\n'));
  const repaired = text.split('\n');
  for (let at = asWritten, repairs = 0; repairs < 100; repairs += 1) {
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
  return { yaml: parseDocument(written.join('\n'), { lineCounter: lines }), lines };
}

/** What a schema found, in words for whoever writes documents. */
function wordsFor(key: string, issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small') return `${key} is empty; it needs at least one.`;
  if (issue.code !== 'invalid_type') return `${key}: ${issue.message}.`;
  return issue.message.endsWith('undefined') ? `${key} is missing.` : `${key} must be of type ${issue.expected}.`;
}

function refused(message: string, line?: number): { readonly problems: readonly DatasourceProblem[] } {
  return { problems: [{ message, line, severity: 'error' }] };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asList(value: unknown, place: Place): readonly { value: unknown; place: Place }[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value)
    ? value.map((item, index) => ({ value: item, place: [...place, index] }))
    : [{ value, place }];
}

function modelsOf(root: Record<string, unknown>): readonly { value: unknown; place: Place }[] {
  const mapped = asList(root.ontology_mappings, ['ontology_mappings']).flatMap(({ value, place }) =>
    isRecord(value) ? asList(value.semantic_model, [...place, 'semantic_model']) : [],
  );
  return [...asList(root.semantic_model, ['semantic_model']), ...mapped];
}

const ELEMENTS: Readonly<Record<string, string>> = {
  semantic_model: 'model',
  datasets: 'dataset',
  fields: 'field',
  metrics: 'metric',
  relationships: 'relationship',
};

function locatorOf(root: unknown, line: (place: Place) => number | undefined): Locator {
  return {
    lineOf: line,
    nameOf(place) {
      const names: string[] = [];
      let value = root;
      let kind: string | undefined;
      for (const part of place) {
        if (typeof part === 'string') kind = ELEMENTS[part];
        value = isRecord(value) || Array.isArray(value) ? Reflect.get(value, part) : undefined;
        if (kind === undefined || kind === 'model' || !isRecord(value)) continue;
        names.push(`${kind} ${typeof value.name === 'string' ? value.name : `number ${Number(part) + 1}`}`);
        kind = undefined;
      }
      return names.join(', ');
    },
  };
}

/** The line of the deepest part of a place that the document has. */
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
