import type { Log } from '../../router/capabilities/log.ts';
import { type PaymentProcessor, TIERS, type Tier } from '../../router/capabilities/payments.ts';
import type { Config } from '../config/settings.ts';
import { VERSION } from '../version.ts';

const SECRET_KEY = 'STRIPE_SECRET_KEY';
const WEBHOOK_SECRET = 'STRIPE_WEBHOOK_SECRET';

/** Makes the payment processor of the settings; `undefined` where the environment lacks its keys. */
export async function configuredProcessor(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  log: Log,
): Promise<PaymentProcessor | undefined> {
  const secretKey = environment[SECRET_KEY] || undefined;
  const webhookSecret = environment[WEBHOOK_SECRET] || undefined;
  if (secretKey === undefined) return undefined;
  if (webhookSecret === undefined) {
    log.warn({}, `billing is off: put the secret of the webhook into the variable ${WEBHOOK_SECRET}`);
    return undefined;
  }
  return processorOf(config, secretKey, webhookSecret);
}

/** Makes the payment processor of the settings for calls without events; `undefined` without a key. */
export async function configuredClient(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Pick<PaymentProcessor, 'endAllOf'> | undefined> {
  const secretKey = environment[SECRET_KEY] || undefined;
  return secretKey === undefined ? undefined : processorOf(config, secretKey, '');
}

async function processorOf(config: Config, secretKey: string, webhookSecret: string): Promise<PaymentProcessor> {
  // Most installations have no keys, and load no library of the processor.
  const { stripeProcessor } = await import('./stripe.ts');
  return stripeProcessor({
    secretKey,
    webhookSecret,
    endpoint: config['service.billing.endpoint'] || undefined,
    prices: Object.fromEntries(
      TIERS.flatMap((tier): [Tier, string][] => {
        const price = config[`service.billing.price.${tier}`];
        return price === '' ? [] : [[tier, price]];
      }),
    ),
    trialDays: config['service.billing.trialDays'],
    timeoutMs: config['service.billing.timeoutSeconds'] * 1_000,
    version: VERSION,
  });
}
