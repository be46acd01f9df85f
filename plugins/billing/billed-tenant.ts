import type { TenantId } from '../../router/capabilities/identity.ts';
import type { BilledTenant } from '../../router/capabilities/payments.ts';
import type { State } from '../../router/capabilities/state.ts';
import { BillingRecords } from './records.ts';
import { isEnded } from './subscription-status.ts';

/** Returns the customers and the running subscription of a tenant that is to be removed, as the state has them. */
export async function billedTenant(state: State, tenant: TenantId): Promise<BilledTenant> {
  const records = new BillingRecords(state, Date.now);
  const record = await records.find(tenant);
  const customers = [await records.customerOf(tenant), record?.customer_id];
  return {
    customers: [...new Set(customers.filter((customer) => customer !== undefined))],
    running: record === undefined || isEnded(record.status) ? undefined : record.subscription_id,
  };
}
