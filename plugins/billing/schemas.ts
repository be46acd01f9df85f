import { z } from 'zod';
import { TIERS } from '../../router/capabilities/payments.ts';
import { MAX_EVENT_LENGTH, MAX_IDEMPOTENCY_KEY_LENGTH, MAX_TEXT_LENGTH, MAX_URL_LENGTH } from './limits.ts';

const Instant = z.iso.datetime();

export const BillingState = z.object({
  tenantId: z.uuid(),
  tier: z.enum(TIERS),
  subscriptionStatus: z.string().meta({ description: "The processor's word; empty before the first subscription." }),
  processorCustomerId: z.string().optional(),
  currentPeriodEnd: Instant.optional(),
  trialEndsAt: Instant.nullable()
    .optional()
    .meta({ description: 'Set only while `subscriptionStatus` is `trialing`.' }),
  billedFeaturesActive: z.boolean(),
});
export type BillingState = z.output<typeof BillingState>;

const absolute = (protocols: readonly string[], message: string) =>
  z
    .string()
    .max(MAX_URL_LENGTH)
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), message);

const HttpsUrl = absolute(['https:'], 'must be an absolute HTTPS address');
const IdempotencyKey = z.string().min(1).max(MAX_IDEMPOTENCY_KEY_LENGTH).optional();

export const CheckoutSessionRequest = z.strictObject({
  tier: z.string().max(MAX_TEXT_LENGTH),
  email: z.email().max(MAX_TEXT_LENGTH).optional(),
  name: z.string().min(1).max(MAX_TEXT_LENGTH).optional(),
  successUrl: HttpsUrl,
  cancelUrl: HttpsUrl,
  idempotencyKey: IdempotencyKey,
});
export const CheckoutSessionResponse = z.object({ url: z.url(), sessionId: z.string() });

export const PortalSessionRequest = z.strictObject({
  returnUrl: absolute(['https:', 'http:'], 'must be an absolute address'),
});
export const PortalSessionResponse = z.object({ url: z.url() });

export const WebhookRequest = z.strictObject({
  body: z.string().max(MAX_EVENT_LENGTH),
  signature: z.string().max(MAX_URL_LENGTH).optional(),
});
export const WebhookResponse = z.object({ received: z.literal(true) });
