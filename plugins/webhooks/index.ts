export { Announcer } from './announcer.ts';
export { type TenantWebhooks, tenantWebhooks } from './offline.ts';
export { type WebhookSurface, webhooks } from './plugin.ts';
export { webhookMigrations } from './tables.ts';
