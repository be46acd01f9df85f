/** Finds what a request cannot be extended by: the datasets of further fields, and further metrics, each with the reason. */
import type { Scope } from '../../../router/capabilities/identity.ts';
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { InternalError, type Problem, ValidationError } from '../../../router/errors.ts';
import type { Dataset, Metric, Model } from '../model/model.ts';
import { aggregatesOf, leavesOf } from '../model/template.ts';
import type { SemanticQueryRequest } from '../schemas.ts';
import type { QueryContext, Target } from './nodes/query-target.ts';
import { compile } from './pipeline.ts';
import { applyAccessPolicy } from './request/access-policy.ts';
import { CALENDAR, calendarDate } from './resolve/calendar-date.ts';

/** The most extensions that are tried for one answer. Those that are not tried are not reported. */
const MAX_TRIES = 1_000;

export interface Misfit {
  readonly name: string;
  readonly message: string;
}

export interface Combinations {
  /** The first mistake of the request itself; nothing else is known then. */
  readonly problem: Problem | undefined;
  /** Datasets with no field that can be added to the rows. */
  readonly datasets: readonly Misfit[];
  readonly metrics: readonly Misfit[];
}

/**
 * Compiles the request with one more field of each dataset, and with one more metric of each kind. Fields of one dataset are
 * reached by the same paths, and metrics with the same datasets and scopes are planned alike, so one of them decides for all.
 */
export async function findMisfits(
  request: SemanticQueryRequest,
  target: Target,
  scope: Scope,
  settings: QueryContext,
  signal?: AbortSignal,
): Promise<Combinations> {
  const { rows = [], columns = [], values = [] } = request;
  const none: Combinations = { problem: undefined, datasets: [], metrics: [] };
  if (rows.length + columns.length + values.length === 0) return none;
  const base: SemanticQueryRequest = {
    ...request,
    rows: rows.map(({ fill: _, ...field }) => field),
    values: values.map(({ compare: _, ...value }) => value),
    sorts: undefined,
    limit: undefined,
  };
  const tried = (extended: SemanticQueryRequest) => mistakeOf(extended, target, scope, settings);
  const problem = tried(base);
  if (problem !== undefined) return { ...none, problem };
  const model = applyAccessPolicy(scope, target.model);
  const yieldTurn = cooperativeYield();
  let tries = 0;
  const mayTry = async (): Promise<boolean> => {
    await yieldTurn();
    signal?.throwIfAborted();
    tries += 1;
    return tries <= MAX_TRIES;
  };

  const shown = new Set([...rows, ...columns].map(({ dataset }) => dataset));
  const datasets: Misfit[] = [];
  for (const field of fieldsToTry(model)) {
    if (shown.has(field.dataset) || !(await mayTry())) continue;
    const mistake = tried({ ...base, rows: [...(base.rows ?? []), field] });
    // A choice between several paths is made in the request.
    if (mistake !== undefined && mistake.path.at(-1) !== 'via')
      datasets.push({ name: field.dataset, message: mistake.message });
  }

  const asked = new Set(values.map(({ metric }) => metric));
  const verdicts = new Map<string, string | undefined>();
  const metrics: Misfit[] = [];
  for (const metric of model.metrics.values()) {
    if (metric.display.hidden || asked.has(metric.name)) continue;
    const kind = kindOf(metric);
    if (!verdicts.has(kind)) {
      if (!(await mayTry())) continue;
      const extended = { ...base, values: [...(base.values ?? []), { metric: metric.name }] };
      verdicts.set(kind, tried(extended)?.message);
    }
    const message = verdicts.get(kind);
    if (message !== undefined) metrics.push({ name: metric.name, message });
  }
  return { problem: undefined, datasets, metrics };
}

/** Returns one visible field of each dataset, and the calendar of the main dates. */
function fieldsToTry(model: Model): readonly { readonly dataset: string; readonly field: string }[] {
  const fields = [...model.datasets.values()].flatMap((dataset) => {
    const field = visibleField(dataset);
    return field === undefined ? [] : [{ dataset: dataset.name, field }];
  });
  return calendarDate(model, []) === undefined ? fields : [...fields, CALENDAR];
}

function visibleField({ fields }: Dataset): string | undefined {
  return [...fields.values()].find(({ display }) => !display.hidden)?.name;
}

/** Returns what decides how a metric is planned: the datasets and the scopes of its aggregates. */
function kindOf(metric: Metric): string {
  const aggregates = aggregatesOf(metric.expression).map(({ call, countedDataset, scope }) => [
    [...new Set(leavesOf(call).map(({ dataset }) => dataset))].sort(),
    countedDataset ?? metric.countedDataset,
    scope ?? null,
  ]);
  return JSON.stringify(aggregates);
}

function mistakeOf(
  request: SemanticQueryRequest,
  target: Target,
  scope: Scope,
  settings: QueryContext,
): Problem | undefined {
  try {
    compile(request, target, scope, settings);
    return undefined;
  } catch (error) {
    if (error instanceof ValidationError) return error.problems[0];
    // A metric over a table's periods, which are read only for a request that names it, is not judged here.
    if (error instanceof InternalError) return undefined;
    throw error;
  }
}
