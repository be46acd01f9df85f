/** Billing: what a tenant is subscribed to at the payment processor, and the hosted pages where that is changed. */
export { billedTenant } from './billed-tenant.ts';
export { billing } from './plugin.ts';
export { billingMigrations } from './tables.ts';
