import type { RateLimits } from './capabilities/rate-limits.ts';
import { type OperationMeta, operation } from './operation.ts';

/** Returns what begins the declaration of an operation whose calls are counted: over the limit of its tenant, one is a 429. */
export function countedOperation(rateLimits: RateLimits) {
  return (meta: OperationMeta) =>
    operation(meta).use(async ({ ctx, next }) => {
      if (ctx.caller.kind === 'user') await rateLimits.take(ctx.caller.tenant);
      return next();
    });
}

export type CountedOperation = ReturnType<typeof countedOperation>;
