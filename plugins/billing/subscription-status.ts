/** Maps the processor's status of a subscription to what the tenant may use. */

const ACTIVE: ReadonlySet<string> = new Set(['trialing', 'active', 'past_due']);
const ENDED: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

/** Returns whether a tenant may use its tier; a payment that is being retried closes nothing. */
export function isActive(status: string): boolean {
  return ACTIVE.has(status);
}

/** Returns whether a subscription will never be active again. */
export function isEnded(status: string): boolean {
  return ENDED.has(status);
}

/** Returns whether the first payment was never made; another checkout may take its place. */
export function isUnpaidBeginning(status: string): boolean {
  return status === 'incomplete';
}
