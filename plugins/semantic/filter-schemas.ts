/** Shapes of field references and filters. */
import { z } from 'zod';
import { list, Name } from '../../router/bounded.ts';
import { DATE_GRAIN_NAMES, isGrainOf } from '../../router/date-grains.ts';
import {
  FILTER_OPERATOR_NAMES,
  type FilterOperator,
  hasArity,
  type OperatorOf,
  operatorsOf,
} from '../../router/filter-operators.ts';
import { MAX_PATH_LENGTH } from '../../router/limits.ts';
import {
  MAX_AXIS_ITEMS,
  MAX_FILTERS,
  MAX_PERIODS,
  MAX_VALUE_LENGTH,
  RELATIVE_PERIOD_NAMES,
  relativePeriodsWith,
} from '../query-surface/index.ts';
import { MAX_FILTER_VALUES } from './limits.ts';

/** The most relationships of one `via`. */
const MAX_VIA = 20;

export const Via = z
  .union([z.string().max(MAX_PATH_LENGTH), list(Name, MAX_VIA)])
  .meta({
    id: 'Via',
    description:
      'Needed where several paths lead to the dataset: a relationship that is only on the right path, or a list of relationships from the fact outwards.',
  })
  .optional();

/** JSON Schema of a grain. If a model has its own calendars, its `requestSchema` lists their grains too. */
export const GRAIN_SAYS =
  'Of a date or a timestamp: its period (named by its first moment or day) or its part (a number). `grains` of a field lists the legal ones, including grains of the model’s own calendars, such as `fiscal_year`.';

export const Grain = z
  .union([z.enum(DATE_GRAIN_NAMES), z.string().regex(/^[a-z][a-z0-9_]{0,60}$/)], {
    error: `grain must be one of ${DATE_GRAIN_NAMES.join(', ')}, or of the model’s own calendars`,
  })
  .meta({ id: 'Grain', description: GRAIN_SAYS })
  .optional();

/** JSON Schema of a period; `requestSchema` lists the periods of the model. */
export const PERIOD_SAYS = 'A period of the calendar, or of the model’s own calendars, such as `fiscal_year`.';

const PERIODS = DATE_GRAIN_NAMES.filter((grain) => isGrainOf(grain, 'period'));

export const PeriodName = z
  .union([z.enum(PERIODS), z.string().regex(/^[a-z][a-z0-9_]{0,60}$/)], {
    error: `grain must be one of ${PERIODS.join(', ')}, or of the model’s own calendars`,
  })
  .describe(PERIOD_SAYS);

export const FieldReference = z
  .strictObject({
    dataset: Name.describe('Name of a dataset of the model.'),
    field: Name.describe('Name of one of its fields.'),
    via: Via,
    grain: Grain,
  })
  .meta({ id: 'FieldReference' });

/** A field to group by in rows; a date may have its empty periods filled. */
export const RowReference = FieldReference.extend({
  fill: z
    .literal([true, false, 'zero'])
    .optional()
    .describe(
      'For a date with the grain of a period: also answers periods without facts, from the first to the last of the filters or the data. Metrics are null there; with `zero`, counts and sums are 0.',
    ),
});

const Literal = z.union([z.string().max(MAX_VALUE_LENGTH), z.number(), z.boolean()]);

const Filter = z
  .strictObject({
    dataset: Name,
    field: Name,
    via: Via,
    grain: Grain,
    op: z.enum(FILTER_OPERATOR_NAMES, `op must be one of ${FILTER_OPERATOR_NAMES.join(', ')}`),
    value: Literal.optional().describe(
      `For ${operatorsOf('one').join(', ')}: a value of the field’s type; dates in ISO 8601. For RELATIVE a period counted to today: ${RELATIVE_PERIOD_NAMES.join(', ')}.`,
    ),
    values: list(Literal, MAX_FILTER_VALUES)
      .optional()
      .describe(`For IN up to ${MAX_FILTER_VALUES} values (none matches no row), for BETWEEN two.`),
    n: z
      .int('n must be a whole number')
      .min(1, 'n must be greater than 0')
      .max(MAX_PERIODS)
      .optional()
      .describe(
        `For RELATIVE: how many periods are counted. ${relativePeriodsWith('required').join(', ')} need it, ${relativePeriodsWith('optional').join(', ')} takes it (default 1).`,
      ),
  })
  .meta({ id: 'FieldFilter' });

export type FilterItem = z.output<typeof Filter>;

/** The operators that test a metric; metrics have no periods. */
export type MetricOperator = Exclude<FilterOperator, OperatorOf<'period'>>;
const METRIC_OPERATOR_NAMES = FILTER_OPERATOR_NAMES.filter(isMetricOperator) as [MetricOperator, ...MetricOperator[]];

function isMetricOperator(op: FilterOperator): op is MetricOperator {
  return !hasArity(op, 'period');
}

const MetricFilter = z
  .strictObject({
    metric: Name.describe('Name of a metric of the model; it may be missing from `values`.'),
    aggregation: Name.optional().describe(
      'Replaces the outer aggregation. Without it, the metric is tested with the aggregation that it has in `values`; with `per`, with its own.',
    ),
    op: z.enum(METRIC_OPERATOR_NAMES, `op must be one of ${METRIC_OPERATOR_NAMES.join(', ')}`),
    value: Literal.optional(),
    values: Filter.shape.values,
    per: list(FieldReference, MAX_AXIS_ITEMS)
      .min(1, 'per names at least one field')
      .optional()
      .describe(
        'Fields to group by for the test: keeps the rows of groups whose metric passes, such as the sales of customers with more than three orders. Without it, the groups of the answer are tested.',
      ),
    filters: list(Filter, MAX_FILTERS)
      .optional()
      .describe(
        'With `per`: filters of the rows that the metric aggregates. The other filters of the query do not apply to it.',
      ),
  })
  .refine(({ per, filters }) => per !== undefined || filters === undefined, {
    path: ['filters'],
    message: 'filters of a metric need per; without it the filters of the query hold.',
  })
  .meta({
    id: 'MetricFilter',
    anyOf: [
      { properties: { per: { type: 'array' } }, required: ['per'] },
      { properties: { filters: { type: 'null' } } },
    ],
  });

export type MetricFilterItem = z.output<typeof MetricFilter>;

/** A filter, or a group of filters that requires any or all of them. */
export type FilterNode = FilterItem | MetricFilterItem | FilterGroup;

export interface FilterGroup {
  readonly any?: readonly FilterNode[] | undefined;
  readonly all?: readonly FilterNode[] | undefined;
}

/** Returns whether a filter tests a metric. */
export function isMetricFilter(node: FilterNode): node is MetricFilterItem {
  return 'metric' in node;
}

/** Returns the filters of a group; `undefined` for a filter. */
export function groupOf(
  node: FilterNode,
): { readonly kind: 'any' | 'all'; readonly of: readonly FilterNode[] } | undefined {
  if ('any' in node && node.any !== undefined) return { kind: 'any', of: node.any };
  return 'all' in node && node.all !== undefined ? { kind: 'all', of: node.all } : undefined;
}

/** The most groups inside each other. */
const MAX_DEPTH = 3;

/**
 * A filter of a field or of a metric, or a group. The members of a body decide which it is, so that mistakes are reported
 * for that kind.
 */
const EitherNode = z.core.$constructor<z.ZodUnion<readonly z.ZodType[]>, z.core.$ZodUnionDef<readonly z.ZodType[]>>(
  'EitherNode',
  (node, definition) => {
    z.ZodUnion.init(node, definition);
    const [filter = z.never(), metric = z.never(), group = filter] = definition.options;
    node._zod.parse = (payload, context) => {
      const { value } = payload;
      const has = (member: string) => typeof value === 'object' && value !== null && member in value;
      const meant = has('any') || has('all') ? group : has('metric') ? metric : filter;
      return meant._zod.run(payload, context);
    };
  },
);

const NO_MEMBERS = z.never(`Groups of filters nest at most ${MAX_DEPTH} deep.`).optional();
/** A group that is nested too deeply. */
const DEEPER_GROUP = z.strictObject({ any: NO_MEMBERS, all: NO_MEMBERS });

/**
 * Returns the schema of a filter in at most `depth` groups. Parsing goes down these levels only. The JSON Schema is one for
 * all levels and refers to itself.
 */
function nodeOf(depth: number): z.ZodType<FilterNode> {
  const group = depth === 0 ? DEEPER_GROUP : groupIn(depth);
  const node = new EitherNode({ type: 'union', options: [Filter, MetricFilter, group] }) as z.ZodType;
  if (depth < MAX_DEPTH) node._zod.toJSONSchema = () => ({ $ref: `#/$defs/${FILTER_NODE}` });
  return node as z.ZodType<FilterNode>;
}

function groupIn(depth: number): z.ZodType {
  const inner = nodeOf(depth - 1);
  const members = (says: string) =>
    list(inner, MAX_FILTERS).min(1, 'a group has at least one filter').optional().describe(says);
  const group = z
    .strictObject({
      any: members('At least one of these filters must pass.'),
      all: members('All of these filters must pass.'),
    })
    .refine(({ any, all }) => (any === undefined) !== (all === undefined), 'A group has either any or all.');
  return depth < MAX_DEPTH
    ? group
    : group.meta({
        id: 'FilterGroup',
        oneOf: ['any', 'all'].map((member) => ({ properties: { [member]: { type: 'array' } }, required: [member] })),
      });
}

const FILTER_NODE = 'FilterNode';

export const FilterNode = nodeOf(MAX_DEPTH).meta({ id: FILTER_NODE });

/** Limits of filters that JSON Schemas do not express: a schema that refers to itself has no depth. */
export const DEPTH_OF_GROUPS = { items: depthOf(MAX_DEPTH) };

function depthOf(groups: number): object {
  return { patternProperties: { '^(any|all)$': groups === 0 ? false : { items: depthOf(groups - 1) } } };
}
