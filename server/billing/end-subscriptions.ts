/** Ends the subscriptions of a tenant before its removal. */
import type { BilledTenant, PaymentProcessor } from '../../router/capabilities/payments.ts';
import { ConflictError, ServiceError, UpstreamError } from '../../router/errors.ts';

const KEEP = 'or keep it (--keep-subscription, keepSubscription=true) and end it there yourself.';

/**
 * Ends the subscriptions and the open checkouts of a tenant at the payment processor and returns the ids of the
 * subscriptions. Nothing of the tenant is removed here: it stays where this fails.
 *
 * @param processor `undefined` where this process has no key of one
 * @throws ConflictError `TENANT_SUBSCRIBED` without a key, while a subscription runs
 * @throws UpstreamError where the processor does not do it
 */
export async function endSubscriptionsOf(
  { name }: { readonly name: string },
  { customers, running }: BilledTenant,
  processor: Pick<PaymentProcessor, 'endAllOf'> | undefined,
): Promise<readonly string[]> {
  if (processor === undefined) {
    if (running === undefined) return [];
    throw new ConflictError(
      `The tenant ${name} pays for the subscription ${running}, which would go on without it. Set STRIPE_SECRET_KEY to have it ended, ${KEEP}`,
      { code: 'TENANT_SUBSCRIBED' },
    );
  }
  try {
    return (await Promise.all(customers.map((customer) => processor.endAllOf(customer)))).flat();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const what = running === undefined ? 'What the tenant is subscribed to' : `The subscription ${running}`;
    throw new UpstreamError(
      `${what} could not be ended, and the tenant ${name} stays: ${error.message} Try again, ${KEEP}`,
      { cause: error },
    );
  }
}
