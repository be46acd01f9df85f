/** What a subscription's status means for what a tenant may use. The words are the processor's. */

const ACTIVE: ReadonlySet<string> = new Set(['trialing', 'active', 'past_due']);
const ENDED: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

/** Tells whether what is paid for is open; a payment that is being tried again closes nothing. */
export function isActive(status: string): boolean {
  return ACTIVE.has(status);
}

/** Tells whether a subscription will never be active again. */
export function isEnded(status: string): boolean {
  return ENDED.has(status);
}

/** Tells whether the first payment was never made; another checkout may take its place. */
export function isUnpaidBeginning(status: string): boolean {
  return status === 'incomplete';
}
