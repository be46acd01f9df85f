import { css, html, LitElement } from 'lit';
import { closeIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';

/** Shows its content in a dialog over the page. Escape and the cross close it; fires `closed`. The slot `acts` has the buttons. */
export class Dialog extends LitElement {
  static override properties = { heading: {}, hasActs: { state: true } };
  static override styles = [
    shared,
    css`
      :host { display: contents; }
      dialog {
        width: min(var(--dialog-width, 640px), calc(100vw - 24px)); max-height: calc(100dvh - 24px); margin: auto; padding: 0; overflow: hidden; border: 1px solid var(--line);
        border-radius: 10px; background: var(--paper); color: var(--ink); box-shadow: var(--shade); font: 14px / 20px var(--body);
      }
      dialog[open] { display: grid; grid-template-rows: auto minmax(0, 1fr) auto; }
      dialog::backdrop { background: rgb(10 15 20 / 50%); }
      header { display: flex; align-items: start; justify-content: space-between; gap: 16px; padding: 16px 16px 8px 24px; }
      h2 { margin: 4px 0 0; overflow-wrap: anywhere; }
      h2:focus { outline: none; }
      .close { width: 36px; padding: 0; border-color: transparent; }
      .body { overflow: auto; padding: 8px 24px 16px; }
      footer { padding: 12px 24px; border-top: 1px solid var(--line); }
      footer[hidden] { display: none; }
      @media (max-width: 600px) {
        header { padding-inline: 16px 8px; }
        .body, footer { padding-inline: 16px; }
      }
    `,
  ];

  declare heading: string;
  /** False where nothing is in the slot `acts`: there is no footer then. */
  declare hasActs: boolean;

  constructor() {
    super();
    this.heading = '';
    this.hasActs = false;
  }

  get #box(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  async open(): Promise<void> {
    await this.updateComplete;
    if (this.#box?.open === false) this.#box.showModal();
    this.renderRoot.querySelector<HTMLElement>('h2')?.focus();
  }

  close(): void {
    this.#box?.close();
  }

  #closed(): void {
    this.dispatchEvent(new Event('closed'));
  }

  #actsChanged({ currentTarget }: Event): void {
    if (currentTarget instanceof HTMLSlotElement) this.hasActs = currentTarget.assignedElements().length > 0;
  }

  protected override render() {
    return html`
      <dialog aria-labelledby="heading" @close=${this.#closed}>
        <header>
          <h2 id="heading" tabindex="-1">${this.heading}</h2>
          <button class="button close" type="button" aria-label=${msg('Close')} @click=${this.close}>${closeIcon}</button>
        </header>
        <div class="body" tabindex="-1"><slot></slot></div>
        <footer ?hidden=${!this.hasActs}><slot name="acts" @slotchange=${this.#actsChanged}></slot></footer>
      </dialog>
    `;
  }
}

customElements.define('ui-dialog', Dialog);
