/** resolve -> plan -> render -> execute -> mask and shape. Preview stops before execute and is the same code till there. */

import type { Cache, Cached } from '../../../router/capabilities/cache.ts';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { BoundLimits } from '../../../router/capabilities/dialect.ts';
import type { Scope } from '../../../router/capabilities/identity.ts';
import type { ColumnarResult, Statement, Warehouse } from '../../../router/capabilities/warehouse.ts';
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { InternalError, ValidationError } from '../../../router/errors.ts';
import type { KAnonymity } from '../../query-surface/index.ts';
import { MAX_PARAMETERS } from '../limits.ts';
import type { Model } from '../model/model.ts';
import type { SemanticQueryRequest } from '../schemas.ts';
import { applyAccessPolicy } from './access-policy.ts';
import type { BaseAnswer } from './compare/compared.ts';
import { type Comparison, comparisonsOf } from './compare/comparison.ts';
import { allFiltersOf } from './conditions.ts';
import { executeOn } from './execute.ts';
import { filledResult, MAX_FILLED_ROWS } from './fill/fill.ts';
import { tableOf } from './grain/grain.ts';
import { maskedRows } from './mask.ts';
import type { Plan } from './plan.ts';
import { MAX_CELLS, plan } from './planner.ts';
import type { ReferentialIntegrity } from './referential-integrity.ts';
import { render, renderSemiJoin } from './render.ts';
import { resolve } from './resolve/resolve.ts';
import type { ResolvedFilter, ResolvedQuery } from './resolved.ts';
import { type ShapedAnswer, shape } from './shape.ts';
import { locateUnrepresentableValues } from './unrepresentable-values.ts';

/** What of the configuration decides how queries are answered. */
export interface QuerySettings {
  /** Rows of an answer whose request names no limit. */
  readonly maxRows: number;
  /** How long answers are kept, milliseconds. */
  readonly cacheTtlMs: number;
  /** Rows that count fewer than `threshold` are masked with `mask`; 0 masks nothing. */
  readonly kAnonymity: KAnonymity;
}

/** The configuration, and the clock whose present relative periods count to. */
export interface QueryContext extends QuerySettings {
  readonly clock: Clock;
}

export interface Target {
  readonly model: Model;
  readonly warehouse: Warehouse;
  /** Leading parts of cache keys of this model's answers. */
  readonly keyPrefix: readonly string[];
  readonly integrity: ReferentialIntegrity;
}

export interface CompiledQuestion {
  readonly plan: Plan;
  /** As the caller sees it. */
  readonly model: Model;
  /** The statement that is right whatever the data. */
  readonly statement: Statement;
  /** A faster one that gives the same for this version of the data; see `ReferentialIntegrity`. */
  readonly innerJoinVariant: { readonly statement: Statement; readonly version: string } | undefined;
  /** Rows after which the answer is cut and says so; `undefined` where the request's own limit ends it. */
  readonly rowCap: number | undefined;
}

export interface Compiled extends CompiledQuestion {
  /** The same question about the times that values are compared with. */
  readonly comparisons: readonly CompiledComparison[];
}

export interface CompiledComparison extends CompiledQuestion {
  readonly comparison: Comparison;
  /** Compiles the question, of more groups than are read at once for those alone that the answer looks up. */
  readonly semiJoin: () => CompiledQuestion;
}

/** Returns everything before the warehouse. */
export function compile(request: SemanticQueryRequest, target: Target, scope: Scope, settings: QueryContext): Compiled {
  const model = applyAccessPolicy(scope, target.model);
  return compileResolved(
    resolve(request, model, { holds: target.warehouse.dialect.holds, now: settings.clock() }),
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
  const { rows, columns, values, conditions, having, sorts, limit, time } = resolve(request, model, {
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
    // A lower limit of the request holds; a higher one is cut like none.
    limit: limit !== undefined && limit <= maxRows ? limit : undefined,
    time,
  };
  return compileResolved(detail, model, target, { ...settings, maxRows });
}

function compileResolved(resolved: ResolvedQuery, model: Model, target: Target, settings: QuerySettings): Compiled {
  requireReadPeriods(resolved);
  const question = compileOne(resolved, model, target, settings);
  return {
    ...question,
    comparisons: comparisonsOf(resolved).map((comparison) => {
      const base = compileOne(comparison.query, model, target, settings);
      return { ...base, comparison, semiJoin: () => compileSemiJoin(question, base, comparison, resolved, target) };
    }),
  };
}

/** Refuses to ask with values of filters that nobody has looked up; see `withTimeOf`. */
function requireReadPeriods({ rows, columns, conditions }: ResolvedQuery): void {
  const unread = [...rows, ...columns, ...allFiltersOf(conditions)].find(({ grain }) => {
    const table = tableOf(grain);
    return table !== undefined && table.periods === undefined;
  });
  if (unread !== undefined) throw new InternalError('the periods of a table were not read before a question was made');
}

/** Returns the question about the other time, of the groups of the answer. */
function compileSemiJoin(
  { plan: answered }: CompiledQuestion,
  { plan: base, model, rowCap }: CompiledQuestion,
  { axis, shift }: Comparison,
  resolved: ResolvedQuery,
  { integrity, warehouse: { dialect } }: Target,
): CompiledQuestion {
  // Each row of the answer looks up one group; of a series that is filled, or of a table's periods, those of as many periods.
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
  { maxRows, kAnonymity }: QuerySettings,
): CompiledQuestion {
  const { integrity } = target;
  const { isTotalJoin, version } = integrity;
  const planned = plan(resolved, model, {
    maxRows,
    threshold: kAnonymity.threshold,
    isShadowed: kAnonymity.shadow,
    isTotalJoin,
  });
  const { dialect } = target.warehouse;
  const statement = render(planned, model, dialect);
  const faster = version === undefined ? statement : render(planned, model, dialect, true);
  refuseManyParameters(statement, resolved, dialect.holds);
  const innerJoinVariant =
    version === undefined || faster.sql === statement.sql ? undefined : { statement: faster, version };
  const rowCap = resolved.limit === undefined ? maxRows : planned.crosstab === undefined ? undefined : MAX_CELLS;
  return { plan: planned, model, statement, innerJoinVariant, rowCap };
}

/**
 * @param questions how many the statement holds
 * @throws ValidationError at the longest list where the statement has more values than the engine takes
 */
function refuseManyParameters(
  { parameters }: Statement,
  { conditions }: ResolvedQuery,
  { bytes: maxBytes = Number.POSITIVE_INFINITY }: BoundLimits,
  questions = 1,
): void {
  let bytes = 0;
  for (const { value } of parameters) bytes += Buffer.byteLength(String(value));
  if (parameters.length <= questions * MAX_PARAMETERS && bytes <= maxBytes) return;
  const valuesOf = ({ test }: ResolvedFilter) => (test.kind === 'in' ? test.values.length : 0);
  const [longest] = allFiltersOf(conditions).toSorted((left, right) => valuesOf(right) - valuesOf(left));
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
    const { question, result } = await baseOf(each, (one) => run(one, target, cache, settings, signal));
    const masked = await maskedRows(question.plan, result, yieldTurn);
    bases.push({ comparison: each.comparison, plan: question.plan, result, masked });
  }
  const filled = plan.fill === undefined ? { result: value } : await filledResult(plan, plan.fill, value);
  const shaped = await shape(plan, filled.result, { mask, rowCap, ...filled, bases });
  return { ...shaped, freshness: { computedAtMillis, cached } };
}

/** Returns what an answer is compared with. Where that is cut, it is asked for again with the groups of the answer alone. */
async function baseOf(
  compiled: CompiledComparison,
  ask: (question: CompiledQuestion) => Promise<Cached<ColumnarResult>>,
): Promise<{ readonly question: CompiledQuestion; readonly result: ColumnarResult }> {
  const { value: result } = await ask(compiled);
  if (!result.truncated && result.rowCount < compiled.plan.limit) return { question: compiled, result };
  const question = compiled.semiJoin();
  return { question, result: (await ask(question)).value };
}

async function run(
  compiled: CompiledQuestion,
  target: Target,
  cache: Cache,
  settings: QuerySettings,
  signal: AbortSignal | undefined,
): Promise<Cached<ColumnarResult>> {
  const { plan, model } = compiled;
  const { warehouse } = target;
  const { statement, version } = await statementFor(compiled, target);
  return executeOn(version, statement, {
    warehouse,
    cache,
    keyPrefix: target.keyPrefix,
    ttlMs: settings.cacheTtlMs,
    maxRows: Math.max(plan.limit, 1),
    signal,
    fallbackStatement: statement === compiled.statement ? undefined : compiled.statement,
  }).catch(async (error: unknown) => {
    throw error instanceof ValidationError
      ? await locateUnrepresentableValues(error, plan, { model, warehouse, signal })
      : error;
  });
}

/** Picks the statement that the warehouse gets, by the version of its data now. */
export async function statementFor(
  { statement, innerJoinVariant }: CompiledQuestion,
  { warehouse, integrity }: Target,
) {
  const version = await warehouse.dataVersion();
  integrity.check(version);
  const isCurrent = innerJoinVariant !== undefined && innerJoinVariant.version === version;
  return { statement: isCurrent ? innerJoinVariant.statement : statement, version };
}
