/** Shows webhooks and deliveries, without secrets. Pure. */
import { shownLink } from '../../router/capabilities/linked-files.ts';
import type { Delivery, Webhook } from './schemas.ts';
import type { DeliveryRow, WebhookRow } from './tables.ts';

export interface DeliverySummary {
  readonly waiting: number;
  readonly lastDeliveredAt: number | null;
}

export function webhookView(row: WebhookRow, summary: DeliverySummary | undefined): Webhook {
  return {
    id: row.id,
    url: shownLink(row.url),
    label: row.label,
    events: JSON.parse(row.events),
    isPaused: row.is_paused === 1,
    pausedReason: row.paused_reason,
    waiting: summary?.waiting ?? 0,
    failedInARow: row.failed_in_a_row,
    lastDeliveredAt: instantOrNull(summary?.lastDeliveredAt ?? null),
    createdBy: row.user_name,
    createdAt: new Date(row.created_at).toISOString(),
  };
}

export function deliveryView(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    eventId: row.event_id,
    event: row.event,
    state: row.state,
    attempts: row.attempts,
    createdAt: new Date(row.created_at).toISOString(),
    lastAttemptAt: instantOrNull(row.last_attempt_at),
    nextAttemptAt: row.state === 'waiting' ? new Date(row.next_attempt_at).toISOString() : null,
    status: row.last_status,
    error: row.last_error,
    durationMs: row.last_duration_ms,
    body: row.body,
  };
}

function instantOrNull(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toISOString();
}
