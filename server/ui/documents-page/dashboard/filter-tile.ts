import { css, html, LitElement, nothing } from 'lit';
import type { JsonObject } from '../../api-client/json.ts';
import { RemoteData } from '../../api-client/remote-data.ts';
import { session } from '../../shell/page-context.ts';
import { shared } from '../../styles/shared.ts';
import { msg } from '../../words/words.ts';
import { readFieldValues } from '../answers.ts';

/** Lets the reader choose a value of a field. Fires `chosen` with the values: none for all. */
export class FilterTile extends LitElement {
  static override properties = {
    label: {},
    field: {},
    model: { attribute: false },
    isWaiting: { type: Boolean },
    values: { attribute: false },
  };
  static override styles = [
    shared,
    css`
      :host { height: 100%; }
      label { display: grid; gap: 4px; align-content: center; height: 100%; color: var(--muted); font-size: 12px; line-height: 16px; font-weight: 600; }
      select { width: 100%; min-width: 0; height: 36px; padding: 0 8px; border: 1px solid var(--muted); border-radius: 6px; background: var(--paper); color: var(--ink); font: 14px / 20px var(--body); }
      .muted { font-size: 12px; }
    `,
  ];

  declare label: string;
  declare field: string;
  /** Names the connection and the model of the field; undefined where no tile is driven. */
  declare model: JsonObject | undefined;
  /** Whether tiles are still being read, one of which may name the model. */
  declare isWaiting: boolean;
  declare values: readonly string[];
  readonly #offered = new RemoteData<readonly string[]>(this);
  #readFor = '';

  constructor() {
    super();
    this.label = '';
    this.field = '';
    this.model = undefined;
    this.isWaiting = false;
    this.values = [];
  }

  protected override willUpdate(): void {
    const { model, field } = this;
    const key = model === undefined || field === '' ? '' : JSON.stringify([model.connection, model.model, field]);
    if (key === this.#readFor) return;
    this.#readFor = key;
    if (model !== undefined && key !== '')
      void this.#offered.read((signal) => readFieldValues(session.client, model, field, signal));
  }

  #chose({ currentTarget }: Event): void {
    if (!(currentTarget instanceof HTMLSelectElement)) return;
    const { value } = currentTarget;
    this.dispatchEvent(new CustomEvent('chosen', { detail: value === '' ? [] : [value.slice(1)] }));
  }

  protected override render() {
    const { state } = this.#offered;
    const offered = state.status === 'ready' ? state.value : [];
    const [chosen] = this.values;
    return html`<label>${this.label}
      <select @change=${this.#chose} ?disabled=${this.#readFor === ''}>
        <option value="" .selected=${chosen === undefined}>${msg('All')}</option>
        ${offered.map((value) => html`<option value=${`=${value}`} .selected=${value === chosen}>${value}</option>`)}
      </select>
      ${state.status === 'failed' && this.#readFor !== '' ? html`<span role="alert">${state.message}</span>` : nothing}
      ${this.#readFor === '' && !this.isWaiting ? html`<span class="muted">${msg('Choose a field of the tiles for this filter.')}</span>` : nothing}
    </label>`;
  }
}

customElements.define('ui-filter-tile', FilterTile);
