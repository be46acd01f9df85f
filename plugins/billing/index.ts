/** Billing: the subscription of a tenant at the payment processor, and the hosted pages that change it. */
export { billedTenant } from './billed-tenant.ts';
export { billing } from './plugin.ts';
export { billingMigrations } from './tables.ts';
