/** Bounds of webhooks. Times are in milliseconds. */

export const MAX_WEBHOOKS = 50;
export const MAX_URL_LENGTH = 2_000;
/** Pauses after the first, second, … failed attempt; after the last, a delivery has failed. */
export const RETRY_AFTER_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000] as const;
export const MAX_ATTEMPTS = RETRY_AFTER_MS.length + 1;
/** Failed deliveries in a row after which a webhook is paused. */
export const MAX_FAILED_IN_A_ROW = 20;
/** Deliveries of a webhook that may wait; further events are recorded as failed. */
export const MAX_WAITING = 1_000;
/** Time that a target may take to answer. */
export const ANSWER_TIMEOUT_MS = 10_000;
/** Time that a node has a delivery for itself. */
export const LEASE_MS = 60_000;
/** Deliveries that a node sends at a time, and how many of them are of one webhook. */
export const SENT_AT_A_TIME = 8;
export const SENT_OF_ONE_WEBHOOK = 2;
/** Time that finished deliveries are kept. */
export const KEPT_MS = 30 * 86_400_000;
/** Deliveries of a list. */
export const MAX_LISTED = 200;
/** Time that the former secret signs, too, after a change. */
export const FORMER_SECRET_MS = 86_400_000;
export const MAX_DATA_TEXT = 1_000;
