/**
 * Reads dbt metric YAML (dbt 1.10 and 1.11: top-level `semantic_models` and `metrics`) into checked elements with their
 * lines.
 */

import { z } from 'zod';
import { isRecord } from '../../../router/record.ts';
import { lineFinder, type Place, readYaml } from '../../semantic/index.ts';
import type { ConversionProblem } from '../conversion.ts';

const orAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);
const name = z.string().min(1);
/** SQL, which is text even where YAML reads `1` or `true` as another type. */
const sql = orAbsent(z.union([z.string(), z.number(), z.boolean()]).transform(String));
const filter = orAbsent(z.union([z.string().transform((one) => [one]), z.array(z.string())]));
const word = z.string().transform((text) => text.trim().toLowerCase());
/** A window such as `7 days`; dbt's own files split it into count and unit. */
const window = orAbsent(
  z.union([
    z.string(),
    z
      .looseObject({ count: z.number(), granularity: z.string() })
      .transform(({ count, granularity }) => `${count} ${granularity}`),
  ]),
);
const meta = z.record(z.string(), z.unknown());
const described = {
  name,
  label: orAbsent(z.string()),
  description: orAbsent(z.string()),
  meta: orAbsent(meta),
  config: orAbsent(z.looseObject({ meta: orAbsent(meta), enabled: orAbsent(z.boolean()) })),
};

const entity = z.looseObject({ ...described, type: z.enum(['primary', 'unique', 'foreign', 'natural']), expr: sql });
const dimension = z.looseObject({
  ...described,
  type: z.enum(['categorical', 'time']),
  expr: sql,
  is_partition: orAbsent(z.boolean()),
  type_params: orAbsent(
    z.looseObject({
      time_granularity: orAbsent(z.string()),
      is_partition: orAbsent(z.boolean()),
      validity_params: orAbsent(z.looseObject({})),
    }),
  ),
});
const measure = z.looseObject({
  ...described,
  agg: z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(
      z.enum(['sum', 'min', 'max', 'avg', 'average', 'median', 'percentile', 'count', 'count_distinct', 'sum_boolean']),
    ),
  expr: sql,
  agg_params: orAbsent(
    z.looseObject({ percentile: orAbsent(z.number()), use_discrete_percentile: orAbsent(z.boolean()) }),
  ),
  agg_time_dimension: orAbsent(z.string()),
  non_additive_dimension: orAbsent(
    z.looseObject({ name, window_choice: orAbsent(word), window_groupings: orAbsent(z.array(z.string())) }),
  ),
  create_metric: orAbsent(z.boolean()),
});
const semanticModel = z.looseObject({
  ...described,
  model: name,
  primary_entity: orAbsent(z.string()),
  defaults: orAbsent(z.looseObject({ agg_time_dimension: orAbsent(z.string()) })),
  entities: orAbsent(z.array(entity)),
  dimensions: orAbsent(z.array(dimension)),
  measures: orAbsent(z.array(measure)),
});

const input = z.preprocess(
  (value) => (typeof value === 'string' ? { name: value } : value),
  z.looseObject({
    name,
    filter,
    alias: orAbsent(z.string()),
    fill_nulls_with: orAbsent(z.number()),
    join_to_timespine: orAbsent(z.boolean()),
    offset_window: window,
    offset_to_grain: orAbsent(word),
  }),
);
const inputs = orAbsent(z.array(input));
const constantProperty = z.looseObject({ base_property: name, conversion_property: name });
const conversionParameters = z.looseObject({
  entity: name,
  calculation: orAbsent(word),
  base_measure: orAbsent(input),
  conversion_measure: orAbsent(input),
  window,
  constant_properties: orAbsent(z.array(constantProperty)),
});
const cumulativeParameters = z.looseObject({
  window,
  grain_to_date: orAbsent(word),
  period_agg: orAbsent(word),
  metric: orAbsent(input),
});
const metric = z.looseObject({
  ...described,
  type: z.string().transform((text) => text.toLowerCase()),
  filter,
  time_granularity: orAbsent(z.string()),
  type_params: orAbsent(
    z.looseObject({
      measure: orAbsent(input),
      numerator: orAbsent(input),
      denominator: orAbsent(input),
      expr: sql,
      metrics: inputs,
      window,
      grain_to_date: orAbsent(word),
      cumulative_type_params: orAbsent(cumulativeParameters),
      conversion_type_params: orAbsent(conversionParameters),
    }),
  ),
});
const strings = orAbsent(z.union([z.string().transform((one) => [one]), z.array(z.string())]));
const savedQuery = z.looseObject({
  ...described,
  query_params: z.looseObject({
    metrics: strings,
    group_by: strings,
    where: filter,
    order_by: strings,
    limit: orAbsent(z.number()),
  }),
});
const timeSpine = z.looseObject({
  standard_granularity_column: name,
  custom_granularities: orAbsent(z.array(z.looseObject({ name, column_name: orAbsent(name) }))),
});
const spineModel = z.looseObject({
  ...described,
  time_spine: timeSpine,
  columns: orAbsent(z.array(z.looseObject({ name, granularity: orAbsent(word) }))),
});

export type TypeParameters = NonNullable<z.output<typeof metric>['type_params']>;
export type Entity = z.output<typeof entity>;
export type Dimension = z.output<typeof dimension>;
export type Measure = z.output<typeof measure>;
export type Input = z.output<typeof input>;

export interface Located {
  readonly file: string;
  readonly line: number | undefined;
}

export interface SemanticModel extends Located, z.output<typeof semanticModel> {
  /** Finds the line of one of its entities, dimensions and measures, by name. */
  readonly lineOf: (list: 'entities' | 'dimensions' | 'measures', name: string) => number | undefined;
}

export interface Metric extends Located, z.output<typeof metric> {}

export interface SavedQuery extends Located, z.output<typeof savedQuery> {}

/** A dbt model with a row for each day, or for each period of another grain. */
export interface TimeSpine extends Located, z.output<typeof spineModel> {
  readonly lineOf: (granularity: number) => number | undefined;
}

export interface DbtProject {
  readonly models: readonly SemanticModel[];
  readonly metrics: readonly Metric[];
  readonly savedQueries: readonly SavedQuery[];
  readonly spines: readonly TimeSpine[];
  readonly problems: readonly ConversionProblem[];
}

export interface InputFile {
  readonly name: string;
  readonly text: string;
}

/** Reads all files as one project: a metric may use a measure of another file. */
export function readDbt(files: readonly InputFile[]): DbtProject {
  const models: SemanticModel[] = [];
  const metrics: Metric[] = [];
  const savedQueries: SavedQuery[] = [];
  const spines: TimeSpine[] = [];
  const problems: ConversionProblem[] = [];
  for (const { name: file, text } of files.flatMap(documentsOf)) {
    const yaml = readYaml(text);
    if ('problems' in yaml) {
      problems.push(...yaml.problems.map(({ message, line }) => ({ severity: 'error' as const, file, line, message })));
      continue;
    }
    const { root } = yaml;
    const lineAt = lineFinder(yaml);
    for (const { value, place } of listOf(root, 'semantic_models')) {
      const read = check(semanticModel, value, place, 'semantic model');
      if (read === undefined || read.config?.enabled === false) continue;
      models.push({
        ...read,
        file,
        line: lineAt(place),
        lineOf(list, elementName) {
          const index = read[list]?.findIndex((one) => one.name === elementName) ?? -1;
          return lineAt(index < 0 ? place : [...place, list, index]);
        },
      });
    }
    for (const { value, place } of listOf(root, 'metrics')) {
      const read = check(metric, value, place, 'metric');
      if (read !== undefined && read.config?.enabled !== false) metrics.push({ ...read, file, line: lineAt(place) });
    }
    for (const { value, place } of listOf(root, 'saved_queries')) {
      const read = check(savedQuery, value, place, 'saved query');
      if (read !== undefined && read.config?.enabled !== false)
        savedQueries.push({ ...read, file, line: lineAt(place) });
    }
    for (const { value, place } of listOf(root, 'models')) {
      if (!isRecord(value)) continue;
      if (value.time_spine !== undefined && value.time_spine !== null) {
        const read = check(spineModel, value, place, 'time spine');
        const lineOf = (granularity: number) => lineAt([...place, 'time_spine', 'custom_granularities', granularity]);
        if (read !== undefined) spines.push({ ...read, file, line: lineAt([...place, 'time_spine']), lineOf });
      }
      if (value.semantic_model === undefined) continue;
      const message = `model ${String(value.name)}: left out: its semantic model is written in the form of dbt 1.12, which writes the semantic document itself (target/osi_document.json).`;
      problems.push({ severity: 'warning', file, line: lineAt([...place, 'semantic_model']), message });
    }

    function check<Schema extends z.ZodType>(schema: Schema, value: unknown, place: Place, what: string) {
      const checked = schema.safeParse(value);
      if (checked.success) return checked.data;
      const called = isRecord(value) && typeof value.name === 'string' ? `${what} ${value.name}` : what;
      for (const { path, message } of checked.error.issues) {
        const at = path.filter((part) => typeof part !== 'symbol');
        const line = lineAt([...place, ...at]);
        problems.push({ severity: 'error', file, line, message: `${called}: ${at.join('.')}: ${message}.` });
      }
      return undefined;
    }
  }
  if (models.length === 0 && metrics.length === 0 && problems.length === 0) {
    const file = files[0]?.name ?? '';
    const message = 'There are neither semantic_models nor metrics in it.';
    problems.push({ severity: 'error', file, line: undefined, message });
  }
  return { models, metrics, savedQueries, spines, problems };
}

/**
 * Splits a file into its YAML documents. Empty lines replace the earlier documents, so that problems have the file's line
 * numbers.
 */
function documentsOf({ name: file, text }: InputFile): readonly InputFile[] {
  const documents: string[][] = [[]];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    // Three dashes at the start of a line end a document, also within a text of several lines.
    if (/^(---|\.\.\.)(\s|$)/.test(line)) {
      const rest = line.startsWith('---') ? line.slice(3) : '';
      documents.push([...Array.from({ length: index }, () => ''), rest]);
    } else documents.at(-1)?.push(line);
  }
  const filled = documents.map((each) => each.join('\n')).filter((each) => /^[^\S\n]*[^#\s]/m.test(each));
  return filled.length === 0 ? [{ name: file, text }] : filled.map((each) => ({ name: file, text: each }));
}

function listOf(root: unknown, key: string): readonly { readonly value: unknown; readonly place: Place }[] {
  const list = isRecord(root) ? root[key] : undefined;
  return Array.isArray(list) ? list.map((value: unknown, index) => ({ value, place: [key, index] })) : [];
}
