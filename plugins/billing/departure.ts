/** What a tenant that is to be removed has at the payment processor. */
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import { BillingRecords } from './records.ts';
import { isEnded } from './status.ts';

interface BilledTenant {
  /** Its customers there; the processor knows what they are subscribed to now. */
  readonly customers: readonly string[];
  /** The subscription that runs as far as this installation was told; `undefined` for none. */
  readonly running: string | undefined;
}

/** Returns what is known here of a tenant at the payment processor. */
export async function billedTenant(state: State, tenant: TenantId): Promise<BilledTenant> {
  const records = new BillingRecords(state, Date.now);
  const record = await records.find(tenant);
  const customers = [await records.customerOf(tenant), record?.customer_id];
  return {
    customers: [...new Set(customers.filter((customer) => customer !== undefined))],
    running: record === undefined || isEnded(record.status) ? undefined : record.subscription_id,
  };
}
