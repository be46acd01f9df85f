/** Announces events: those of operations as an observer of the process, and others where they happen. */
import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { Activity, Observer, OperationActivity } from '../../router/capabilities/observer.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { EventData, Events } from '../../router/capabilities/webhooks.ts';
import type { WebhookEvent } from '../../router/webhook-events.ts';
import { DeliveryStore } from './delivery-store.ts';

interface OperationEvent {
  readonly event: WebhookEvent;
  /** Members of the input that name what the event is about, by their names in the event. */
  readonly input: Readonly<Record<string, string>>;
}

const PUBLISHED: OperationEvent = { event: 'model.published', input: { name: 'name' } };

/** The events of operations that end well. */
const OPERATION_EVENTS: Readonly<Record<string, OperationEvent>> = {
  'repository.write': { event: 'document.saved', input: { path: 'path' } },
  'repository.restore': { event: 'document.saved', input: { path: 'path' } },
  'repository.move': { event: 'document.moved', input: { from: 'from', path: 'to' } },
  'repository.remove': { event: 'document.removed', input: { path: 'path' } },
  'embed.createGrant': { event: 'document.shared', input: { path: 'resourcePath' } },
  'embed.removeGrant': { event: 'document.unshared', input: { path: 'path' } },
  'inference.publish': PUBLISHED,
  'designer.publish': PUBLISHED,
  'datasources.add': PUBLISHED,
  'datasources.remove': { event: 'model.removed', input: { name: 'id' } },
  'modelDocuments.save': { event: 'model.changed', input: { name: 'id' } },
  'data.confirmReplacement': { event: 'data.replaced', input: { change: 'id' } },
  'data.undoReplacement': { event: 'data.replaced', input: { change: 'id' } },
};

export interface AnnouncerOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
}

export class Announcer implements Events, Observer {
  readonly #deliveries: DeliveryStore;
  readonly #log: Log;
  readonly #writing = new Set<Promise<void>>();

  constructor(options: AnnouncerOptions) {
    this.#deliveries = new DeliveryStore(options);
    this.#log = options.log;
  }

  announce(tenant: TenantId, event: WebhookEvent, data: EventData): void {
    this.#track(this.#deliveries.announce(tenant, { event, data }));
  }

  async around<Result>(activity: Activity, work: () => Promise<Result>): Promise<Result> {
    if (activity.kind !== 'operation' || OPERATION_EVENTS[activity.operation] === undefined) return work();
    const result = await work();
    this.ended(activity);
    return result;
  }

  ended(activity: OperationActivity): void {
    const announced = OPERATION_EVENTS[activity.operation];
    if (announced !== undefined) this.#track(this.#announceOperation(activity, announced));
  }

  /** Writes all events that were announced before. */
  async flush(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #announceOperation({ caller, input }: OperationActivity, { event, input: members }: OperationEvent) {
    if (caller.kind !== 'user') return;
    const sent = { ...((await input()) as object | null) };
    const named = Object.entries(members).flatMap(([name, member]) => {
      const value: unknown = Object.hasOwn(sent, member) ? Reflect.get(sent, member) : undefined;
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    await this.#deliveries.announce(caller.tenant, {
      event,
      data: { ...Object.fromEntries(named), user: caller.user },
    });
  }

  #track(work: Promise<void>): void {
    const writing = work
      .catch((error: unknown) => this.#log.error({ err: error }, 'an event for webhooks is lost'))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}
