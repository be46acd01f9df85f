import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import type { Edit, Target } from './draft.ts';
import './element-actions.ts';
import { usesList } from './field-panel.ts';
import type { FormulaEditor, FormulaInput } from './formula-editor.ts';
import type { MetricElement } from './model-document.ts';
import { modelStyles } from './model-styles.ts';
import { problemsOf } from './problems.ts';
import { listField, longField, problemList, switchField, textField } from './property-fields.ts';
import type { Trial } from './requests.ts';
import { type ModelStore, StoreController } from './store.ts';
import { seenBy } from './words.ts';

/** The time without typing after which the server tries a formula. */
const PAUSE_MS = 350;
const FORMATS = ['#,##0', '#,##0.00', '0.0 %', '0 %', '#,##0.00 "EUR"', '0'];

/** One metric: its formula, which is checked as it is typed, its format with the present value, and its texts. */
export class MetricPanel extends LitElement {
  static override properties = {
    store: { attribute: false },
    metric: { attribute: false },
    formula: { state: true },
    trial: { state: true },
    isTrying: { state: true },
    hasEditor: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    modelStyles,
    css`
      .today { font-size: 20px; line-height: 28px; font-weight: 600; font-variant-numeric: tabular-nums; }
      .refused { color: var(--bad); }
      .sample { min-height: 28px; }
      .bone { min-height: 72px; }
    `,
  ];

  declare store: ModelStore;
  declare metric: MetricElement;
  /** The typed formula; `undefined` where it is the metric's own. */
  declare formula: FormulaInput | undefined;
  declare trial: Trial | undefined;
  declare isTrying: boolean;
  declare hasEditor: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;
  #tried = '';

  constructor() {
    super();
    this.isTrying = false;
    this.hasEditor = false;
    new StoreController(this, () => this.store);
    void import('./formula-editor.ts').then(() => {
      this.hasEditor = true;
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const former = changed.get('metric');
    if (former !== undefined && former.name !== this.metric.name) {
      this.formula = undefined;
      this.trial = undefined;
    }
    const key = JSON.stringify([this.store.saved.version, this.store.draft.edits, this.metric.name]);
    if (key !== this.#tried && this.formula === undefined) {
      this.#tried = key;
      this.#try([], 0);
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  get #on(): Target {
    return { kind: 'metric', name: this.metric.name };
  }

  /** Asks the server for the value of the metric with the draft and further edits. */
  #try(more: readonly Edit[], pauseMs: number): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.isTrying = true;
    this.#timer = setTimeout(async () => {
      const { store, metric } = this;
      try {
        const edits = [...store.draft.edits, ...more];
        this.trial = await store.requests.tryMetric(store.saved.version, edits, metric.name, running.signal);
      } catch (error) {
        if (running.signal.aborted) return;
        this.trial = { refused: error instanceof Error ? error.message : String(error) };
      }
      if (this.#running === running) this.isTrying = false;
    }, pauseMs);
  }

  #typed(event: CustomEvent<FormulaInput>): void {
    const { text, unknown } = event.detail;
    this.formula = text === this.metric.expression ? undefined : event.detail;
    if (unknown.length > 0 || text.trim() === '') {
      clearTimeout(this.#timer);
      this.#running?.abort();
      this.isTrying = false;
      this.trial = undefined;
    } else this.#try([{ op: 'set', on: this.#on, property: 'expression', value: text.trim() }], PAUSE_MS);
  }

  /** Goes back to the metric's own formula. */
  #reset(): void {
    this.renderRoot.querySelector<FormulaEditor>('ui-formula')?.reset();
    this.formula = undefined;
    this.#tried = '';
    this.requestUpdate();
  }

  get #refusal(): string {
    if (this.formula !== undefined) {
      const [first] = this.formula.unknown;
      if (first !== undefined)
        return first.candidates.length === 0
          ? first.message
          : msg(str`${first.message} Did you mean ${first.candidates.slice(0, 3).join(', ')}?`);
      if (this.formula.text.trim() === '') return msg('A metric needs a formula.');
    }
    return this.trial !== undefined && 'refused' in this.trial ? this.trial.refused : '';
  }

  #apply(): void {
    const { formula } = this;
    if (formula === undefined || this.#refusal !== '' || this.isTrying) return;
    this.formula = undefined;
    this.store.edit({ op: 'set', on: this.#on, property: 'expression', value: formula.text.trim() });
  }

  #value() {
    const refusal = this.#refusal;
    if (refusal !== '') return html`<p class="refused">${refusal}</p>`;
    if (this.trial !== undefined && 'shown' in this.trial)
      return html`<p>${msg('Today')} <span class="today">${this.trial.shown}</span>${this.isTrying ? html` <span class="note">${msg('checking…')}</span>` : nothing}</p>`;
    return html`<p class="note">${this.isTrying ? msg('Checking…') : ''}</p>`;
  }

  protected override render() {
    const { store, metric, formula } = this;
    const on = this.#on;
    const canApply = formula !== undefined && this.#refusal === '' && !this.isTrying;
    const renamed = (event: CustomEvent<string>) =>
      this.dispatchEvent(
        new CustomEvent('go', { detail: { tab: 'metrics', item: event.detail }, bubbles: true, composed: true }),
      );
    const removed = () =>
      this.dispatchEvent(
        new CustomEvent('go', { detail: { tab: 'metrics', item: '' }, bubbles: true, composed: true }),
      );
    return html`<section class="card stack" aria-labelledby="title">
      <div class="row spread"><h2 id="title">${metric.label ?? metric.name} <span class="note"><code>${metric.name}</code></span></h2>
        <ui-element-actions .store=${store} .on=${on} .taken=${store.document.metrics.map(({ name }) => name)} canRemove @renamed=${renamed} @removed=${removed}></ui-element-actions></div>
      <p class="note">${msg(str`Seen by ${seenBy(metric)}`)}</p>
      ${problemList(problemsOf(store.saved.problems, on))}
      <div class="tight">
        <div class="row spread"><h3>${msg('Formula')}</h3>
          ${
            formula === undefined
              ? nothing
              : html`<div class="row">
            <button class="button small" type="button" @click=${this.#reset}>${msg('Reset')}</button>
            <button class="button small primary" type="button" ?disabled=${!canApply} @click=${this.#apply}>${msg('Use this formula')}</button></div>`
          }</div>
        ${
          this.hasEditor
            ? keyed(
                metric.name,
                html`<ui-formula .value=${metric.expression} .metric=${metric.name} label=${msg(str`Formula of ${metric.name}`)} .document=${store.document} .refusal=${formula === undefined || formula.unknown.length > 0 ? '' : this.#refusal}
                ?isReadOnly=${!store.canEdit} @formula=${this.#typed} @apply=${this.#apply}></ui-formula>`,
              )
            : html`<div class="bone"></div>`
        }
        <div class="sample" role="status">${this.#value()}</div>
      </div>
      <div class="form">
        ${textField({ store, on, property: 'label', label: msg('Label') }, metric.label)}
        ${listField({ store, on, property: 'synonyms', label: msg('Other names'), hint: msg('Separated by commas') }, metric.synonyms)}
        ${textField(
          { store, on, property: 'format', label: msg('Format'), hint: msg('Such as #,##0.00 or 0.0 %') },
          metric.format,
          {
            isCode: true,
            list: 'formats',
            onInput: (text) =>
              this.#try([{ op: 'set', on, property: 'format', value: text === '' ? null : text }], PAUSE_MS),
          },
        )}
        <datalist id="formats">${FORMATS.map((format) => html`<option value=${format}></option>`)}</datalist>
        ${textField({ store, on, property: 'unit', label: msg('Unit') }, metric.unit)}
        ${longField({ store, on, property: 'description', label: msg('Description') }, metric.description)}
        ${textField({ store, on, property: 'filter', label: msg('Filter'), hint: msg("Only rows for which this holds, such as sales.channel = 'Online'"), isWide: true }, metric.filter, { isCode: true })}
        ${listField({ store, on, property: 'allow', label: msg('Only these roles see it'), hint: msg('Empty: everybody') }, metric.allow)}
        ${listField({ store, on, property: 'deny', label: msg('These roles never see it') }, metric.deny)}
        ${longField({ store, on, property: 'instructions', label: msg('Notes for agents') }, metric.instructions)}
        ${switchField({ store, on, property: 'hidden', label: msg('Left out of lists, may still be asked') }, metric.hidden)}
      </div>
      ${usesList(store.uses, metric.name)}
    </section>`;
  }
}

customElements.define('ui-metric-panel', MetricPanel);
