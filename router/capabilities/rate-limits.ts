import type { TenantId } from './identity.ts';

/** How many calls a tenant may make, by what it pays for; one count on all nodes. */
export interface RateLimits {
  /** Counts one call of the tenant. @throws RateLimitedError with the seconds until the next one is taken */
  take(tenant: TenantId): Promise<void>;
}
