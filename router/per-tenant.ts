import type { TenantId } from './capabilities/identity.ts';

/**
 * Keeps one `Value` per tenant, made on first use. Code for one tenant cannot reach another tenant's value: there is no list
 * that needs a filter.
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

  /** Forgets the value of a tenant: the next call makes it again. */
  delete(tenant: TenantId): void {
    this.#values.delete(tenant);
  }
}
