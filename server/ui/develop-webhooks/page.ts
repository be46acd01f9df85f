import { css, html, nothing } from 'lit';
import { WEBHOOK_EVENT_NAMES } from '../../../router/webhook-events.ts';
import type { Client } from '../api-client/client.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { shownOnce, shownOnceStyles } from '../code/shown-once.ts';
import type { FormField } from '../parts/form-dialog.ts';
import { formatWhen } from '../parts/format-when.ts';
import { ListPage } from '../parts/list-page.ts';
import type { MenuItem } from '../parts/menu.ts';
import { guardedView, remoteView } from '../parts/remote-view.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { plusIcon } from '../styles/icons.ts';
import { listStyles } from '../styles/list-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { EVENT_TITLES } from './event-titles.ts';
import {
  addWebhook,
  changeWebhook,
  type DeliveryEntry,
  type DeliveryState,
  readDeliveries,
  readWebhooks,
  redeliver,
  removeWebhook,
  renewSecret,
  sendTest,
  type WebhookEntry,
} from './requests.ts';
import '../parts/form-dialog.ts';
import '../parts/menu.ts';
import '../parts/page-head.ts';
import '../parts/section-links.ts';

const STATE_TITLES: Readonly<Record<DeliveryState, string>> = {
  waiting: msg('Waits'),
  delivered: msg('Delivered'),
  failed: msg('Failed'),
};
const STATE_TAGS: Readonly<Record<DeliveryState, string>> = { waiting: 'warn', delivered: 'good', failed: 'bad' };
/** The interval in which open deliveries are read again while some wait, in milliseconds. */
const READ_AGAIN_MS = 2_000;

/** Lists the webhooks of the tenant and their deliveries; adds, changes, tests and removes them. */
export class DevelopWebhooks extends ListPage<readonly WebhookEntry[]> {
  static override properties = { secret: { state: true }, openId: { state: true } };
  static override styles = [
    shared,
    formStyles,
    listStyles,
    shownOnceStyles,
    css`
      .hook { border-top: 1px solid var(--line); }
      .hook:first-child { border-top: 0; }
      .hook .row { border-top: 0; }
      .deliveries { padding: 0 16px 16px; }
      .deliveries .scroll { max-height: 480px; overflow: auto; }
      .url { overflow-wrap: anywhere; }
      details summary { cursor: pointer; font-weight: 400; white-space: nowrap; }
      .deliveries .tag { white-space: nowrap; }
      thead td { border-bottom: 1px solid var(--line); }
      pre { max-width: 70ch; margin: 6px 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px / 18px var(--code); }
      .reason { color: var(--bad); }
    `,
  ];

  /** The secret that was made last, while it is shown. */
  declare secret: string;
  /** The webhook with open deliveries; empty for none. */
  declare openId: string;
  readonly #deliveries = new RemoteData<readonly DeliveryEntry[]>(this);
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.secret = '';
    this.openId = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#again);
  }

  protected override load(client: Client, signal: AbortSignal) {
    return readWebhooks(client, signal);
  }

  protected override async read(): Promise<void> {
    await Promise.all([super.read(), this.#readDeliveries()]);
  }

  /** Reads the open deliveries, and again while some wait for an attempt that is near. */
  async #readDeliveries(): Promise<void> {
    clearTimeout(this.#again);
    const id = this.openId;
    if (id === '') return;
    const state = await this.#deliveries.read((signal) => readDeliveries(session.client, id, signal));
    if (state.status === 'failed') session.reportFailure(state.cause);
    if (state.status !== 'ready' || this.openId !== id || !this.isConnected) return;
    const near = Date.now() + 15_000;
    if (state.value.some(({ nextAttemptAt }) => nextAttemptAt !== undefined && nextAttemptAt.getTime() < near))
      this.#again = setTimeout(() => void this.read(), READ_AGAIN_MS);
  }

  #toggle(id: string): void {
    this.openId = this.openId === id ? '' : id;
    void this.#readDeliveries();
  }

  #fields(webhook?: WebhookEntry): readonly FormField[] {
    const events = webhook?.events ?? ['refresh.failed'];
    return [
      {
        name: 'label',
        label: msg('What is it for?'),
        value: webhook?.label ?? '',
        hint: msg('Such as the program that receives the events.'),
      },
      {
        name: 'url',
        label: msg('Address'),
        value: '',
        ...(webhook === undefined
          ? { hint: msg('Events are posted there as JSON: https://…') }
          : { isOptional: true, hint: msg(str`Empty: it stays ${webhook.url}.`) }),
      },
      {
        name: 'events',
        label: msg('Events'),
        value: events.join('\n'),
        choices: WEBHOOK_EVENT_NAMES.map((value) => ({ value, title: EVENT_TITLES[value] })),
      },
    ];
  }

  #add(): void {
    this.ask(
      {
        title: msg('Add a webhook'),
        fields: this.#fields(),
        action: msg('Add'),
        submit: async (values) => {
          const { label = '', url = '' } = values;
          this.secret = await addWebhook(session.client, { label, url, events: chosenEvents(values) });
          await this.#showSecret();
        },
      },
      '',
    );
  }

  async #showSecret(): Promise<void> {
    await this.updateComplete;
    // After the dialog has closed and given the focus back.
    requestAnimationFrame(() => this.renderRoot.querySelector<HTMLElement>('#made')?.focus());
  }

  #menuOf(webhook: WebhookEntry): readonly MenuItem[] {
    const { id, isPaused } = webhook;
    const name = nameOf(webhook);
    return [
      {
        label: msg('Send a test'),
        act: () => {
          this.openId = id;
          void this.change((client) => sendTest(client, id), msg('A test is sent.'));
        },
      },
      {
        label: msg('Change…'),
        act: () =>
          this.ask(
            {
              title: msg(str`Change ${name}`),
              fields: this.#fields(webhook),
              action: msg('Save'),
              submit: (values) => {
                const { label = '', url = '' } = values;
                return changeWebhook(session.client, id, {
                  label,
                  events: chosenEvents(values),
                  ...(url === '' ? {} : { url }),
                });
              },
            },
            msg(str`${name} is saved.`),
          ),
      },
      {
        label: isPaused ? msg('Go on') : msg('Pause'),
        act: () =>
          void this.change(
            (client) => changeWebhook(client, id, { isPaused: !isPaused }),
            isPaused ? msg(str`${name} goes on.`) : msg(str`${name} is paused.`),
          ),
      },
      {
        label: msg('New secret…'),
        act: () =>
          this.ask(
            {
              title: msg(str`Give ${name} another secret?`),
              note: msg('For a day, events are signed with both secrets. Put the new one into your program by then.'),
              fields: [],
              action: msg('Make a secret'),
              submit: async () => {
                this.secret = await renewSecret(session.client, id);
                await this.#showSecret();
              },
            },
            '',
          ),
      },
      {
        label: msg('Remove…'),
        isDanger: true,
        act: () =>
          this.ask(
            {
              title: msg(str`Remove ${name}?`),
              note: msg('It is sent nothing more, and the list of its deliveries goes. This cannot be undone.'),
              fields: [],
              action: msg('Remove'),
              isDanger: true,
              submit: () => removeWebhook(session.client, id),
            },
            msg(str`${name} is removed.`),
          ),
      },
    ];
  }

  #row(webhook: WebhookEntry) {
    const { id, url, events, isPaused, pausedReason, waiting, failedInARow, lastDeliveredAt } = webhook;
    const isOpen = this.openId === id;
    const name = nameOf(webhook);
    return html`<li class="hook"><div class="row">
      <span class="name">${name}
        ${isPaused ? html` <span class="tag ${pausedReason === '' ? '' : 'bad'}">${msg('Paused')}</span>` : nothing}
        ${!isPaused && failedInARow > 0 ? html` <span class="tag warn">${msg(str`${failedInARow} failed in a row`)}</span>` : nothing}</span>
      <span class="about"><code class="url">${url}</code><br />
        ${events.map((event) => html`<span class="tag">${EVENT_TITLES[event]}</span>`)}<br />
        ${lastDeliveredAt === undefined ? msg('nothing delivered yet') : msg(str`last delivered ${formatWhen(lastDeliveredAt)}`)}
        ${waiting === 0 ? nothing : html` · ${waiting === 1 ? msg('1 waits') : msg(str`${waiting} wait`)}`}
        ${pausedReason === '' ? nothing : html`<br /><span class="reason">${pausedReason}</span>`}</span>
      <span class="end">
        <button class="button small" type="button" aria-expanded=${isOpen} @click=${() => this.#toggle(id)}>${msg('Deliveries')}<span class="visually-hidden"> ${name}</span></button>
        <ui-menu label=${msg(str`Actions of ${name}`)} .items=${this.#menuOf(webhook)}></ui-menu></span>
    </div>
    ${isOpen ? html`<div class="deliveries">${this.#log(webhook)}</div>` : nothing}</li>`;
  }

  #log(webhook: WebhookEntry) {
    return remoteView(
      this.#deliveries.state,
      (deliveries) =>
        deliveries.length === 0
          ? html`<p class="muted">${msg('No deliveries in the last 30 days.')}</p>`
          : html`<div class="scroll" tabindex="0" role="region" aria-label=${msg(str`Deliveries of ${nameOf(webhook)}`)}><table>
              <thead><tr><th scope="col">${msg('When')}</th><th scope="col">${msg('Event')}</th><th scope="col">${msg('State')}</th><th scope="col">${msg('Answer')}</th><td></td></tr></thead>
              <tbody>${deliveries.map((each) => this.#delivery(webhook, each))}</tbody></table></div>`,
      () => void this.#readDeliveries(),
    );
  }

  #delivery({ id: webhook }: WebhookEntry, delivery: DeliveryEntry) {
    const { id, event, state, attempts, createdAt, nextAttemptAt, status, error, body } = delivery;
    const isRetry = state === 'waiting' && attempts > 0 && nextAttemptAt !== undefined;
    return html`<tr>
      <td class="when">${formatWhen(createdAt)}</td>
      <th scope="row">${EVENT_TITLES[event]}<details><summary class="muted">${msg('What was sent')}</summary><pre>${body}</pre></details></th>
      <td><span class="tag ${STATE_TAGS[state]}">${STATE_TITLES[state]}</span>
        ${attempts > 1 ? html`<br /><span class="muted">${msg(str`${attempts} attempts`)}</span>` : nothing}
        ${isRetry ? html`<br /><span class="muted">${msg(str`next attempt ${formatWhen(nextAttemptAt)}`)}</span>` : nothing}</td>
      <td>${status === undefined ? error : html`<code>${status}</code>`}</td>
      <td class="number">${
        state === 'waiting'
          ? nothing
          : html`<button class="button small" type="button" @click=${() => void this.change((client) => redeliver(client, webhook, id), msg('It is sent again.'))}>${msg('Send again')}</button>`
      }</td>
    </tr>`;
  }

  #madeSecret() {
    return shownOnce({
      heading: msg('Copy the secret now'),
      note: msg(
        'It is shown only once. With it, your program checks that an event is from this server: the signature is that of Standard Webhooks, and its libraries can check it.',
      ),
      text: this.secret,
      copyCaption: msg('Copy secret'),
      hide: () => {
        this.secret = '';
      },
    });
  }

  #list(webhooks: readonly WebhookEntry[]) {
    if (webhooks.length === 0)
      return html`<div class="empty"><h2>${msg('No webhooks yet')}</h2>
        <p>${msg('A webhook posts what happens here to a program of yours: a refresh that failed, a dashboard that was made public.')}</p></div>`;
    return html`<ul class="rows">${webhooks.map((webhook) => this.#row(webhook))}</ul>`;
  }

  protected override render() {
    return html`
      <ui-page-head heading=${msg('Webhooks')}>
        <span slot="note">${msg('Events of this tenant, posted to programs of yours, signed, and tried again where they fail.')}</span>
        ${this.isAnswered ? html`<button class="button primary" type="button" @click=${this.#add}>${plusIcon}${msg('Add webhook')}</button>` : nothing}
      </ui-page-head>
      <ui-section-links current="develop-webhooks"></ui-section-links>
      ${this.#madeSecret()}
      ${guardedView('administrators', () =>
        remoteView(
          this.data.state,
          (webhooks) => this.#list(webhooks),
          () => void this.read(),
        ),
      )}
      <ui-form-dialog></ui-form-dialog>
    `;
  }
}

function chosenEvents({ events = '' }: Readonly<Record<string, string>>): readonly string[] {
  const chosen = events.split('\n').filter((event) => event !== '');
  if (chosen.length === 0) throw new Error(msg('Choose at least one event.'));
  return chosen;
}

function nameOf({ label, url }: WebhookEntry): string {
  return label === '' ? url : label;
}

customElements.define('ui-develop-webhooks', DevelopWebhooks);
