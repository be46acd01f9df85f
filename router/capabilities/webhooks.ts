/** Announces events to the webhooks of a tenant, and sends them to their targets. */
import type { WebhookEvent } from '../webhook-events.ts';
import type { TenantId } from './identity.ts';

/** What an event is about: names and messages, never values of a warehouse or secrets. */
export type EventData = Readonly<Record<string, string | number | boolean | null>>;

export interface Events {
  /** Announces an event; a failure is logged. The webhooks are sent it in the background. */
  announce(tenant: TenantId, event: WebhookEvent, data: EventData): void;
}

/** How a target answered; `reason` says in words why there is no status. */
export type TargetAnswer =
  | { readonly status: number; readonly reason?: undefined }
  | { readonly status?: undefined; readonly reason: string };

/** Sends requests to the targets of webhooks, which users name. */
export interface WebhookTargets {
  /**
   * Checks an address before it is saved.
   *
   * @throws ValidationError at `url` where it is no address of the web, or leads to a private network
   */
  check(url: string): Promise<void>;
  /** Posts a text of JSON. Follows no redirect, and reads no more of an answer than its status. */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<TargetAnswer>;
}
