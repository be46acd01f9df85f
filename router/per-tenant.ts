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

  /** Returns the existing values with their tenants. */
  entries(): readonly (readonly [TenantId, Value])[] {
    return [...this.#values];
  }

  /** Removes the value of a tenant; the next call makes a new one. */
  delete(tenant: TenantId): void {
    this.#values.delete(tenant);
  }
}
