/** Makes request bodies that run unchanged: each candidate is planned, and shown only if that succeeds. */
import { grainsOf } from '../../../router/date-grains.ts';
import { ValidationError } from '../../../router/errors.ts';
import type { Field, Metric, Model } from '../model/model.ts';
import type { Plan } from '../query/nodes/plan.ts';
import { resolveRequest } from '../query/pipeline.ts';
import { plan } from '../query/plan/planner.ts';
import { CALENDAR, calendarDate } from '../query/resolve/calendar-date.ts';
import type { SemanticQueryRequest } from '../schemas.ts';
import type { FieldFacts } from './samples.ts';

export interface Example {
  readonly description: string;
  readonly body: SemanticQueryRequest;
}

/**
 * Makes examples of requests.
 *
 * @param facts returns the sampled facts about a field, so that the examples group by fields with few values
 */
export function examplesOf(
  model: Model,
  connection: string,
  facts: (field: Field) => FieldFacts | undefined,
): Readonly<Record<string, Example>> {
  const base = { connection, model: model.name };
  const fields = [...model.datasets.values()]
    .flatMap((dataset) => [...dataset.fields.values()])
    .filter(({ display }) => !display.hidden)
    .map((field) => ({ field, rank: rankOf(field, facts(field)) }))
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ field }) => field);
  const reference = ({ dataset, name }: Field) => ({ dataset, field: name });
  const examples: Record<string, Example> = {};

  for (const metric of [...model.metrics.values()].filter(({ display }) => !display.hidden)) {
    const values = [{ metric: metric.name }];
    const groupable = firstOf(fields, (field) => runs({ ...base, rows: [reference(field)], values }, model));
    const [first, ...others] = groupable;
    if (first === undefined) continue;
    examples.simpleGroupBy ??= {
      description: `${metric.label} by ${first.label}.`,
      body: { ...base, rows: [reference(first)], values },
    };
    examples.topN ??= topN(metric, first, { ...base, rows: [reference(first)], values });
    for (const second of others) {
      const body = { ...base, rows: [reference(first)], columns: [reference(second)], values };
      if (examples.crosstab !== undefined || !runs(body, model)) continue;
      examples.crosstab = { description: `${metric.label} by ${first.label} across ${second.label}.`, body };
    }
    for (const field of fields.filter(({ type }) => grainsOf(type).includes('month'))) {
      const body = { ...base, rows: [{ ...reference(field), grain: 'month' as const }], values };
      if (examples.byMonth !== undefined || !runs(body, model)) continue;
      examples.byMonth = { description: `${metric.label} by month of ${field.label}.`, body };
    }
    if (examples.crosstab !== undefined && examples.byMonth !== undefined) break;
  }
  const across = acrossFacts(model, connection);
  if (across !== undefined) examples.acrossFacts = across;
  const [first] = fields;
  if (examples.simpleGroupBy === undefined && first !== undefined) {
    const body = { ...base, rows: [reference(first)], limit: 100 };
    examples.simpleGroupBy = { description: `The values of ${first.label}.`, body };
  }
  return examples;
}

/** Makes an example of metrics of two datasets by month of their main dates. */
function acrossFacts(model: Model, connection: string): Example | undefined {
  if (calendarDate(model, []) === undefined) return undefined;
  const bodyOf = (...metrics: readonly Metric[]): SemanticQueryRequest => ({
    connection,
    model: model.name,
    rows: [{ ...CALENDAR, grain: 'month' }],
    values: metrics.map(({ name }) => ({ metric: name })),
  });
  let first: { readonly metric: Metric; readonly base: string } | undefined;
  for (const metric of [...model.metrics.values()].filter(({ display }) => !display.hidden).slice(0, MAX_TRIED)) {
    const [base, ...others] = planned(bodyOf(metric), model)?.subqueries ?? [];
    if (base === undefined || others.length > 0 || base.base === first?.base) continue;
    if (first === undefined) first = { metric, base: base.base };
    else {
      return {
        description: `${first.metric.label} and ${metric.label} by month, each by its main date.`,
        body: bodyOf(first.metric, metric),
      };
    }
  }
  return undefined;
}

/** The most metrics that are planned to find an example. */
const MAX_TRIED = 50;

/** The most fields for examples. Each of them is planned. */
const MAX_GROUPABLE = 8;

function firstOf(fields: readonly Field[], isGroupable: (field: Field) => boolean): readonly Field[] {
  const groupable: Field[] = [];
  for (const field of fields) {
    if (groupable.length === MAX_GROUPABLE) break;
    if (isGroupable(field)) groupable.push(field);
  }
  return groupable;
}

function topN(metric: Metric, field: Field, body: SemanticQueryRequest): Example {
  return {
    description: `The five ${field.dataset}.${field.name} with the highest ${metric.label}.`,
    body: { ...body, sorts: [{ metric: metric.name, direction: 'DESC' }], limit: 5 },
  };
}

/** Ranks fields as groups: texts with few values come first, keys and measures last. */
function rankOf({ type }: Field, facts: FieldFacts | undefined): number {
  const kinds = { text: 0, boolean: 1, date: 2, integer: 3, timestamp: 4 };
  const kind = type in kinds ? kinds[type as keyof typeof kinds] : 5;
  const spread = { low: 0, medium: 10, 'medium-high': 20, high: 30 };
  return spread[facts?.cardinality ?? 'medium'] + kind;
}

function runs(body: SemanticQueryRequest, model: Model): boolean {
  return planned(body, model) !== undefined;
}

function planned(body: SemanticQueryRequest, model: Model): Plan | undefined {
  try {
    return plan(resolveRequest(body, model), model, { maxRows: 1, threshold: 0 });
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}
