import { css, html, LitElement, nothing } from 'lit';
import type { DocumentEntry } from '../../documents/document-entries.ts';
import { closeIcon } from '../../styles/icons.ts';
import { shared } from '../../styles/shared.ts';
import { msg } from '../../words/words.ts';
import '../../share/document-picker.ts';

/** Asks for a saved query in a dialog. `open()` opens it; fires `pick`. */
export class AddQuery extends LitElement {
  static override properties = { isOpen: { state: true } };
  static override styles = [
    shared,
    css`
      dialog { width: min(600px, calc(100vw - 32px)); height: min(660px, calc(100dvh - 32px)); padding: 20px 24px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink); box-shadow: var(--shade); font: 14px / 20px var(--body); }
      dialog::backdrop { background: rgb(10 16 24 / 45%); }
      .head { display: flex; justify-content: space-between; gap: 16px; margin-bottom: 12px; }
      .close { width: 36px; padding: 0; border-color: transparent; background: none; color: var(--muted); }
    `,
  ];

  declare isOpen: boolean;

  constructor() {
    super();
    this.isOpen = false;
  }

  open(): void {
    this.isOpen = true;
    void this.updateComplete.then(() => {
      this.renderRoot.querySelector('dialog')?.showModal();
      this.renderRoot.querySelector<HTMLElement>('ui-document-picker')?.focus();
    });
  }

  #close(): void {
    this.renderRoot.querySelector('dialog')?.close();
  }

  #closed(): void {
    this.isOpen = false;
  }

  #picked({ detail }: CustomEvent<DocumentEntry>): void {
    this.#close();
    this.dispatchEvent(new CustomEvent('pick', { detail }));
  }

  protected override render() {
    return html`<dialog aria-labelledby="title" @close=${this.#closed}>
      <div class="head"><h2 id="title">${msg('Add a tile from a saved query')}</h2><button class="button close" type="button" aria-label=${msg('Close')} @click=${this.#close}>${closeIcon}</button></div>
      ${this.isOpen ? html`<ui-document-picker .kinds=${['query']} @pick=${this.#picked}></ui-document-picker>` : nothing}
    </dialog>`;
  }
}

customElements.define('ui-add-query', AddQuery);
