import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Tier } from '../../router/capabilities/payments.ts';
import type { RateLimits } from '../../router/capabilities/rate-limits.ts';
import type { State } from '../../router/capabilities/state.ts';
import { RateLimitedError } from '../../router/errors.ts';
import type { BillingTables } from './tables.ts';

/** Calls in a minute and in an hour; 0 sets no bound. */
export interface Rate {
  readonly perMinute: number;
  readonly perHour: number;
}

export type RatesByTier = Readonly<Record<Tier, Rate>>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Counts calls in the state store, so that all nodes share one count. Minutes and hours follow the clock. */
export class StoredRateLimits implements RateLimits {
  readonly #state: State;
  readonly #clock: Clock;
  readonly #rates: RatesByTier;
  readonly #readTier: (tenant: TenantId) => Promise<Tier>;

  /** @param readTier returns the current tier of a tenant */
  constructor(state: State, clock: Clock, rates: RatesByTier, readTier: (tenant: TenantId) => Promise<Tier>) {
    this.#state = state;
    this.#clock = clock;
    this.#rates = rates;
    this.#readTier = readTier;
  }

  async take(tenant: TenantId): Promise<void> {
    const tier = await this.#readTier(tenant);
    const { perMinute, perHour } = this.#rates[tier];
    const now = this.#clock();
    for (const [length, limit, name] of [
      [MINUTE_MS, perMinute, 'minute'],
      [HOUR_MS, perHour, 'hour'],
    ] as const) {
      if (limit === 0) continue;
      const begins = now - (now % length);
      if ((await this.#count(tenant, length, begins)) <= limit) continue;
      throw new RateLimitedError(
        `The tier ${tier} takes ${limit} calls of the tenant in ${name === 'hour' ? 'an' : 'a'} ${name}.`,
        {
          retryAfterSeconds: Math.max(1, Math.ceil((begins + length - now) / 1_000)),
        },
      );
    }
  }

  async #count(tenant: TenantId, length: number, begins: number): Promise<number> {
    const tables = this.#state.tables<BillingTables>();
    const { calls } = await tables
      .insertInto('rate_windows')
      .values({ tenant_id: tenant, length_ms: length, begins_at: begins, calls: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'length_ms', 'begins_at'])
          .doUpdateSet((row) => ({ calls: row('rate_windows.calls', '+', 1) })),
      )
      .returning('calls')
      .executeTakeFirstOrThrow();
    const count = Number(calls);
    // A call that opens a window deletes the windows that are no longer used.
    if (count === 1) {
      await tables
        .deleteFrom('rate_windows')
        .where('tenant_id', '=', tenant)
        .where('begins_at', '<', begins - HOUR_MS)
        .execute();
    }
    return count;
  }
}
