/** resolve -> plan -> render -> execute -> mask and shape. Preview stops before execute and is the same code till there. */
import type { Cache } from '../../../router/capabilities/cache.ts';
import type { Scope } from '../../../router/capabilities/identity.ts';
import type { Statement, Warehouse } from '../../../router/capabilities/warehouse.ts';
import type { Model } from '../model/model.ts';
import type { SemanticQueryRequest } from '../schemas.ts';
import { execute } from './execute.ts';
import type { Mask } from './mask.ts';
import type { Plan } from './plan.ts';
import { plan } from './planner.ts';
import { render } from './render.ts';
import { resolve } from './resolve.ts';
import { type ShapedAnswer, shape } from './shape.ts';
import { visibleTo } from './visible.ts';

/** What of the configuration decides how queries are answered. */
export interface QuerySettings {
  /** Rows of an answer whose request names no limit. */
  readonly maxRows: number;
  /** How long answers are kept, milliseconds. */
  readonly cacheTtlMs: number;
  /** Rows that count fewer than `threshold` are masked with `mask`; 0 masks nothing. */
  readonly kAnonymity: { readonly threshold: number; readonly mask: Mask };
}

export interface Target {
  readonly model: Model;
  readonly warehouse: Warehouse;
  /** Leading parts of cache keys of this model's answers. */
  readonly keyPrefix: readonly string[];
}

export interface Compiled {
  readonly plan: Plan;
  readonly statement: Statement;
  /** Where an answer without a limit is cut; `undefined` when the request names one. */
  readonly cut: number | undefined;
}

/** Everything before the warehouse. `root` is the path of the request inside a body that wraps it. */
export function compile(
  request: SemanticQueryRequest,
  target: Target,
  scope: Scope,
  settings: QuerySettings,
  root = '',
): Compiled {
  const model = visibleTo(scope, target.model);
  const resolved = resolve(request, model, root);
  const planned = plan(resolved, model, { maxRows: settings.maxRows, threshold: settings.kAnonymity.threshold });
  return {
    plan: planned,
    statement: render(planned, model, target.warehouse.dialect),
    cut: resolved.limit === undefined ? settings.maxRows : undefined,
  };
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
  const { plan, statement, cut } = compiled;
  const { value, computedAtMillis, cached } = await execute(statement, {
    warehouse: target.warehouse,
    cache,
    keyPrefix: target.keyPrefix,
    ttlMs: settings.cacheTtlMs,
    maxRows: Math.max(plan.limit, 1),
    signal,
  });
  return { ...shape(plan, value, { mask: settings.kAnonymity.mask, cut }), freshness: { computedAtMillis, cached } };
}
