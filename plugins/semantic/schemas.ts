/** Schemas of this surface's requests and answers. Types, JSON Schemas and the API reference are made from them. */

import { z } from 'zod';
import { list, Name } from '../../router/bounded.ts';
import { describedAs } from '../../router/json-schema.ts';
import { MAX_NAME_LENGTH } from '../../router/limits.ts';
import { Limit, MAX_AXIS_ITEMS, MAX_FILTERS, MAX_METRICS, MAX_PERIODS, MAX_SORTS } from '../query-surface/index.ts';
import { COMPARE_TARGET_NAMES } from './compare/compare-targets.ts';
import { COMPARED_PART_NAMES } from './compare/parts.ts';
import { DEPTH_OF_GROUPS, FieldReference, FilterNode, Grain, PeriodName, RowReference, Via } from './filter-schemas.ts';

const Compare = z.strictObject({
  to: z
    .union([
      z.enum(COMPARE_TARGET_NAMES),
      z.strictObject({
        offset: z
          .int('offset must be a whole number')
          .min(-MAX_PERIODS)
          .max(MAX_PERIODS)
          .refine((offset) => offset !== 0, 'offset must not be 0')
          .meta({ not: { const: 0 } })
          .describe('The number of periods: -3 for three periods earlier.'),
        grain: PeriodName,
      }),
    ])
    .describe(
      'The time to compare with: the period before each period in rows or columns, or before the days that the filters name; a year earlier; or a number of periods away.',
    ),
});

const Value = z.strictObject({
  metric: Name.describe('Name of a metric of the model.'),
  aggregation: Name.optional().describe('Replaces the outer aggregation; one of the metric’s supportedOverrides.'),
  compare: Compare.optional().describe(
    'Adds the value at another time, the difference and the ratio, as columns `metric.base`, `metric.difference`, `metric.ratio`.',
  ),
});

const Sort = z.strictObject({
  metric: Name.optional().describe('A metric of `values`. Name a metric or a field, not both.'),
  field: z
    .string()
    .max(4 * MAX_NAME_LENGTH)
    .optional()
    .describe('A field of `rows` or `columns` as `dataset.field`, or by its column key.'),
  dataset: Name.optional().describe('The field’s dataset, where `field` is its bare name.'),
  via: Via,
  grain: Grain,
  direction: z.enum(['ASC', 'DESC', 'asc', 'desc']).optional().describe('Default ASC. Nulls come last either way.'),
});

export const SemanticQueryRequest = z
  .strictObject({
    connection: Name.describe('connectionName of the model.'),
    model: Name.optional().describe('modelName; may be left out where the connection has one model.'),
    rows: list(RowReference, MAX_AXIS_ITEMS).optional().describe('Fields to group by.'),
    columns: list(FieldReference, MAX_AXIS_ITEMS)
      .optional()
      .describe('Further fields to group by, across in a crosstab.'),
    values: list(Value, MAX_METRICS).optional().describe('Metrics to compute.'),
    filters: list(FilterNode, MAX_FILTERS)
      .meta({ allOf: [DEPTH_OF_GROUPS] })
      .optional()
      .describe(
        'Every filter must pass. `{"any": […]}` passes if one of its filters passes, `{"all": […]}` if all of them pass. A filter with `metric` tests groups of the answer; with `per`, groups of other fields.',
      ),
    sorts: list(Sort, MAX_SORTS).optional(),
    limit: Limit.optional().describe('The most rows to answer.'),
    timezone: Name.optional().describe(
      'IANA name of the time zone for the grains and relative periods of timestamps; by default the model’s. A timestamp without a zone is read as UTC.',
    ),
    locale: Name.optional().describe(
      'Language tag (BCP 47) of the labels of periods and parts; by default the model’s.',
    ),
  })
  .meta({ id: 'SemanticQueryRequest' });
export type SemanticQueryRequest = z.output<typeof SemanticQueryRequest>;
export type { FilterItem, FilterNode, MetricFilterItem } from './filter-schemas.ts';
export type SortItem = z.output<typeof Sort>;
export type ValueItem = z.output<typeof Value>;
export type FieldItem = z.output<typeof FieldReference>;
export type RowItem = z.output<typeof RowReference>;

const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const MetricCell = z.object({
  value: Cell,
  formatted: z.string().nullable(),
  suppressed: z.literal(true).optional(),
});

export const SemanticQueryResponse = z.object({
  queryId: z.string(),
  runtime: z.int().describe('Milliseconds.'),
  columns: z.array(
    z.object({
      key: z
        .string()
        .describe(
          '`dataset.field` (with `.` and its `grain` and `@` and its `via`, where the request names them) or the metric’s name.',
        ),
      label: z.string(),
      type: z.enum(['dimension', 'metric']),
      aggregationKind: z.string().optional(),
      change: z
        .literal('points')
        .optional()
        .describe('For a rate, a metric that is written in per cent: its changes are in percentage points.'),
      compare: z
        .object({ metric: z.string(), part: z.enum(COMPARED_PART_NAMES) })
        .optional()
        .describe('For a column that a comparison adds: the compared metric, and the part that the column has.'),
      grain: z.string().optional().describe('For a dimension of periods or parts of dates.'),
      labels: z
        .record(z.string(), z.string())
        .optional()
        .describe('The labels of a grain’s values: `{"2024-01-01": "Jan 2024"}`.'),
      order: z
        .array(z.string())
        .optional()
        .describe('For periods that a table defines: the values, as text, in the order of the periods.'),
    }),
  ),
  records: z.array(z.record(z.string(), z.union([Cell, MetricCell]))),
  meta: z.object({
    rowCount: z.int(),
    truncated: z.boolean(),
    suppressed: z.object({ count: z.int(), reason: z.string() }).optional(),
  }),
});
export type SemanticQueryResponse = z.output<typeof SemanticQueryResponse>;

/** The computation of an answer, in words. */
export const PlanView = z.object({
  grain: z.array(z.string()).describe('Fields that make one row of the answer.'),
  metrics: z.array(
    z.object({
      metric: z.string(),
      aggregation: z.string(),
      parts: z.array(
        z.object({
          dataset: z.string().describe('Dataset whose rows are aggregated.'),
          paths: z.array(z.string()).describe('Relationships that are followed, nearest first.'),
          filteredBy: z.array(z.string()).describe('Fields whose filters test the joined rows.'),
          keptByMatch: z.array(z.string()).describe('Fields whose filters only decide which rows are kept.'),
          distinctBy: z.array(z.string()).describe('Columns that keep a row from being counted twice in a group.'),
        }),
      ),
    }),
  ),
  steps: z.array(z.string()).describe('The plan in sentences.'),
});
export type PlanView = z.output<typeof PlanView>;

export const PreviewResponse = z.object({
  queryId: z.string(),
  status: z.literal('PREVIEW'),
  generatedSql: z.string().describe('Exactly what the query dispatches; values are bound as its parameters.'),
  plan: PlanView,
});

export const CombinationsResponse = z.object({
  problem: z
    .object({ field: z.string(), message: z.string() })
    .optional()
    .describe('The first mistake of the query itself; both lists are empty then.'),
  datasets: z
    .array(z.object({ dataset: z.string(), message: z.string() }))
    .describe('Datasets with no field that can be added to `rows`.'),
  metrics: z
    .array(z.object({ metric: z.string(), message: z.string() }))
    .describe('Metrics that cannot be added to `values`.'),
});

export const ModelListing = z.object({
  connectionName: z.string(),
  modelName: z.string(),
  description: z.string(),
  factDataset: z.string(),
  datasetCount: z.int(),
  metricCount: z.int(),
});

const MatrixCell = z.object({
  value: z.string().nullable().describe('The value in a readable form; for a grain, its label.'),
  type: z.enum(['COLUMN_HEADER', 'ROW_HEADER', 'DATA_CELL']),
  raw: Cell.optional().describe('For a DATA_CELL and for the header of a grain: the value behind `value`.'),
  suppressed: z.literal(true).optional(),
});

export const MatrixResponse = z.object({
  queryId: z.string(),
  runtime: z.int().describe('Milliseconds.'),
  format: z.literal('matrix'),
  cellSetHeaders: z
    .array(z.array(MatrixCell))
    .describe('One line for each field of `columns`, and one with the labels of rows and metrics.'),
  cellSetBody: z.array(z.array(MatrixCell)).describe('One line for each row group, as long as the header lines.'),
  meta: SemanticQueryResponse.shape.meta,
});
export type MatrixResponse = z.output<typeof MatrixResponse>;

export const Format = z
  .enum(['records', 'matrix'])
  .optional()
  .describe('`matrix`: header and data cells by position. Default `records`.');
export type Format = z.output<typeof Format>;

/** The most rows of a row detail. */
const MAX_DETAIL_ROWS = 10_000;
export const DEFAULT_DETAIL_ROWS = 100;

export const RowDetailRequest = SemanticQueryRequest.extend({
  maxrows: z
    .int('maxrows must be a whole number')
    .min(1, 'maxrows must be greater than 0')
    .max(MAX_DETAIL_ROWS, `maxrows must be at most ${MAX_DETAIL_ROWS}`)
    .optional()
    .describe(`The most rows to answer; default ${DEFAULT_DETAIL_ROWS}.`),
});

export const DEFAULT_MATCHES = 20;
const MAX_MATCHES = 1_000;

export const ValueSearchRequest = z.strictObject({
  connection: Name,
  model: Name.optional().describe('Needed only where the connection has several models.'),
  dataset: Name.optional().describe(
    'Without `field`: all its text fields are searched; without both, all text fields of the model.',
  ),
  field: Name.optional(),
  q: z
    .string()
    .max(1_000)
    .optional()
    .describe('A part of the value’s text, in any letter case. Without it, the first values are answered.'),
  limit: z.int().min(1).max(MAX_MATCHES).optional().describe(`Default ${DEFAULT_MATCHES}.`),
  counts: z.boolean().optional().describe('Counts the rows of each value.'),
});

export const ValueSearchResponse = z.object({
  matches: z.array(z.string()),
  counts: z.array(z.int()).optional(),
  fields: z
    .array(z.object({ dataset: z.string(), field: z.string(), matches: z.array(z.string()) }))
    .optional()
    .describe('Where several fields are searched: those with a match, and their matches.'),
  isCut: z.literal(true).optional().describe('Set where there are more text fields than are searched at once.'),
  connection: z.string(),
  model: z.string(),
  dataset: z.string().optional(),
  field: z.string().optional(),
  q: z.string().optional(),
  limit: z.int(),
});

/** The names of a model in an address. */
export const ModelName = z.strictObject({ connection: Name, model: Name });

export const FreshnessResponse = z.object({
  connection: z.string(),
  model: z.string(),
  datasets: z
    .array(z.object({ dataset: z.string(), mainDate: z.string(), newest: z.string().nullable() }))
    .describe(
      'For each dataset with a main date: the newest date of the rows that the caller may see; null without rows.',
    ),
});

export const OntologyResponse = z.object({
  connection: z.string(),
  model: z.string(),
  ontology: z.array(z.unknown()).describe('The document’s ontology block, unchanged; empty if it has none.'),
});

const CustomExtensions = z
  .array(z.object({ vendor_name: z.string(), data: z.unknown() }))
  .meta({
    id: 'CustomExtensions',
    description: 'Blocks of other vendors, unchanged; internal ones are left out.',
  })
  .optional();

/** The texts of the document about an element, for people and agents. */
const described = {
  description: z.string().optional(),
  synonyms: z.array(z.string()).optional().describe('Further names, accepted wherever the name is.'),
  instructions: z.string().optional().describe('The author’s instructions for agents.'),
  aiExamples: z.array(z.unknown()).optional().describe('The author’s examples, usually questions.'),
} as const;

const FieldView = z.object({
  name: z.string(),
  label: z.string(),
  ...described,
  isTime: z.boolean().optional().describe('True for a date or a time, which may be a time axis.'),
  grains: z
    .array(z.string())
    .optional()
    .describe('For a date or a timestamp: the legal values for `grain` in a reference to it.'),
  type: z.string().describe('The warehouse’s type name.'),
  cardinality: z.enum(['low', 'medium', 'medium-high', 'high']),
  sampleValues: z.array(Cell),
  estimatedDistinct: z.int().optional(),
  customExtensions: CustomExtensions,
});

const DatasetView = z.object({
  name: z.string(),
  ...described,
  source: z.string(),
  primaryKey: z.array(z.string()),
  mainDate: z
    .string()
    .optional()
    .describe('The main date of its rows, as `dataset.field`: the date that the model declares, else its only date.'),
  roles: z
    .array(z.object({ via: z.string(), label: z.string(), from: z.array(z.string()) }))
    .optional()
    .describe(
      'Set where several paths lead to it from one dataset: for each path the value for `via` in a reference to its fields, the label of the role, and the datasets from which the path begins.',
    ),
  fields: z.record(z.string(), FieldView),
  customExtensions: CustomExtensions,
});

const MetricView = z.object({
  name: z.string(),
  label: z.string(),
  ...described,
  expression: z.string(),
  aggregationKind: z.string(),
  kinds: z
    .array(z.object({ kind: z.string(), says: z.string() }))
    .optional()
    .describe(
      'The kinds that the document declares for the metric beside its expression, such as an offset; `says` continues the metric’s name.',
    ),
  supportedOverrides: z.array(z.string()),
  customExtensions: CustomExtensions,
});

const ExampleBody = describedAs(SemanticQueryRequest, {
  type: 'object',
  description: 'A SemanticQueryRequest, the body of POST /query.',
});

const IndexTexts = {
  label: z.string().optional().describe('Left out where it says the same as the name.'),
  description: z.string().optional(),
  synonyms: z.array(z.string()).optional(),
} as const;

/** The names of everything in a model. Of a large model it has fewer texts, and then only names or counts. */
const ModelIndex = z.object({
  datasetCount: z.int(),
  metricCount: z.int(),
  datasets: z.record(
    z.string(),
    z.object({
      fieldCount: z.int(),
      description: IndexTexts.description,
      synonyms: IndexTexts.synonyms,
      mainDate: z.string().optional(),
      joins: z.array(z.string()).optional().describe('Datasets with at most one row for each of its rows.'),
      fields: z
        .record(
          z.string(),
          z.object({
            type: z.string(),
            label: IndexTexts.label,
            synonyms: IndexTexts.synonyms,
            values: z.array(z.string()).optional(),
          }),
        )
        .optional(),
      fieldNames: z.array(z.string()).optional(),
    }),
  ),
  metrics: z
    .record(
      z.string(),
      z.object({ of: z.array(z.string()).describe('The datasets whose rows it aggregates.'), ...IndexTexts }),
    )
    .optional(),
  metricNames: z.array(z.string()).optional(),
  isCut: z.literal(true).optional().describe('Set where there are more names than are listed; `q` finds the others.'),
});
export type ModelIndex = z.output<typeof ModelIndex>;

export const ModelSchema = z.object({
  index: ModelIndex.optional().describe(
    'Only with `detail: "index"` and without named parts: `datasets`, `metrics` and `relationships` are empty then.',
  ),
  modelId: z.string(),
  connectionName: z.string(),
  modelName: z.string(),
  ...described,
  customExtensions: CustomExtensions,
  factDataset: z.string(),
  datasets: z.record(z.string(), DatasetView),
  metrics: z.record(z.string(), MetricView),
  time: z
    .object({
      timezone: z.string().optional(),
      weekStart: z.string(),
      locale: z.string(),
      dataset: z.string().optional(),
      field: z.string().optional(),
      grains: z.array(z.string()).optional(),
    })
    .describe(
      'The time zone of requests that name none, the first day of weeks, and the language of labels. `dataset` and `field` name the calendar on which metrics of several datasets meet, each by its `mainDate`, with its `grains`; they are absent if no dataset has a main date.',
    ),
  relationships: z.array(
    z.object({
      name: z.string(),
      label: z
        .string()
        .optional()
        .describe('The label of the role that it gives to its target, if the document has one.'),
      from: z.string(),
      to: z.string(),
      fromColumns: z.array(z.string()),
      toColumns: z.array(z.string()),
      leftOut: z.string().optional().describe('The reason why no query can use it; absent if queries can.'),
      customExtensions: CustomExtensions,
    }),
  ),
  requestSchema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema 2020-12 of the body of POST /query; left out if the request asks for that.'),
  examples: z.record(z.string(), z.object({ description: z.string(), body: ExampleBody })),
});
export type ModelSchema = z.output<typeof ModelSchema>;
export type FieldView = z.output<typeof FieldView>;
export type DatasetView = z.output<typeof DatasetView>;
export type MetricView = z.output<typeof MetricView>;
