/** Bounds of the billing area. */

export const MAX_URL_LENGTH = 2_000;
export const MAX_TEXT_LENGTH = 500;
export const MAX_IDEMPOTENCY_KEY_LENGTH = 200;
/** The processor sends events of some kilobytes; a customer with many items some tens. */
export const MAX_EVENT_LENGTH = 1_000_000;
/** The processor repeats an event for three days; after this it will not come again. */
export const EVENT_TTL_MS = 30 * 24 * 3_600_000;
/** How often events that will not come again are removed. */
export const EVENT_SWEEP_INTERVAL_MS = 3_600_000;

/** Readings of a subscription for one event, each of which another event of the tenant has overtaken. */
export const MAX_READINGS = 10;
