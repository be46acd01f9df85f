import { html, LitElement, nothing } from 'lit';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import { nameProblem } from './element-actions.ts';
import type { FormulaInput } from './formula-editor.ts';
import { modelStyles } from './model-styles.ts';
import type { ModelStore } from './store.ts';

/** A form for a new metric. Fires `added` with its name, and `closed`. */
export class NewMetric extends LitElement {
  static override properties = {
    store: { attribute: false },
    name: { state: true },
    label: { state: true },
    formula: { state: true },
    problem: { state: true },
    hasEditor: { state: true },
  };
  static override styles = [shared, formStyles, modelStyles];

  declare store: ModelStore;
  declare name: string;
  declare label: string;
  declare formula: FormulaInput;
  declare problem: string;
  declare hasEditor: boolean;

  constructor() {
    super();
    this.name = '';
    this.label = '';
    this.formula = { text: '', unknown: [] };
    this.problem = '';
    this.hasEditor = false;
    void import('./formula-editor.ts').then(() => {
      this.hasEditor = true;
    });
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector('input')?.focus();
  }

  #add(event: Event): void {
    event.preventDefault();
    const name = this.name.trim();
    const taken = this.store.document.metrics.map((metric) => metric.name);
    const [unknown] = this.formula.unknown;
    this.problem =
      nameProblem(name, taken) ||
      (this.formula.text.trim() === '' ? msg('A metric needs a formula.') : (unknown?.message ?? ''));
    if (this.problem !== '') return;
    const label = this.label.trim();
    this.store.edit({
      op: 'add-metric',
      name,
      expression: this.formula.text.trim(),
      ...(label === '' ? {} : { label }),
    });
    this.dispatchEvent(new CustomEvent('added', { detail: name }));
  }

  protected override render() {
    const typed = (set: (text: string) => void) => (event: Event) => {
      if (event.target instanceof HTMLInputElement) set(event.target.value);
    };
    return html`<form class="card stack" @submit=${this.#add}>
      <h2>${msg('New metric')}</h2>
      <div class="form">
        <label class="field"><span>${msg('Name')}</span><input class="input code" name="name" autocomplete="off" .value=${this.name} aria-describedby="problem" @input=${typed(
          (text) => {
            this.name = text;
          },
        )} /><span class="hint">${msg('Letters, digits and _, such as sales_per_order')}</span></label>
        <label class="field"><span>${msg('Label')}</span><input class="input" name="label" autocomplete="off" .value=${this.label} @input=${typed(
          (text) => {
            this.label = text;
          },
        )} /></label>
        <div class="field wide"><span>${msg('Formula')}</span>${
          this.hasEditor
            ? html`<ui-formula label=${msg('Formula of the new metric')} .document=${this.store.document} @formula=${(
                event: CustomEvent<FormulaInput>,
              ) => {
                this.formula = event.detail;
              }}></ui-formula>`
            : nothing
        }<span class="hint">${msg('Such as SUM(sales.net_amount), or other metrics by name')}</span></div>
      </div>
      <p class="wrong" id="problem" role="alert">${this.problem}</p>
      <div class="row"><button class="button primary" type="submit">${msg('Add metric')}</button>
        <button class="button" type="button" @click=${() => this.dispatchEvent(new Event('closed'))}>${msg('Cancel')}</button></div>
    </form>`;
  }
}

customElements.define('ui-new-metric', NewMetric);
