import { css, html, LitElement, nothing } from 'lit';
import { isChartMode } from '../../../router/chart-modes.ts';
import { VIEW_FORMS, type ViewForm } from '../../../router/view-forms.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { type OpenedDocument, writeDocument } from '../documents/repository.ts';
import { MODE_CHOICES } from '../share/appearance.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { embedLocale, msg } from '../words/words.ts';
import { type AnswerReader, answerReader } from './answers.ts';
import { bestForm, chosenForm, type Form } from './best-form.ts';
import { toQuestion } from './dashboard/questions.ts';

const FORM_TITLES: Readonly<Record<ViewForm, string>> = {
  table: msg('Table'),
  matrix: msg('Matrix'),
  chart: msg('Chart'),
  kpi: msg('Number'),
};

/** Shows a saved query in the form that is read best, or in the one that was chosen. A choice is saved with the query where the user may write it. Fires `saved`. */
export class QueryView extends LitElement {
  static override properties = { opened: { attribute: false }, form: { state: true }, isKept: { state: true } };
  static override styles = [
    shared,
    formStyles,
    css`
      .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin-bottom: 12px; }
      .group { display: flex; gap: 4px; }
      .button[aria-pressed='true'] { border-color: var(--accent); background: var(--accent-wash); color: var(--accent-strong); }
      select.input { width: auto; height: 36px; font-size: 14px; }
      .surface { padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
      service-embed { --service-embed-border: transparent; }
      .bone { height: 400px; }
    `,
  ];

  declare opened: OpenedDocument;
  /** Undefined before the first answer, where none was chosen. */
  declare form: Form | undefined;
  declare isKept: boolean;
  readonly #answer = new RemoteData<unknown>(this);
  #reader: AnswerReader | undefined;
  #version = '';

  constructor() {
    super();
    this.form = undefined;
    this.isKept = true;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#version = this.opened.version;
    this.form = chosenForm(this.opened.document.view);
    void this.refresh();
  }

  /** Reads the answer again. */
  async refresh(): Promise<void> {
    const reader = answerReader(session.client, toQuestion(this.opened.document));
    const state = await this.#answer.read((signal) => reader(signal));
    if (state.status === 'failed') session.reportFailure(state.cause);
    if (state.status !== 'ready') return;
    const { value } = state;
    // The element draws the answer that is here, and asks the server for more of it only.
    this.#reader = (signal, more) => (more === undefined ? Promise.resolve(value) : reader(signal, more));
    this.form ??= bestForm(value);
    this.requestUpdate();
  }

  #choose(form: Form): void {
    this.form = form;
    void this.#keep(form);
  }

  /** Saves the choice with the query. Without the right to write, the choice lasts until the page closes. */
  async #keep({ render, mode }: Form): Promise<void> {
    const { path, document } = this.opened;
    try {
      const view = { render, ...(mode === undefined ? {} : { mode }) };
      const stored = await writeDocument(session.client, path, { ...document, view }, this.#version);
      this.#version = stored.version;
      this.isKept = true;
    } catch {
      this.isKept = false;
    }
  }

  #chose({ currentTarget }: Event): void {
    if (!(currentTarget instanceof HTMLSelectElement)) return;
    const { value } = currentTarget;
    if (isChartMode(value)) this.#choose({ render: 'chart', mode: value });
  }

  protected override render() {
    const { state } = this.#answer;
    if (state.status === 'failed')
      return html`<div class="notice failed" role="alert"><h2>${msg('This query has no answer')}</h2><p>${state.message}</p>
        <button class="button" type="button" @click=${this.refresh}>${msg('Try again')}</button></div>`;
    const { form } = this;
    if (state.status === 'loading' || form === undefined || this.#reader === undefined)
      return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
    return html`
      <div class="bar">
        <div class="group" role="group" aria-label=${msg('Show as')}>${VIEW_FORMS.map(
          (render) =>
            html`<button class="button" type="button" aria-pressed=${render === form.render} @click=${() => this.#choose({ render, mode: render === 'chart' ? (form.mode ?? 'bar') : undefined })}>${FORM_TITLES[render]}</button>`,
        )}</div>
        ${
          form.render === 'chart'
            ? html`<select class="input" aria-label=${msg('Kind of chart')} @change=${this.#chose}>${MODE_CHOICES.map(([mode, title]) => html`<option value=${mode} .selected=${mode === (form.mode ?? 'bar')}>${title}</option>`)}</select>`
            : nothing
        }
        ${this.isKept ? nothing : html`<span class="muted" role="status">${msg('You may not change this query, so the choice is not saved.')}</span>`}
      </div>
      <div class="surface"><service-embed .reader=${this.#reader} path=${this.opened.path} render=${form.render} mode=${form.mode ?? nothing} .chart=${this.opened.document.chart} height="440px" .locale=${embedLocale}></service-embed></div>
    `;
  }
}

customElements.define('ui-query', QueryView);
