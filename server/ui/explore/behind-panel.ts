import { css, html, LitElement, nothing } from 'lit';
import { isObject } from '../api-client/json.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import '../code/code-block.ts';
import { origin, session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import { snippetsOf } from './code-snippets.ts';
import { exploreEvent } from './events.ts';
import { type Preview, readPreview } from './requests.ts';
import { asJson } from './state/address.ts';
import { type Draft, isAsking } from './state/draft.ts';
import { fromRequest, toRequest } from './state/typed-request.ts';

type Tab = 'request' | 'statement' | 'copy';

/** Shows the query behind the answer: the typed request, its SQL or MDX with the plan in words, and calls to copy. */
export class BehindPanel extends LitElement {
  static override properties = {
    draft: { attribute: false },
    tab: { state: true },
    problem: { state: true },
    snippet: { state: true },
  };
  static override styles = [
    shared,
    css`
      :host { padding: 0 16px 16px; font: 14px / 20px var(--body); }
      .tabs { display: flex; flex-wrap: wrap; gap: 4px; margin-bottom: 10px; border-bottom: 1px solid var(--line); }
      .tabs button { min-height: 36px; padding: 0 12px; border: 0; border-bottom: 2px solid transparent; background: none; color: var(--muted); font: 500 14px / 1 var(--body); cursor: pointer; }
      .tabs button[aria-selected='true'] { border-bottom-color: var(--accent); color: var(--ink); }
      .tabs.small button { min-height: 30px; font-size: 13px; }
      textarea { width: 100%; min-height: 220px; padding: 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--sunken); color: var(--ink); font: 13px / 20px var(--code); }
      .bad { margin-top: 6px; color: var(--bad); }
      .plan { display: grid; gap: 6px; margin-bottom: 12px; padding-inline-start: 20px; list-style: decimal; }
      .two { display: grid; gap: 16px; }
      @media (min-width: 1100px) { .two.split { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); } }
      .hint { margin-bottom: 8px; color: var(--muted); font-size: 13px; }
    `,
  ];

  declare draft: Draft | undefined;
  declare tab: Tab;
  declare problem: string;
  declare snippet: string;
  readonly #preview = new RemoteData<Preview>(this);
  #previewed = '';

  constructor() {
    super();
    this.draft = undefined;
    this.tab = 'request';
    this.problem = '';
    this.snippet = 'curl';
  }

  protected override updated(): void {
    const { draft, tab } = this;
    if (!draft || tab !== 'statement' || !isAsking(draft)) return;
    const key = JSON.stringify(toRequest(draft));
    if (key === this.#previewed) return;
    this.#previewed = key;
    void this.#preview
      .read((signal) => readPreview(session.client, draft, signal))
      .then((state) => {
        if (state.status === 'failed') session.reportFailure(state.cause);
      });
  }

  #typed(event: Event): void {
    const { draft } = this;
    if (!draft || !(event.target instanceof HTMLTextAreaElement)) return;
    try {
      const json: unknown = JSON.parse(event.target.value);
      if (!isObject(json)) throw new SyntaxError('no object');
      const typed = fromRequest(draft.source.surface, asJson(json));
      this.problem = '';
      this.dispatchEvent(
        exploreEvent('explore-edit', {
          ...typed,
          source: draft.source,
          view: draft.view,
          analytics: draft.analytics,
          drill: draft.drill,
        }),
      );
    } catch {
      this.problem = msg('This is no JSON object, so the request is as before.');
    }
  }

  #statement(draft: Draft) {
    if (!isAsking(draft)) return html`<p class="hint">${msg('Add a metric or a field first.')}</p>`;
    const { state } = this.#preview;
    if (state.status === 'loading') return html`<div class="bone" .style=${'height: 180px'}></div>`;
    if (state.status === 'failed') return html`<p class="bad" role="alert">${state.message}</p>`;
    const { statement, steps } = state.value;
    const language = draft.source.surface === 'cube' ? 'MDX' : 'SQL';
    return html`<div class="two ${steps.length > 0 ? 'split' : ''}">${
      steps.length === 0
        ? nothing
        : html`<div><h3>${msg('Plan')}</h3><ol class="plan">${steps.map((step) => html`<li>${step}</li>`)}</ol></div>`
    }<ui-code .text=${statement} caption=${language} of=${msg('this query')}></ui-code></div>`;
  }

  #copy(draft: Draft) {
    const snippets = snippetsOf(draft, origin, document.documentElement.lang || 'en');
    const shown = snippets.find(({ name }) => name === this.snippet) ?? snippets[0];
    return html`<div class="tabs small" role="tablist" aria-label=${msg('Copy as')}>${snippets.map(
      ({ name }) =>
        html`<button type="button" role="tab" aria-selected=${name === shown?.name} @click=${() => {
          this.snippet = name;
        }}>${name}</button>`,
    )}</div>${
      shown?.name === 'Embed'
        ? html`<p class="hint">${msg('An embed shows a saved query. Save this one, share it, and put its path and token here.')}</p>`
        : nothing
    }${shown === undefined ? nothing : html`<ui-code .text=${shown.text} caption=${shown.name} of=${msg('this query')}></ui-code>`}`;
  }

  protected override render() {
    const { draft, tab } = this;
    if (!draft) return nothing;
    const tabs: readonly (readonly [Tab, string])[] = [
      ['request', msg('Request')],
      ['statement', draft.source.surface === 'cube' ? msg('MDX') : msg('SQL and plan')],
      ['copy', msg('Copy as')],
    ];
    return html`<div class="tabs" role="tablist" aria-label=${msg('The query behind the answer')}>${tabs.map(
      ([name, label]) =>
        html`<button type="button" role="tab" aria-selected=${tab === name} @click=${() => {
          this.tab = name;
        }}>${label}</button>`,
    )}</div>
    ${
      tab === 'request'
        ? html`<p class="hint">${msg('The typed request, exactly as it is sent. Change it here and leave the field to run it.')}</p>
          <textarea aria-label=${msg('Typed request')} spellcheck="false" .value=${JSON.stringify(toRequest(draft), undefined, 2)} @change=${this.#typed}></textarea>
          ${this.problem === '' ? nothing : html`<p class="bad" role="alert">${this.problem}</p>`}`
        : tab === 'statement'
          ? this.#statement(draft)
          : this.#copy(draft)
    }`;
  }
}

customElements.define('ui-behind', BehindPanel);
