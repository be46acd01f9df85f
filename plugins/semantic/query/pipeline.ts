/** Runs the stages: resolve, plan, render, execute, mask and shape. Preview runs the same code and stops before execute. */

import type { AnswerRows } from '../../../router/capabilities/answer-rows.ts';
import type { Cache, Cached } from '../../../router/capabilities/cache.ts';
import type { BoundLimits } from '../../../router/capabilities/dialect.ts';
import type { Scope } from '../../../router/capabilities/identity.ts';
import type { ColumnarResult, Statement } from '../../../router/capabilities/warehouse.ts';
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { InternalError, ValidationError } from '../../../router/errors.ts';
import { MAX_PARAMETERS } from '../limits.ts';
import type { Model } from '../model/model.ts';
import type { SemanticQueryRequest } from '../schemas.ts';
import { maskedRows } from './answer/apply-mask.ts';
import type { BaseAnswer } from './answer/base-values.ts';
import { filledResult, MAX_FILLED_ROWS } from './answer/fill-rows.ts';
import { rowsOf, rowsOfRecords } from './answer/rows.ts';
import { type ShapedAnswer, shape } from './answer/shape.ts';
import { run } from './execute/run.ts';
import { locateUnrepresentableValues } from './execute/unrepresentable-values.ts';
import type { Comparison } from './nodes/comparison.ts';
import type { Compiled, CompiledComparison, CompiledQuery } from './nodes/compiled.ts';
import { allFiltersOf } from './nodes/conditions.ts';
import { tableOf } from './nodes/grain.ts';
import type { QueryContext, QuerySettings, Target } from './nodes/query-target.ts';
import type { ResolvedFilter, ResolvedQuery } from './nodes/resolved-query.ts';
import { comparisonsOf } from './plan/compare/comparisons.ts';
import { joinPathProblems, MAX_CELLS, plan } from './plan/planner.ts';
import { render, renderSemiJoin } from './render/statement.ts';
import { applyAccessPolicy } from './request/access-policy.ts';
import { type ResolveOptions, resolve } from './resolve/resolve-request.ts';

/**
 * Resolves the names of a request.
 *
 * @throws ValidationError with every problem of its names and of the joins between the names that were found
 */
export function resolveRequest(
  request: SemanticQueryRequest,
  model: Model,
  options: ResolveOptions = {},
): ResolvedQuery {
  const { query, problems, isJoinable } = resolve(request, model, options);
  if (problems.count > 0 && isJoinable) problems.append(joinPathProblems(query, model));
  problems.throwAll();
  return query;
}

/** Compiles a request: everything before the warehouse. */
export function compile(request: SemanticQueryRequest, target: Target, scope: Scope, settings: QueryContext): Compiled {
  const model = applyAccessPolicy(scope, target.model);
  return compileResolved(
    resolveRequest(request, model, { holds: target.warehouse.dialect.holds, now: settings.clock() }),
    model,
    target,
    settings,
  );
}

/** Returns the request without its metrics: the rows that its fields and filters select, `maxRows` at most. */
export function compileDetail(
  request: SemanticQueryRequest,
  target: Target,
  scope: Scope,
  settings: QueryContext,
  maxRows: number,
): Compiled {
  const model = applyAccessPolicy(scope, target.model);
  const { rows, columns, values, conditions, having, sorts, limit, time } = resolveRequest(request, model, {
    holds: target.warehouse.dialect.holds,
    now: settings.clock(),
  });
  if (rows.length + columns.length === 0) {
    throw ValidationError.at(['rows'], 'Row detail shows fields: name at least one in rows or columns.');
  }
  const detail: ResolvedQuery = {
    rows: [...rows, ...columns],
    columns: [],
    values: [],
    detailMetrics: values,
    conditions,
    having,
    sorts: sorts.filter(({ by }) => by === 'group'),
    // A limit of at most `maxRows` applies. A higher limit counts as none, so that the answer is marked as cut.
    limit: limit !== undefined && limit <= maxRows ? limit : undefined,
    time,
  };
  return compileResolved(detail, model, target, { ...settings, maxRows });
}

function compileResolved(resolved: ResolvedQuery, model: Model, target: Target, settings: QuerySettings): Compiled {
  requireReadPeriods(resolved);
  const comparisons = comparisonsOf(resolved);
  const isMatched = comparisons.length > 0;
  const compiledQuery = compileOne(resolved, model, target, settings, isMatched);
  return {
    ...compiledQuery,
    comparisons: comparisons.map((comparison) => {
      const base = compileOne(comparison.query, model, target, settings, isMatched);
      return {
        ...base,
        comparison,
        semiJoin: () => compileSemiJoin(compiledQuery, base, comparison, resolved, target),
      };
    }),
  };
}

/** Refuses a query with a table whose periods were not read; see `withTimeOf`. */
function requireReadPeriods({ rows, columns, conditions }: ResolvedQuery): void {
  const unread = [...rows, ...columns, ...allFiltersOf(conditions)].find(({ grain }) => {
    const table = tableOf(grain);
    return table !== undefined && table.periods === undefined;
  });
  if (unread !== undefined)
    throw new InternalError('the periods of a table were not read before the query was compiled');
}

/** Compiles the query of a comparison for the groups of the answer only. */
function compileSemiJoin(
  { plan: answered }: CompiledQuery,
  { plan: base, model, rowCap }: CompiledQuery,
  { axis, shift }: Comparison,
  resolved: ResolvedQuery,
  { integrity, warehouse: { dialect } }: Target,
): CompiledQuery {
  // Each row of the answer needs one group of the base. A filled series, or a step by a table's periods, needs the groups
  // of all periods of the series.
  const isOfSeries = answered.fill !== undefined || shift.unit === 'period';
  const limit = Math.max(answered.limit, isOfSeries ? 2 * MAX_FILLED_ROWS : 0);
  const plan = { ...base, limit };
  const semiJoin = { plan: answered, axis, shift };
  const statement = renderSemiJoin(plan, semiJoin, model, dialect);
  refuseManyParameters(statement, resolved, dialect.holds, 2);
  const { version } = integrity;
  const innerJoinVariant =
    version === undefined ? undefined : { statement: renderSemiJoin(plan, semiJoin, model, dialect, true), version };
  return { plan, model, statement, innerJoinVariant, rowCap };
}

function compileOne(
  resolved: ResolvedQuery,
  model: Model,
  target: Target,
  { maxRows, kAnonymity, rewrites }: QuerySettings,
  isMatched: boolean,
): CompiledQuery {
  const { integrity } = target;
  const { isTotalJoin, figuresOf, useOf, failureOf, version } = integrity;
  const { dialect } = target.warehouse;
  const planned = {
    ...plan(resolved, model, {
      maxRows,
      threshold: kAnonymity.threshold,
      isShadowed: kAnonymity.shadow,
      isTotalJoin,
      rewrites,
      figuresOf,
      useOf,
      failureOf,
      hasCollations: dialect.exactText !== undefined,
    }),
    isMatched,
  };
  const statement = render(planned, model, dialect);
  const faster = version === undefined ? statement : render(planned, model, dialect, true);
  refuseManyParameters(statement, resolved, dialect.holds);
  const innerJoinVariant =
    version === undefined || faster.sql === statement.sql ? undefined : { statement: faster, version };
  const rowCap = resolved.limit === undefined ? maxRows : planned.crosstab === undefined ? undefined : MAX_CELLS;
  return { plan: planned, model, statement, innerJoinVariant, rowCap };
}

/**
 * @param queries number of queries in the statement
 * @throws ValidationError at the longest list where the statement has more values than the engine takes
 */
function refuseManyParameters(
  { parameters }: Statement,
  { conditions }: ResolvedQuery,
  { bytes: maxBytes = Number.POSITIVE_INFINITY }: BoundLimits,
  queries = 1,
): void {
  let bytes = 0;
  for (const { value } of parameters) bytes += Buffer.byteLength(String(value));
  if (parameters.length <= queries * MAX_PARAMETERS && bytes <= maxBytes) return;
  const countValues = ({ test }: ResolvedFilter) => (test.kind === 'in' ? test.values.length : 0);
  const [longest] = allFiltersOf(conditions).toSorted((left, right) => countValues(right) - countValues(left));
  throw ValidationError.at(
    longest === undefined ? ['filters'] : [...longest.path, 'values'],
    `These values are more in all than the warehouse takes with one statement: name fewer${bytes > maxBytes ? ', or shorter ones' : ''}.`,
  );
}

export interface Answer extends ShapedAnswer {
  readonly freshness: { readonly computedAtMillis: number; readonly cached: boolean };
}

export async function answer(
  compiled: Compiled,
  target: Target,
  cache: Cache,
  settings: QuerySettings,
  signal?: AbortSignal,
): Promise<Answer> {
  const { plan, rowCap, comparisons } = compiled;
  const { mask } = settings.kAnonymity;
  const { value, computedAtMillis, cached } = await run(compiled, target, cache, settings, signal);
  const yieldTurn = cooperativeYield();
  const bases: BaseAnswer[] = [];
  for (const each of comparisons) {
    const { compiledQuery, result } = await baseOf(each, (one) => run(one, target, cache, settings, signal));
    const masked = await maskedRows(compiledQuery.plan, result, yieldTurn);
    bases.push({ comparison: each.comparison, plan: compiledQuery.plan, result, masked });
  }
  const filled = plan.fill === undefined ? { result: value } : await filledResult(plan, plan.fill, value);
  const shaped = await shape(plan, filled.result, { mask, rowCap, ...filled, bases });
  return { ...shaped, freshness: { computedAtMillis, cached } };
}

/** Reports whether the rows of an answer can be sent while they come: none depends on a later one. */
export function isStreamable({ plan, comparisons }: Compiled): boolean {
  return plan.fill === undefined && plan.crosstab === undefined && comparisons.length === 0;
}

/**
 * Returns an answer as rows, which come from the warehouse while they are read where the query is streamable. They are not
 * kept, and no kept answer is used.
 */
export async function answerRows(
  compiled: Compiled,
  target: Target,
  cache: Cache,
  settings: QuerySettings,
  signal?: AbortSignal,
): Promise<AnswerRows> {
  if (!isStreamable(compiled)) return rowsOfRecords(await answer(compiled, target, cache, settings, signal));
  const { plan, rowCap, model, statement } = compiled;
  const { warehouse } = target;
  try {
    // The statement that is right for all data: rows that were sent cannot be taken back when the data change.
    const stream = await warehouse.stream(statement, { signal, maxRows: Math.max(plan.limit, 1) });
    return await rowsOf({ plan, stream, rowCap });
  } catch (error) {
    throw error instanceof ValidationError
      ? await locateUnrepresentableValues(error, plan, { model, warehouse, signal })
      : error;
  }
}

/** Returns the base values of an answer. If they are cut, they are queried again for the groups of the answer only. */
async function baseOf(
  compiled: CompiledComparison,
  runOne: (compiledQuery: CompiledQuery) => Promise<Cached<ColumnarResult>>,
): Promise<{ readonly compiledQuery: CompiledQuery; readonly result: ColumnarResult }> {
  const { value: result } = await runOne(compiled);
  if (!result.truncated && result.rowCount < compiled.plan.limit) return { compiledQuery: compiled, result };
  const compiledQuery = compiled.semiJoin();
  return { compiledQuery, result: (await runOne(compiledQuery)).value };
}
