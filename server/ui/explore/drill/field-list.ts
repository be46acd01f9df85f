import { css, html, LitElement, nothing } from 'lit';
import { formStyles } from '../../styles/form-styles.ts';
import { closeIcon } from '../../styles/icons.ts';
import { shared } from '../../styles/shared.ts';
import { msg, str } from '../../words/words.ts';
import type { FieldChoice } from './drill-draft.ts';

/** A list of fields in an order. Fires `changed` with the keys. */
export class FieldList extends LitElement {
  static override properties = {
    label: {},
    keys: { attribute: false },
    choices: { attribute: false },
    max: { type: Number },
  };
  static override styles = [
    shared,
    formStyles,
    css`
      ol { display: grid; gap: 4px; margin: 0 0 8px; padding: 0; list-style: none; counter-reset: step; }
      li { display: grid; grid-template-columns: 24px minmax(0, 1fr) auto; align-items: center; gap: 8px; min-height: 40px; padding: 2px 2px 2px 8px; border: 1px solid var(--line); border-radius: 8px; counter-increment: step; }
      li::before { content: counter(step); color: var(--muted); font-size: 13px; text-align: center; }
      .name { overflow-wrap: anywhere; }
      .group { color: var(--muted); font-size: 13px; }
      .remove { width: 36px; padding: 0; border-color: transparent; background: none; }
    `,
  ];

  declare label: string;
  declare keys: readonly string[];
  declare choices: readonly FieldChoice[];
  /** Fields that the list has at most. */
  declare max: number;

  constructor() {
    super();
    this.label = '';
    this.keys = [];
    this.choices = [];
    this.max = 20;
  }

  #change(keys: readonly string[]): void {
    this.dispatchEvent(new CustomEvent('changed', { detail: keys }));
  }

  #added({ currentTarget }: Event): void {
    if (!(currentTarget instanceof HTMLSelectElement) || currentTarget.value === '') return;
    const { value } = currentTarget;
    currentTarget.value = '';
    this.#change([...this.keys, value]);
  }

  #removed(key: string): void {
    this.#change(this.keys.filter((each) => each !== key));
    // The button that had the focus is gone.
    void this.updateComplete.then(() => this.renderRoot.querySelector('select')?.focus());
  }

  protected override render() {
    const free = this.choices.filter(({ key }) => !this.keys.includes(key));
    const groups = [...new Set(free.map(({ group }) => group))];
    return html`
      ${
        this.keys.length === 0
          ? nothing
          : html`<ol aria-label=${this.label}>${this.keys.map((key) => {
              const known = this.choices.find((each) => each.key === key);
              const name = known?.label ?? key;
              return html`<li><span class="name">${name} ${known === undefined ? nothing : html`<span class="group">${known.group}</span>`}</span>
                <button class="button remove" type="button" aria-label=${msg(str`Remove ${name}`)} @click=${() => this.#removed(key)}>${closeIcon}</button></li>`;
            })}</ol>`
      }
      <select class="input" aria-label=${msg(str`Add a field: ${this.label}`)} ?disabled=${free.length === 0 || this.keys.length >= this.max} @change=${this.#added}>
        <option value="">${msg('Add a field…')}</option>
        ${groups.map((group) => html`<optgroup label=${group}>${free.filter((each) => each.group === group).map(({ key, label }) => html`<option value=${key}>${label}</option>`)}</optgroup>`)}
      </select>`;
  }
}

customElements.define('ui-field-list', FieldList);
