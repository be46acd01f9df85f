/** Runs a compiled query, through the cache. */
import type { Cache, Cached } from '../../../../router/capabilities/cache.ts';
import type { ColumnarResult } from '../../../../router/capabilities/warehouse.ts';
import { ValidationError } from '../../../../router/errors.ts';
import type { CompiledQuery } from '../nodes/compiled.ts';
import type { QuerySettings, Target } from '../nodes/query-target.ts';
import { executeOn } from './cached-statement.ts';
import { locateUnrepresentableValues } from './unrepresentable-values.ts';

export async function run(
  compiled: CompiledQuery,
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

/** Picks the statement that is right for the present version of the data. */
export async function statementFor({ statement, innerJoinVariant }: CompiledQuery, { warehouse, integrity }: Target) {
  const version = await warehouse.dataVersion();
  integrity.check(version);
  const isCurrent = innerJoinVariant !== undefined && innerJoinVariant.version === version;
  return { statement: isCurrent ? innerJoinVariant.statement : statement, version };
}
