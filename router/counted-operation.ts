import type { RateLimits } from './capabilities/rate-limits.ts';
import { type OperationMeta, operation } from './operation.ts';

/** Returns a declaration of operations that count calls: a call over its tenant's limit is answered with 429. */
export function countedOperation(rateLimits: RateLimits) {
  return (meta: OperationMeta) =>
    operation(meta).use(async ({ ctx, next }) => {
      if (ctx.caller.kind === 'user') await rateLimits.take(ctx.caller.tenant);
      return next();
    });
}

export type CountedOperation = ReturnType<typeof countedOperation>;
