/** Reads the text of a semantic document into checked values with their lines. JSON is read as YAML. */

import { z } from 'zod';
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import { isRecord } from '../../../router/record.ts';
import type { Locator, Place } from './problems.ts';
import { lineFinder, readYaml, type YamlResult } from './yaml-text.ts';

// Objects are loose: unknown keys belong to other products and are not a mistake.
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
const relationship = z.looseObject({
  name,
  label: orAbsent(z.string()),
  from: name,
  to: name,
  from_columns: columns,
  to_columns: columns,
  custom_extensions: extensions,
});
const metric = z.looseObject({ ...described, expression });
const model = z.looseObject({
  ...described,
  datasets: z.array(dataset).min(1),
  relationships: orAbsent(z.array(relationship)),
  metrics: orAbsent(z.array(metric)),
});

export type ModelElement = z.output<typeof model>;
export type FieldElement = z.output<typeof field>;
export type MetricElement = z.output<typeof metric>;
export type RelationshipElement = z.output<typeof relationship>;
export type ExpressionElement = z.output<typeof expression>;
export type AiContext = z.output<typeof aiContext>;
export type Extensions = z.output<typeof extensions>;

/** One semantic model of a document and the line where it begins. */
export interface ModelDocument {
  readonly model: ModelElement;
  readonly place: Place;
  readonly locator: Locator;
  /** The document's ontology block, unchanged; empty where there is none. */
  readonly ontology: readonly unknown[];
}

const READ_VERSIONS = /^(0\.1\.\d+|0\.2\.|1\.0)/;

/**
 * Reads the model called `modelName`, or the document's only one. Understands OSI 0.1.x, the 1.0 draft (no version) and
 * 0.2.0.dev0, with the model under `semantic_model` or `ontology_mappings[].semantic_model`.
 */
export function readDocument(
  text: string,
  modelName: string | undefined,
): ModelDocument | { readonly problems: readonly DatasourceProblem[] } {
  return documentOf(readYaml(text), modelName);
}

/** Reads a model from a text that has already been parsed as YAML; see `readDocument`. */
export function documentOf(
  yaml: YamlResult,
  modelName: string | undefined,
): ModelDocument | { readonly problems: readonly DatasourceProblem[] } {
  if ('problems' in yaml) return yaml;
  const { root } = yaml;
  if (!isRecord(root)) return problemOnly('The document is no semantic document: its top level must be a mapping.', 1);

  const locator = locatorOf(root, lineFinder(yaml));
  const version = root.version;
  if (version !== undefined && version !== null && !READ_VERSIONS.test(String(version))) {
    const message = `version ${String(version)} is not one that is read here; known are 0.1.0, 0.1.1, 0.2.0.dev0 and documents without a version.`;
    return problemOnly(message, locator.lineOf(['version']));
  }

  const models = modelsOf(root);
  const named = models.filter(({ value }) => isRecord(value) && value.name === modelName);
  const [chosen, other] = modelName === undefined ? models : named;
  if (chosen === undefined || other !== undefined) {
    const names = models.flatMap(({ value }) => (isRecord(value) ? [String(value.name)] : []));
    if (models.length === 0) return problemOnly('There is no semantic_model in the document.', 1);
    if (chosen === undefined)
      return problemOnly(`There is no semantic model called ${modelName}; the document has ${names.join(', ')}.`, 1);
    return problemOnly(
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
        const message = `${element === '' ? '' : `${element}: `}${wordsFor(key, issue, valueAt(chosen.value, issue.path))}`;
        return { message, line: locator.lineOf(place), severity: 'error' };
      }),
    };
  }
  const ontology = root.ontology;
  return { model: checked.data, place: chosen.place, locator, ontology: Array.isArray(ontology) ? ontology : [] };
}

/** Returns the names of the semantic models of a document, in order; empty where it cannot be read. */
export function modelNames(text: string): readonly string[] {
  const yaml = readYaml(text);
  if ('problems' in yaml || !isRecord(yaml.root)) return [];
  return modelsOf(yaml.root).flatMap(({ value }) =>
    isRecord(value) && typeof value.name === 'string' ? [value.name] : [],
  );
}

/** Explains a mistake that a schema found to the author of a document. */
function wordsFor(key: string, issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'too_small') return `${key} is empty; it needs at least one.`;
  if (issue.code !== 'invalid_type') return `${key}: ${issue.message.replace(/\.$/, '')}.`;
  return value === undefined ? `${key} is missing.` : `${key} must be of type ${issue.expected}.`;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}

function problemOnly(message: string, line?: number): { readonly problems: readonly DatasourceProblem[] } {
  return { problems: [{ message, line, severity: 'error' }] };
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
