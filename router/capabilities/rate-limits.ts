import type { TenantId } from './identity.ts';

/** Limits the calls of a tenant by its subscription; all nodes share one count. */
export interface RateLimits {
  /**
   * Counts one call of the tenant.
   *
   * @throws RateLimitedError with the seconds until the next call is allowed
   */
  take(tenant: TenantId): Promise<void>;
}
