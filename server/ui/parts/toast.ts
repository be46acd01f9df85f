import { css, html, LitElement, nothing } from 'lit';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';

/** Time for which a message with an undo stays. */
const UNDO_MS = 10_000;

interface Message {
  readonly text: string;
  readonly undo: (() => void) | undefined;
}

/** Shows one message at the bottom of the page, for ten seconds, or for as long as it has the focus or the pointer. */
export class Toast extends LitElement {
  static override properties = { message: { state: true } };
  static override styles = [
    shared,
    css`
      :host { position: fixed; inset: auto 0 calc(24px + env(safe-area-inset-bottom)) 0; z-index: 40; display: grid; justify-items: center; padding-inline: 16px; pointer-events: none; }
      .toast {
        display: flex; align-items: center; gap: 16px; max-width: 100%; min-height: 44px; padding: 6px 8px 6px 16px; border-radius: 10px; background: var(--ink); color: var(--paper);
        box-shadow: var(--shade); font: 14px / 20px var(--body); pointer-events: auto;
      }
      .toast button { min-height: 32px; padding: 0 12px; border: 1px solid currentColor; border-radius: 6px; background: none; color: inherit; font: 600 14px / 20px var(--body); cursor: pointer; }
      .toast button:focus-visible { outline-color: var(--paper); }
      @media (max-width: 680px) { :host { inset-block-end: calc(72px + env(safe-area-inset-bottom)); } }
    `,
  ];

  declare message: Message | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.message = undefined;
  }

  show(message: Message): void {
    this.message = message;
    this.#resume();
  }

  #pause(): void {
    clearTimeout(this.#timer);
  }

  #resume(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.message = undefined;
    }, UNDO_MS);
  }

  #undo(): void {
    const undo = this.message?.undo;
    this.#pause();
    this.message = undefined;
    undo?.();
  }

  protected override render() {
    const { message } = this;
    return html`<div role="status">${
      message === undefined
        ? nothing
        : html`<div class="toast" @pointerenter=${this.#pause} @pointerleave=${this.#resume} @focusin=${this.#pause} @focusout=${this.#resume}>
            <span>${message.text}</span>${message.undo === undefined ? nothing : html`<button type="button" @click=${this.#undo}>${msg('Undo')}</button>`}
          </div>`
    }</div>`;
  }
}

customElements.define('ui-toast', Toast);

let toast: Toast | undefined;

/** Shows a message at the bottom of the page, with an undo for ten seconds where there is one. */
export function showToast(text: string, undo?: () => void): void {
  if (toast === undefined) {
    toast = new Toast();
    document.body.append(toast);
  }
  toast.show({ text, undo });
}
