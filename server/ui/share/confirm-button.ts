import { css, html, LitElement, type PropertyValues } from 'lit';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';

/** Asks for confirmation of an action that cannot be undone. Fires `confirmed`. */
export class ConfirmButton extends LitElement {
  static override properties = {
    caption: {},
    label: {},
    question: {},
    busy: { type: Boolean },
    asking: { type: Boolean, reflect: true },
  };
  static override styles = [
    shared,
    formStyles,
    css`
      .button { min-height: 32px; padding: 0 12px; border-radius: 7px; font-size: 13px; }
      .asked { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding: 10px 12px; border-radius: 8px; background: var(--bad-wash); }
      .asked p { flex: 1 1 180px; font-size: 13px; line-height: 1.45; text-wrap: pretty; }
      .acts { display: flex; gap: 8px; }
    `,
  ];

  /** Names the action: "Revoke". */
  declare caption: string;
  /** Completes the accessible name. */
  declare label: string;
  /** Describes the consequence. */
  declare question: string;
  declare busy: boolean;
  declare asking: boolean;

  constructor() {
    super();
    this.caption = '';
    this.label = '';
    this.question = '';
    this.busy = false;
    this.asking = false;
  }

  #ask(): void {
    this.asking = true;
  }

  #keep(): void {
    this.asking = false;
  }

  #act(): void {
    if (!this.busy) this.dispatchEvent(new Event('confirmed'));
  }

  /** Cancels at Escape, and keeps the dialog around it open. */
  #key(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.#keep();
  }

  protected override updated(changed: PropertyValues<this>): void {
    // The pressed button has disappeared. The focus moves to the button that changes nothing, or back.
    if (changed.has('asking') && changed.get('asking') !== undefined)
      this.renderRoot.querySelector<HTMLElement>(this.asking ? '.keep' : '.ask')?.focus();
  }

  protected override render() {
    if (!this.asking)
      return html`<button class="button ask" type="button" @click=${this.#ask}>${this.caption}<span class="visually-hidden">${this.label}</span></button>`;
    return html`
      <div class="asked" role="group" aria-labelledby="question" @keydown=${this.#key}>
        <p id="question">${this.question}</p>
        <div class="acts">
          <button class="button keep" type="button" aria-describedby="question" @click=${this.#keep}>${msg('Keep')}</button>
          <button class="button danger" type="button" aria-disabled=${this.busy} @click=${this.#act}>${this.caption}<span class="visually-hidden">${this.label}</span></button>
        </div>
      </div>
    `;
  }
}

customElements.define('ui-confirm', ConfirmButton);
