import type { TenantId } from './capabilities/identity.ts';

/**
 * Keeps one `Value` for each tenant, made when it is first asked for. What is kept so cannot be reached from another
 * tenant: there is no list that a filter could be forgotten on.
 */
export class PerTenant<Value> {
  readonly #values = new Map<TenantId, Value>();
  readonly #make: (tenant: TenantId) => Value;

  constructor(make: (tenant: TenantId) => Value) {
    this.#make = make;
  }

  /** Returns the value of a tenant. */
  of(tenant: TenantId): Value {
    const present = this.#values.get(tenant);
    if (present !== undefined) return present;
    const made = this.#make(tenant);
    this.#values.set(tenant, made);
    return made;
  }

  /** Returns the values that were made, with the tenants they belong to. */
  entries(): readonly (readonly [TenantId, Value])[] {
    return [...this.#values];
  }

  /** Forgets what is kept for a tenant: the next call makes it anew. */
  delete(tenant: TenantId): void {
    this.#values.delete(tenant);
  }
}
