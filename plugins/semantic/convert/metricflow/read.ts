/** dbt metric YAML (dbt 1.10 and 1.11: top-level `semantic_models` and `metrics`) -> checked elements with their lines. */

import { z } from 'zod';
import { isRecord } from '../../../../router/record.ts';
import type { Place } from '../../model/problems.ts';
import { lineFinder, readYaml } from '../../model/yaml-text.ts';
import type { ConversionProblem } from '../osi.ts';

const orAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);
const name = z.string().min(1);
/** SQL; YAML reads `1` and `true` as other types. */
const sql = orAbsent(z.union([z.string(), z.number(), z.boolean()]).transform(String));
const filter = orAbsent(z.union([z.string().transform((one) => [one]), z.array(z.string())]));
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
  type_params: orAbsent(z.looseObject({ time_granularity: orAbsent(z.string()) })),
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
  non_additive_dimension: orAbsent(z.looseObject({})),
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
    fill_nulls_with: orAbsent(z.number()),
    join_to_timespine: orAbsent(z.boolean()),
    offset_window: orAbsent(z.unknown()),
    offset_to_grain: orAbsent(z.unknown()),
  }),
);
const metric = z.looseObject({
  ...described,
  type: z.string().transform((text) => text.toLowerCase()),
  filter,
  type_params: orAbsent(
    z.looseObject({ measure: orAbsent(input), numerator: orAbsent(input), denominator: orAbsent(input) }),
  ),
});

export type Entity = z.output<typeof entity>;
export type Dimension = z.output<typeof dimension>;
export type Measure = z.output<typeof measure>;
export type Input = z.output<typeof input>;

export interface Located {
  readonly file: string;
  readonly line: number | undefined;
}

export interface SemanticModel extends Located, z.output<typeof semanticModel> {
  /** Lines of its entities, dimensions and measures, by name. */
  readonly lineOf: (list: 'entities' | 'dimensions' | 'measures', name: string) => number | undefined;
}

export interface Metric extends Located, z.output<typeof metric> {}

export interface DbtProject {
  readonly models: readonly SemanticModel[];
  readonly metrics: readonly Metric[];
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
  const problems: ConversionProblem[] = [];
  for (const { name: file, text } of files) {
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
        lineOf(list, wanted) {
          const index = read[list]?.findIndex((one) => one.name === wanted) ?? -1;
          return lineAt(index < 0 ? place : [...place, list, index]);
        },
      });
    }
    for (const { value, place } of listOf(root, 'metrics')) {
      const read = check(metric, value, place, 'metric');
      if (read !== undefined && read.config?.enabled !== false) metrics.push({ ...read, file, line: lineAt(place) });
    }
    for (const { value, place } of listOf(root, 'models')) {
      if (!isRecord(value) || value.semantic_model === undefined) continue;
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
  return { models, metrics, problems };
}

function listOf(root: unknown, key: string): readonly { readonly value: unknown; readonly place: Place }[] {
  const list = isRecord(root) ? root[key] : undefined;
  return Array.isArray(list) ? list.map((value: unknown, index) => ({ value, place: [key, index] })) : [];
}
