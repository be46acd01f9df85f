/** Schemas of this surface's requests and answers. Types, JSON Schemas and the API reference are derived from them. */
import { z } from 'zod';
import { list, Name, PathText } from '../../../router/bounded.ts';
import { describedAs } from '../../../router/json-schema.ts';
import { MAX_NAME_LENGTH } from '../../../router/limits.ts';
import {
  Limit,
  MAX_AXIS_ITEMS,
  MAX_FILTERS,
  MAX_METRICS,
  MAX_PERIODS,
  MAX_SORTS,
  MAX_VALUE_LENGTH,
  RELATIVE_PERIOD_NAMES,
} from '../../query-surface/index.ts';
import { MAX_CHANGES, MAX_MEMBERS } from '../limits.ts';

export const CubeObject = z.strictObject({
  connectionName: Name,
  catalog: Name,
  schema: Name,
  cubeName: Name,
});

/** `connection/catalog/schema/cube` as one text. */
export const CubeId = z.string().max(4 * MAX_NAME_LENGTH);

export const CubeReference = z
  .union([CubeId, CubeObject])
  .describe('`connection/catalog/schema/cube`, or its four parts.');
export type CubeReference = z.output<typeof CubeReference>;

/** A unique name or a caption. */
const MemberName = z.string().max(MAX_VALUE_LENGTH);

const AxisItem = z.strictObject({
  dimension: Name,
  hierarchy: Name.optional().describe('Without it, the dimension’s first.'),
  level: Name.optional().describe('Without it, that of `members`, else the topmost below the total.'),
  members: list(MemberName, MAX_MEMBERS)
    .min(1, 'members must name at least one member; leave it out for all of the level')
    .optional()
    .describe('Unique names, or captions that are unique on the level: only these, in this order.'),
});
export type AxisItem = z.output<typeof AxisItem>;

const FILTER_OPERATORS = ['in', 'not_in', 'between', 'descendants_of', 'relative'] as const;

const Filter = z.strictObject({
  dimension: Name,
  hierarchy: Name.optional(),
  level: Name.optional().describe('Without it, that of `members`.'),
  op: z
    .enum(FILTER_OPERATORS, `op must be one of ${FILTER_OPERATORS.join(', ')}`)
    .optional()
    .describe('Default `in`.'),
  members: list(MemberName, MAX_MEMBERS)
    .min(1, 'members must name at least one member')
    .optional()
    .describe('Unique names, or captions that are unique on the level. For between: the first and the last.'),
  value: z
    .enum(RELATIVE_PERIOD_NAMES, `value must be one of ${RELATIVE_PERIOD_NAMES.join(', ')}`)
    .optional()
    .describe('For relative: which days, counted to today in UTC.'),
  n: z.int('n must be a whole number').min(1, 'n must be greater than 0').max(MAX_PERIODS).optional(),
});
export type FilterItem = z.output<typeof Filter>;

const Order = z.strictObject({
  by: Name.describe('A measure; it need not be among `measures`.'),
  direction: z
    .string()
    .check(({ value, issues }) => {
      if (/^(asc|desc)$/i.test(value)) return;
      issues.push({
        code: 'invalid_value',
        values: ['asc', 'desc'],
        input: value,
        message: 'direction must be asc or desc',
      });
    })
    .meta({ pattern: '^([aA][sS][cC]|[dD][eE][sS][cC])$' })
    .optional()
    .describe('`asc` or `desc` in any letter case; default asc. Empty and masked rows come last either way.'),
});

export const CubeQueryRequest = z
  .strictObject({
    cube: CubeReference,
    measures: list(z.strictObject({ name: Name.describe('Name, caption or synonym of a measure.') }), MAX_METRICS).min(
      1,
      'measures must name at least one measure',
    ),
    rows: list(AxisItem, MAX_AXIS_ITEMS)
      .optional()
      .describe('What makes a row of the answer; without it there is one row.'),
    columns: list(AxisItem, MAX_AXIS_ITEMS)
      .optional()
      .describe('Crossed with the measures: one column for each combination.'),
    filters: list(Filter, MAX_FILTERS).optional().describe('All of them hold. They restrict what is added up.'),
    order: list(Order, MAX_SORTS).optional(),
    limit: Limit.optional().describe('Most rows to answer: with an order, the top ones.'),
    nonEmpty: z.boolean().optional().describe('Leaves rows and columns without any value out. Default true.'),
    visualTotals: z
      .boolean()
      .optional()
      .describe(
        'Totals among `members` of several levels are computed from the members shown below them. Default false.',
      ),
  })
  .meta({ id: 'CubeQueryRequest' });
export type CubeQueryRequest = z.output<typeof CubeQueryRequest>;

export const Format = z
  .enum(['records', 'matrix'])
  .optional()
  .describe('`matrix`: rows keyed by the index of the column. Default `records`.');
export type Format = z.output<typeof Format>;

export const NumericCell = z.object({
  value: z.union([z.number(), z.string(), z.boolean(), z.null()]),
  formatted: z.string(),
  unit: z.string().nullable(),
  suppressed: z.literal(true).optional(),
  error: z.string().optional().describe('Why this cell could not be computed.'),
});
export type NumericCell = z.output<typeof NumericCell>;

const Row = z.record(z.string(), z.union([z.string(), NumericCell]));

const Metadata = z
  .object({
    cubeId: z.string(),
    generatedMdx: z.string().describe('The MDX that ran.'),
    freshness: z.object({
      computedAtMillis: z.int(),
      computedAt: z.iso.datetime(),
      cached: z.boolean(),
    }),
    rows: z.array(z.object({ key: z.string(), caption: z.string(), dimension: z.string(), uniqueName: z.string() })),
    columns: z.array(
      z.object({
        index: z.int().describe('Its key in a matrix.'),
        key: z.string().describe('Its key in records.'),
        measure: z.string().optional(),
        members: z.array(z.object({ caption: z.string(), uniqueName: z.string() })).optional(),
      }),
    ),
    measures: z.array(
      z.object({
        name: z.string(),
        caption: z.string(),
        uniqueName: z.string(),
        unit: z.string().nullable(),
        aggregationKind: z.string(),
      }),
    ),
    truncated: z.boolean().describe('There were more rows than the server answers without a limit.'),
    suppressed: z.object({ count: z.int(), reason: z.string() }).optional(),
  })
  .meta({ id: 'CubeAnswerMetadata' });

const Answered = z.object({
  queryId: z.string(),
  status: z.literal('SUCCESS'),
  metadata: Metadata,
  totalRows: z.int(),
  runtimeMs: z.int(),
});
export const CubeQueryResponse = Answered.extend({ format: z.literal('records'), data: z.array(Row) });
export const CubeMatrixResponse = Answered.extend({ format: z.literal('matrix'), matrix: z.array(Row) });
export type CubeQueryResponse = z.output<typeof CubeQueryResponse>;
export type CubeMatrixResponse = z.output<typeof CubeMatrixResponse>;
export type Metadata = z.output<typeof Metadata>;

export const PreviewResponse = z.object({
  queryId: z.string(),
  status: z.literal('PREVIEW'),
  generatedMdx: z.string().describe('Exactly what the query runs.'),
  steps: z
    .array(z.string())
    .describe(
      'Which aggregate tables are read in place of the facts for the stored measures at the levels of the answer, and why others are not. Empty where the cube has none.',
    ),
});

export const CubeListing = z.object({
  connectionName: z.string(),
  catalog: z.string(),
  schema: z.string(),
  cubeName: z.string(),
  cubeCaption: z.string(),
  defaultMeasure: z.string(),
  measureCount: z.int(),
  cubeId: z.string(),
  description: z.string().optional(),
});
export type CubeListing = z.output<typeof CubeListing>;

const Synonyms = z.array(z.string()).describe('Accepted in the place of the name.');

const MeasureEntry = z.object({
  name: z.string(),
  uniqueName: z.string(),
  caption: z.string(),
  description: z.string(),
  synonyms: Synonyms,
  unit: z.string().nullable(),
  aggregationKind: z.string(),
  grain: z.string().optional(),
  requiredFilters: z.array(z.string()).optional(),
});
export const MemberEntry = z.object({ caption: z.string(), uniqueName: z.string() });
export type MemberEntry = z.output<typeof MemberEntry>;
const LevelEntry = z.object({
  name: z.string(),
  uniqueName: z.string(),
  caption: z.string(),
  description: z.string().optional(),
  synonyms: Synonyms,
  levelType: z.string().optional().describe('Of a level of time, such as `TimeMonths`.'),
  cardinality: z.string().optional(),
  grain: z.string().optional(),
  sampleMembers: z.array(MemberEntry),
});
const HierarchyEntry = z.object({
  name: z.string(),
  uniqueName: z.string(),
  caption: z.string(),
  levels: z.record(z.string(), LevelEntry),
});
const DimensionEntry = z.object({
  name: z.string(),
  uniqueName: z.string(),
  caption: z.string(),
  description: z.string().optional(),
  synonyms: Synonyms,
  type: z.enum(['standard', 'time']),
  hierarchies: z.record(z.string(), HierarchyEntry),
});

const ExampleBody = describedAs(CubeQueryRequest, {
  type: 'object',
  description: 'A CubeQueryRequest, the body of POST /query.',
});

const IndexTexts = {
  name: z.string(),
  caption: z.string().optional().describe('Left out where it is the name.'),
  description: z.string().optional(),
  synonyms: Synonyms.optional(),
} as const;

/** The names of everything in a cube. Of a large cube it has fewer texts. */
const CubeIndex = z.object({
  measureCount: z.int(),
  dimensionCount: z.int(),
  measures: z.record(z.string(), z.object(IndexTexts)),
  dimensions: z.record(
    z.string(),
    z.object({
      ...IndexTexts,
      isTime: z.literal(true).optional(),
      levels: z.array(
        z.object({
          level: z.string(),
          hierarchy: z.string().optional().describe('Set where the dimension has several.'),
          values: z.array(z.string()).optional().describe('Captions of some members.'),
        }),
      ),
    }),
  ),
  isCut: z.literal(true).optional().describe('Set where there are more names than are listed; `q` finds the others.'),
});
export type CubeIndex = z.output<typeof CubeIndex>;

export const CubeSchema = z.object({
  index: CubeIndex.optional().describe(
    'Only with `detail: "index"` and without named parts: `measures` and `dimensions` are empty then.',
  ),
  cubeId: z.string(),
  connectionName: z.string(),
  catalog: z.string(),
  schema: z.string(),
  cubeName: z.string(),
  cubeCaption: z.string(),
  description: z.string().optional(),
  defaultMeasure: z.string(),
  measures: z.record(z.string(), MeasureEntry),
  measureAliases: z.record(z.string(), z.string()),
  dimensions: z.record(z.string(), DimensionEntry),
  requestSchema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema 2020-12 of the body of POST /query; left out where the request says so.'),
  examples: z.record(z.string(), z.object({ description: z.string(), body: ExampleBody })),
});
export type CubeSchema = z.output<typeof CubeSchema>;
export type MeasureEntry = z.output<typeof MeasureEntry>;
export type DimensionEntry = z.output<typeof DimensionEntry>;
export type LevelEntry = z.output<typeof LevelEntry>;

export const DEFAULT_MATCHES = 20;
const MAX_MATCHES = 1_000;

export const MembersSearchRequest = z.strictObject({
  cubeId: CubeId,
  dimension: Name.optional().describe('Without it, all dimensions are searched.'),
  hierarchy: Name.optional(),
  level: Name.optional().describe('Without it, all levels are searched.'),
  parent: z.string().max(1_000).optional().describe('A member by its unique name: only its children are answered.'),
  q: z.string().max(1_000).optional().describe('Part of the caption, in any letter case. Without it: the first ones.'),
  limit: z.int().min(1).max(MAX_MATCHES).optional().describe(`Default ${DEFAULT_MATCHES}.`),
});
export const MembersSearchResponse = z.object({
  members: z.array(
    MemberEntry.extend({
      dimension: z.string().optional().describe('Where several levels are searched: the dimension of the member.'),
      level: z.string().optional().describe('Where several levels are searched: the level of the member.'),
    }),
  ),
});

export const DEFAULT_DRILL_ROWS = 100;
const MAX_DRILL_ROWS = 10_000;

export const DrillthroughRequest = z.strictObject({
  queryId: PathText,
  maxrows: z
    .int('maxrows must be a whole number')
    .min(1, 'maxrows must be greater than 0')
    .max(MAX_DRILL_ROWS, `maxrows must be at most ${MAX_DRILL_ROWS}`)
    .optional()
    .describe(`Rows to answer at most; default ${DEFAULT_DRILL_ROWS}.`),
  returns: z
    .string()
    .max(4_000)
    .optional()
    .describe(
      'What to show: unique names of levels and measures, with commas between. Default: all levels and the measure.',
    ),
  position: z
    .string()
    .max(20)
    .regex(/^\d+:\d+$/, 'position must be col:row, two whole numbers that begin with 0')
    .optional()
    .describe('`col:row`: which measure column (0 is the first behind the row captions) of which row. Default 0:0.'),
});

export const DrillthroughResponse = z.object({
  queryId: z.string(),
  rowCount: z.int(),
  truncated: z.boolean().describe('There were more rows than `maxrows`.'),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
});

const ALLOCATIONS = ['equal_allocation', 'equal_increment', 'weighted_allocation', 'weighted_increment'] as const;

export const WhatIfRequest = z.strictObject({
  query: CubeQueryRequest,
  changes: list(
    z.strictObject({
      measure: Name,
      members: list(MemberName, MAX_AXIS_ITEMS)
        .describe('Unique names; other hierarchies stand at their total.')
        .optional(),
      value: z.number(),
      allocation: z
        .enum(ALLOCATIONS, `allocation must be one of ${ALLOCATIONS.join(', ')}`)
        .optional()
        .describe('How the value is spread to the cells below. Default equal_allocation.'),
    }),
    MAX_CHANGES,
  ).min(1, 'changes must hold at least one change'),
});
export type WhatIfRequest = z.output<typeof WhatIfRequest>;

export const PiiSuggestions = z.object({
  suggestions: z.array(z.object({ target: z.string(), reason: z.string() })),
});
