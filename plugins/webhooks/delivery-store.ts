/** The deliveries of events to webhooks, in the state: a delivery waits, is sent by one node at a time, and is kept for a while. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { EventData, TargetAnswer } from '../../router/capabilities/webhooks.ts';
import { NotFoundError } from '../../router/errors.ts';
import {
  KEPT_MS,
  LEASE_MS,
  MAX_ATTEMPTS,
  MAX_DATA_TEXT,
  MAX_FAILED_IN_A_ROW,
  MAX_LISTED,
  MAX_WAITING,
  RETRY_AFTER_MS,
  SENT_AT_A_TIME,
  SENT_OF_ONE_WEBHOOK,
} from './limits.ts';
import type { DeliveryRow, DeliveryState, WebhookRow, WebhookTables } from './tables.ts';

/** Rows that are looked at for a batch: more than are sent, so that one webhook does not hold up the others. */
const LOOKED_AT = 200;
const GONE = 410;

interface NewEvent {
  readonly event: string;
  readonly data: EventData;
}

export class DeliveryStore {
  readonly #state: State;
  readonly #clock: Clock;

  constructor({ state, clock }: { readonly state: State; readonly clock: Clock }) {
    this.#state = state;
    this.#clock = clock;
  }

  get #tables() {
    return this.#state.tables<WebhookTables>();
  }

  /** Adds a delivery of an event for each webhook of the tenant that is for it and is not paused. */
  async announce(tenant: TenantId, { event, data }: NewEvent): Promise<void> {
    const rows = await this.#tables
      .selectFrom('webhooks')
      .select(['id', 'events'])
      .where('tenant_id', '=', tenant)
      .where('is_paused', '=', 0)
      .execute();
    const eventId = newEventId();
    for (const { id, events } of rows)
      if ((JSON.parse(events) as readonly string[]).includes(event))
        await this.#add(tenant, id, { eventId, event, body: this.#bodyOf({ event, data }) });
  }

  /** Adds a delivery for one webhook, whatever its events. */
  async announceTo(tenant: TenantId, webhook: string, event: NewEvent): Promise<DeliveryRow> {
    return this.#add(tenant, webhook, { eventId: newEventId(), event: event.event, body: this.#bodyOf(event) });
  }

  /** Sends an event again: a new delivery with the same id and body. @throws NotFoundError */
  async again(tenant: TenantId, webhook: string, id: string): Promise<DeliveryRow> {
    const { event_id: eventId, event, body } = await this.get(tenant, webhook, id);
    return this.#add(tenant, webhook, { eventId, event, body });
  }

  /** Lists the deliveries of a webhook, the newest first. */
  list(tenant: TenantId, webhook: string, state: DeliveryState | undefined): Promise<readonly DeliveryRow[]> {
    const all = this.#tables
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('webhook_id', '=', webhook)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_LISTED);
    return (state === undefined ? all : all.where('state', '=', state)).execute();
  }

  /** @throws NotFoundError */
  async get(tenant: TenantId, webhook: string, id: string): Promise<DeliveryRow> {
    const row = await this.#tables
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('webhook_id', '=', webhook)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw new NotFoundError('There is no such delivery. Deliveries are kept for 30 days.');
    return row;
  }

  /** Takes deliveries that are due for a node. Of several nodes, one gets each; none is of a paused webhook. */
  async take(node: string): Promise<readonly (readonly [DeliveryRow, WebhookRow])[]> {
    const now = this.#clock();
    const due = await this.#tables
      .selectFrom('webhook_deliveries')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
      .selectAll('webhook_deliveries')
      .where('webhooks.is_paused', '=', 0)
      .where('state', '=', 'waiting')
      .where('next_attempt_at', '<=', now)
      .where((where) => where.or([where('run_until', 'is', null), where('run_until', '<=', now)]))
      .orderBy('next_attempt_at')
      .limit(LOOKED_AT)
      .execute();
    const counts = new Map<string, number>();
    const taken: (readonly [DeliveryRow, WebhookRow])[] = [];
    for (const row of due) {
      const ofWebhook = counts.get(row.webhook_id) ?? 0;
      if (taken.length >= SENT_AT_A_TIME) break;
      if (ofWebhook >= SENT_OF_ONE_WEBHOOK) continue;
      const { numUpdatedRows } = await this.#tables
        .updateTable('webhook_deliveries')
        .set({ run_node: node, run_until: now + LEASE_MS })
        .where('id', '=', row.id)
        .where('state', '=', 'waiting')
        .where('attempts', '=', row.attempts)
        .where((where) => where.or([where('run_until', 'is', null), where('run_until', '<=', now)]))
        .executeTakeFirstOrThrow();
      const webhook = await this.#tables
        .selectFrom('webhooks')
        .selectAll()
        .where('id', '=', row.webhook_id)
        .executeTakeFirst();
      if (numUpdatedRows === 0n || webhook === undefined) continue;
      counts.set(row.webhook_id, ofWebhook + 1);
      taken.push([row, webhook]);
    }
    return taken;
  }

  /** Records how a target answered: the delivery is done, waits for its next attempt, or is given up. */
  async settle(row: DeliveryRow, node: string, answer: TargetAnswer, durationMs: number): Promise<void> {
    const now = this.#clock();
    const isDelivered = answer.status !== undefined && answer.status >= 200 && answer.status < 300;
    const attempts = row.attempts + 1;
    const isOver = isDelivered || answer.status === GONE || attempts >= MAX_ATTEMPTS;
    const state: DeliveryState = isDelivered ? 'delivered' : isOver ? 'failed' : 'waiting';
    const { numUpdatedRows } = await this.#tables
      .updateTable('webhook_deliveries')
      .set({
        state,
        attempts,
        next_attempt_at: isOver ? now : now + (RETRY_AFTER_MS[attempts - 1] ?? 0),
        last_attempt_at: now,
        last_status: answer.status ?? null,
        last_error: answer.reason ?? null,
        last_duration_ms: Math.round(durationMs),
        run_node: null,
        run_until: null,
      })
      .where('id', '=', row.id)
      .where('run_node', '=', node)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n || !isOver) return;
    if (isDelivered)
      await this.#tables
        .updateTable('webhooks')
        .set({ failed_in_a_row: 0 })
        .where('id', '=', row.webhook_id)
        .where('failed_in_a_row', '>', 0)
        .execute();
    else await this.#countFailure(row, answer);
  }

  async #countFailure({ webhook_id: id }: DeliveryRow, { status }: TargetAnswer): Promise<void> {
    await this.#tables
      .updateTable('webhooks')
      .set((each) => ({ failed_in_a_row: each('failed_in_a_row', '+', 1) }))
      .where('id', '=', id)
      .execute();
    const reason =
      status === GONE
        ? 'The target answered 410: it is gone.'
        : `${MAX_FAILED_IN_A_ROW} deliveries failed one after the other.`;
    await this.#tables
      .updateTable('webhooks')
      .set({ is_paused: 1, paused_reason: reason })
      .where('id', '=', id)
      .where('is_paused', '=', 0)
      .where('failed_in_a_row', '>=', status === GONE ? 0 : MAX_FAILED_IN_A_ROW)
      .execute();
  }

  /** Gives deliveries back that a node has taken and did not send. */
  async release(row: DeliveryRow, node: string): Promise<void> {
    await this.#tables
      .updateTable('webhook_deliveries')
      .set({ run_node: null, run_until: null })
      .where('id', '=', row.id)
      .where('run_node', '=', node)
      .execute();
  }

  /** Deletes deliveries that ended long ago, and those of paused webhooks that nobody lets go on. */
  async purge(): Promise<void> {
    await this.#tables
      .deleteFrom('webhook_deliveries')
      .where('created_at', '<=', this.#clock() - KEPT_MS)
      .execute();
  }

  /** Returns the number of waiting and the time of the last delivered delivery, by webhook. */
  async summaries(tenant: TenantId): Promise<ReadonlyMap<string, { waiting: number; lastDeliveredAt: number | null }>> {
    const rows = await this.#tables
      .selectFrom('webhook_deliveries')
      .select(({ fn }) => [
        'webhook_id',
        'state',
        fn.countAll<number>().as('count'),
        fn.max('last_attempt_at').as('at'),
      ])
      .where('tenant_id', '=', tenant)
      .groupBy(['webhook_id', 'state'])
      .execute();
    const summaries = new Map<string, { waiting: number; lastDeliveredAt: number | null }>();
    for (const { webhook_id: id, state, count, at } of rows) {
      const summary = summaries.get(id) ?? { waiting: 0, lastDeliveredAt: null };
      summaries.set(id, {
        waiting: state === 'waiting' ? Number(count) : summary.waiting,
        lastDeliveredAt: state === 'delivered' && at !== null ? Number(at) : summary.lastDeliveredAt,
      });
    }
    return summaries;
  }

  #bodyOf({ event, data }: NewEvent): string {
    const short = Object.fromEntries(
      Object.entries(data).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.slice(0, MAX_DATA_TEXT) : value,
      ]),
    );
    return JSON.stringify({ type: event, timestamp: new Date(this.#clock()).toISOString(), data: short });
  }

  async #add(
    tenant: TenantId,
    webhook: string,
    { eventId, event, body }: { readonly eventId: string; readonly event: string; readonly body: string },
  ): Promise<DeliveryRow> {
    const { count } = await this.#tables
      .selectFrom('webhook_deliveries')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('webhook_id', '=', webhook)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow();
    const isFull = Number(count) >= MAX_WAITING;
    const now = this.#clock();
    const row: DeliveryRow = {
      id: randomUUID(),
      tenant_id: tenant,
      webhook_id: webhook,
      event_id: eventId,
      event,
      body,
      state: isFull ? 'failed' : 'waiting',
      attempts: 0,
      next_attempt_at: now,
      last_attempt_at: null,
      last_status: null,
      last_error: isFull ? `${MAX_WAITING} deliveries of this webhook waited already.` : null,
      last_duration_ms: null,
      run_node: null,
      run_until: null,
      created_at: now,
    };
    await this.#tables.insertInto('webhook_deliveries').values(row).execute();
    return row;
  }
}

function newEventId(): string {
  return `evt_${randomUUID()}`;
}
