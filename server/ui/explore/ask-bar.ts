import { css, html, LitElement, nothing } from 'lit';
import { session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import { exploreEvent } from './events.ts';
import { type AskStep, askInWords, canAsk } from './requests.ts';
import type { Draft, Source } from './state/draft.ts';
import type { JsonObject } from './state/json-value.ts';
import { fromRequest, toRequest } from './state/typed-request.ts';

/** Time limit of a language model's answer. */
const ASK_TIMEOUT_MS = 120_000;

/** Takes a question in words where a language model is configured, and fires `explore-edit` with the request that answers it. */
export class AskBar extends LitElement {
  static override properties = {
    source: { attribute: false },
    draft: { attribute: false },
    readings: { state: true },
    canAsk: { state: true },
    message: { state: true },
    isBusy: { state: true },
  };
  static override styles = [
    shared,
    css`
      form { display: flex; gap: 8px; padding: 4px 4px 8px; }
      input { flex: 1; min-width: 0; height: 36px; padding: 0 12px; border: 1px solid var(--muted); border-radius: 6px; background: var(--paper); color: var(--ink); font: inherit; }
      input::placeholder { color: var(--muted); opacity: 1; }
      p { padding: 0 4px 8px; }
      .readings { display: flex; flex-wrap: wrap; gap: 8px; padding: 0 4px 8px; }
    `,
  ];

  declare source: Source | undefined;
  /** The present request, which the next question goes on from. */
  declare draft: Draft | undefined;
  /** The readings of a question back. */
  declare readings: readonly { readonly label: string; readonly request: JsonObject }[];
  declare canAsk: boolean;
  declare message: string;
  declare isBusy: boolean;

  constructor() {
    super();
    this.source = undefined;
    this.draft = undefined;
    this.readings = [];
    this.canAsk = false;
    this.message = '';
    this.isBusy = false;
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('source')) void this.#readHealth();
  }

  async #readHealth(): Promise<void> {
    const { source } = this;
    this.message = '';
    this.readings = [];
    // Without an answer there is no bar; the explorer works without it.
    const isConfigured =
      source !== undefined &&
      (await canAsk(session.client, source.surface, new AbortController().signal).catch(() => false));
    if (source === this.source) this.canAsk = isConfigured;
  }

  async #ask(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { source } = this;
    const question = this.renderRoot.querySelector('input')?.value.trim() ?? '';
    if (source === undefined || question === '' || this.isBusy) return;
    this.isBusy = true;
    this.message = msg('Reading the question…');
    const asked = { question, previous: this.#previous(), clarify: this.readings.length === 0 };
    this.readings = [];
    try {
      const understood = await askInWords(
        session.client,
        source,
        asked,
        (step) => {
          if (source === this.source) this.message = wordsOf(step);
        },
        AbortSignal.timeout(ASK_TIMEOUT_MS),
      );
      if (source !== this.source) return;
      if ('request' in understood) this.#show(understood.request);
      else {
        this.readings = understood.readings;
        this.message = understood.question;
      }
    } catch (error) {
      session.reportFailure(error);
      this.message = error instanceof Error ? error.message : msg('That did not work.');
    } finally {
      this.isBusy = false;
    }
  }

  /** Returns the present request; `undefined` where it asks for nothing yet. */
  #previous(): JsonObject | undefined {
    const { draft } = this;
    if (draft === undefined || draft.rows.length + draft.columns.length + draft.values.length === 0) return undefined;
    return toRequest(draft);
  }

  #show(request: JsonObject): void {
    const { source } = this;
    if (source === undefined) return;
    this.readings = [];
    this.dispatchEvent(
      exploreEvent('explore-edit', {
        ...fromRequest(source.surface, { ...source.names, ...request }),
        drill: this.draft?.drill,
      }),
    );
    this.message = msg('This is the request for your question. Correct it as you like.');
  }

  protected override render() {
    if (!this.canAsk) return nothing;
    return html`<form @submit=${this.#ask}><input aria-label=${msg('Ask in words')} placeholder=${msg('Ask in words: net sales by month since January')} maxlength="4000" autocomplete="off"><button class="button" type="submit" aria-disabled=${this.isBusy ? 'true' : nothing}>${msg('Ask')}</button></form>
      ${this.message === '' ? nothing : html`<p class="muted" role="status">${this.message}</p>`}
      ${this.readings.length === 0 ? nothing : html`<div class="readings" role="group" aria-label=${this.message}>${this.readings.map(({ label, request }) => html`<button class="button" type="button" @click=${() => this.#show(request)}>${label}</button>`)}</div>`}`;
  }
}

function wordsOf(step: AskStep): string {
  switch (step) {
    case 'reading':
      return msg('Reading the question…');
    case 'checking':
      return msg('Checking the request…');
    case 'correcting':
      return msg('Correcting the request…');
    case 'answering':
      return msg('Computing the answer…');
  }
}

customElements.define('ui-ask-bar', AskBar);
