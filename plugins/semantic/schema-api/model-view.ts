/**
 * Describes a model for agents. It is given a model that contains only what the caller may see; see `applyAccessPolicy`.
 */
import { WEEK_DAYS } from '../../../router/date-grains.ts';
import { once } from '../../../router/once.ts';
import { requestSchemaOf } from '../../query-surface/index.ts';
import { overrideName } from '../model/aggregations.ts';
import { whyNoPath } from '../model/bind.ts';
import type { AiFacts } from '../model/extensions.ts';
import { mainDateOf } from '../model/main-date.ts';
import type { Dataset, Field, Metric, Model, Relationship } from '../model/model.ts';
import { sourceName } from '../model/source.ts';
import { type Role, rolesOf } from '../query/joins/role-labels.ts';
import { grainNames } from '../query/nodes/grain.ts';
import type { CalendarDate } from '../query/nodes/resolved-query.ts';
import { CALENDAR, calendarDate } from '../query/resolve/calendar-date.ts';
import {
  type DatasetView,
  type FieldView,
  type MetricView,
  type ModelSchema,
  SemanticQueryRequest,
} from '../schemas.ts';
import { examplesOf } from './examples.ts';
import { modelIndex } from './model-index.ts';
import { withGrainsOf } from './request-schema-grains.ts';
import type { FieldFacts, ModelFacts } from './samples.ts';
import type { ShownParts } from './shown-parts.ts';

const requestSchema = once(() => requestSchemaOf(SemanticQueryRequest));

/** What a description has. */
export interface Description {
  readonly parts: ShownParts;
  readonly hasIndex: boolean;
  /** Whether it has the texts about the model as a whole, and examples. */
  readonly hasOverview: boolean;
  /** Whether it has the JSON Schema of a query. */
  readonly hasRequestSchema: boolean;
}

export async function modelSchema(
  model: Model,
  connection: string,
  facts: ModelFacts,
  { parts, hasIndex, hasOverview, hasRequestSchema }: Description,
): Promise<ModelSchema> {
  const roles = await rolesOf(model);
  const isShown = (dataset: string) => parts.datasets.has(dataset);
  return {
    ...(hasIndex ? { index: modelIndex(model, facts) } : {}),
    modelId: `${connection}/${model.name}`,
    connectionName: connection,
    modelName: model.name,
    ...(hasOverview
      ? {
          ...described({ ...model, description: model.description === '' ? undefined : model.description }),
          ...extended(model),
        }
      : {}),
    factDataset: model.factDataset,
    time: timeView(model),
    datasets: Object.fromEntries(
      [...model.datasets.values()]
        .filter(({ name }) => isShown(name))
        .map((one) => [
          one.name,
          datasetView(one, model, {
            fields: parts.datasets.get(one.name) ?? [],
            facts: facts.get(one.name),
            roles: roles.get(one.name),
          }),
        ]),
    ),
    metrics: Object.fromEntries(parts.metrics.map((metric) => [metric.name, metricView(metric)])),
    relationships: model.relationships
      .filter(({ from, to }) => isShown(from) || isShown(to))
      .map((relationship) => ({
        name: relationship.name,
        ...(relationship.label === undefined ? {} : { label: relationship.label }),
        from: relationship.from,
        to: relationship.to,
        fromColumns: [...relationship.fromColumns],
        toColumns: [...relationship.toColumns],
        ...omission(relationship),
        ...extended(relationship),
      })),
    ...(hasRequestSchema ? { requestSchema: withGrainsOf(model, requestSchema()) } : {}),
    examples: hasOverview
      ? { ...examplesOf(model, connection, (field) => facts.get(field.dataset)?.get(field.name)) }
      : {},
  };
}

function omission(relationship: Relationship) {
  return relationship.toIsUnique || relationship.fromIsUnique ? {} : { leftOut: whyNoPath(relationship) };
}

interface Described extends AiFacts {
  readonly description: string | undefined;
}

function described({ description, synonyms, instructions, aiExamples }: Described) {
  return {
    ...(description === undefined ? {} : { description }),
    ...(synonyms.length === 0 ? {} : { synonyms: [...synonyms] }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(aiExamples.length === 0 ? {} : { aiExamples: [...aiExamples] }),
  };
}

/** Returns the data of other vendors' products, unchanged. */
function extended({ extensions }: Pick<Model, 'extensions'>) {
  return extensions.length === 0 ? {} : { customExtensions: extensions.map((one) => ({ ...one })) };
}

function datasetView(
  dataset: Dataset,
  model: Model,
  {
    fields,
    facts,
    roles,
  }: {
    readonly fields: readonly Field[];
    readonly facts: ReadonlyMap<string, FieldFacts> | undefined;
    readonly roles: readonly Role[] | undefined;
  },
): DatasetView {
  const mainDate = mainDateOf(dataset.name, model);
  return {
    name: dataset.name,
    ...described(dataset),
    source: sourceName(dataset.source),
    primaryKey: [...dataset.primaryKey],
    ...(mainDate === undefined ? {} : { mainDate: `${mainDate.dataset}.${mainDate.name}` }),
    ...(roles === undefined ? {} : { roles: roles.map((one) => ({ ...one, from: [...one.from] })) }),
    ...extended(dataset),
    fields: Object.fromEntries(fields.map((field) => [field.name, fieldView(field, model, facts?.get(field.name))])),
  };
}

function fieldView(field: Field, model: Model, facts: FieldFacts | undefined): FieldView {
  return {
    name: field.name,
    label: field.label,
    ...described(field),
    type: field.nativeType,
    ...(field.isTime ? { isTime: true } : {}),
    ...grainsView(field, model),
    cardinality: facts?.cardinality ?? 'medium',
    sampleValues: [...(facts?.sampleValues ?? [])],
    ...extended(field),
    ...(facts?.estimatedDistinct === undefined ? {} : { estimatedDistinct: facts.estimatedDistinct }),
  };
}

function grainsView({ type }: Field, { time }: Model) {
  const grains = grainNames(type, time);
  return grains.length === 0 ? {} : { grains: [...grains] };
}

function timeView(model: Model) {
  const { timezone, firstDay, locale } = model.time;
  const calendar = calendarDate(model, []);
  const weekStart = Object.entries(WEEK_DAYS).find(([, day]) => day === firstDay)?.[0] ?? 'monday';
  return {
    ...(timezone === undefined ? {} : { timezone }),
    weekStart,
    locale,
    ...(calendar === undefined ? {} : calendarView(calendar, model.time)),
  };
}

/** Describes the calendar on which metrics of several datasets meet, with all grains of their dates. */
function calendarView({ mainDates }: CalendarDate, time: Model['time']) {
  const types = new Set<string>([...mainDates.values()].flatMap(({ type }) => grainNames(type, time)));
  const names = grainNames('timestamp', time);
  return { ...CALENDAR, grains: names.filter((grain) => types.has(grain)) };
}

function metricView(metric: Metric): MetricView {
  return {
    name: metric.name,
    label: metric.label,
    ...described(metric),
    expression: metric.text,
    aggregationKind: metric.aggregationKind,
    ...(metric.kinds.length === 0 ? {} : { kinds: metric.kinds.map((one) => ({ ...one })) }),
    supportedOverrides: metric.supportedOverrides.map(overrideName),
    ...extended(metric),
  };
}
