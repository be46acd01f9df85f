/** Renames and removes one element of the model. */

import { css, html, LitElement, nothing } from 'lit';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import type { Target } from './draft.ts';
import { modelStyles } from './model-styles.ts';
import type { ModelStore } from './store.ts';
import { kindWord } from './words.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Explains what is wrong with a new name; empty where nothing is. */
export function nameProblem(name: string, taken: readonly string[]): string {
  if (!NAME.test(name)) return msg('Use letters, digits and _, and begin with a letter.');
  return taken.includes(name) ? msg(str`There is a "${name}" already.`) : '';
}

/** Fires `renamed` with the new name and `removed`. */
export class ElementActions extends LitElement {
  static override properties = {
    store: { attribute: false },
    on: { attribute: false },
    taken: { attribute: false },
    canRemove: { type: Boolean },
    name: { state: true },
    problem: { state: true },
  };
  static override styles = [shared, formStyles, modelStyles, css`.input { max-width: 260px; }`];

  declare store: ModelStore;
  declare on: Target;
  /** The names of its siblings. */
  declare taken: readonly string[];
  declare canRemove: boolean;
  /** The typed name; `undefined` where nobody renames. */
  declare name: string | undefined;
  declare problem: string;

  constructor() {
    super();
    this.taken = [];
    this.canRemove = false;
    this.name = undefined;
    this.problem = '';
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('on') && JSON.stringify(changed.get('on')) !== JSON.stringify(this.on)) this.name = undefined;
  }

  #begin(): void {
    this.name = this.on.name ?? '';
    this.problem = '';
    void this.updateComplete.then(() => this.renderRoot.querySelector('input')?.select());
  }

  #rename(event: Event): void {
    event.preventDefault();
    const name = this.name?.trim() ?? '';
    if (name === this.on.name) {
      this.name = undefined;
      return;
    }
    this.problem = nameProblem(name, this.taken);
    if (this.problem !== '') return;
    this.name = undefined;
    this.store.edit({ op: 'rename', on: this.on, name });
    this.dispatchEvent(new CustomEvent('renamed', { detail: name }));
  }

  #remove(): void {
    this.store.edit({ op: 'remove', on: this.on });
    this.dispatchEvent(new CustomEvent('removed'));
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    this.name = undefined;
    void this.updateComplete.then(() => this.renderRoot.querySelector('button')?.focus());
  }

  protected override render() {
    if (!this.store.canEdit) return nothing;
    const kind = kindWord(this.on.kind);
    if (this.name !== undefined)
      return html`<form class="row" @submit=${this.#rename} @keydown=${this.#key}>
        <label class="field"><span>${msg(str`New name of the ${kind}`)}</span>
          <input class="input code" name="name" .value=${this.name} aria-invalid=${this.problem === '' ? nothing : 'true'} aria-describedby="problem"
            @input=${(event: Event) => {
              if (event.target instanceof HTMLInputElement) this.name = event.target.value;
            }} />
          <span class="wrong" id="problem" role="alert">${this.problem}</span></label>
        <button class="button primary" type="submit">${msg('Rename')}</button>
        <button class="button" type="button" @click=${() => {
          this.name = undefined;
        }}>${msg('Cancel')}</button>
        <p class="note">${msg('Saved queries and dashboards receive the new name when you save.')}</p>
      </form>`;
    return html`<div class="row">
      <button class="button" type="button" @click=${this.#begin}>${msg('Rename…')}</button>
      ${this.canRemove ? html`<button class="button" type="button" @click=${this.#remove}>${msg(str`Remove ${kind}`)}</button>` : nothing}
    </div>`;
  }
}

customElements.define('ui-element-actions', ElementActions);
