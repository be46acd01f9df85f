import { css, html, LitElement } from 'lit';
import { codeIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import './copy-button.ts';

/** Shows code with a copy button. With `foldable` it starts folded; the copy button works in both states. */
export class CodeBlock extends LitElement {
  static override properties = {
    text: {},
    /** Language or kind of the code: "HTML". */
    caption: {},
    /** Subject of the code, for the names that screen readers announce. */
    of: {},
    foldable: { type: Boolean },
    open: { type: Boolean },
  };
  static override styles = [
    shared,
    css`
      :host { overflow: hidden; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); }
      .head { display: flex; align-items: center; justify-content: space-between; gap: 8px; min-height: 44px; padding: 5px 6px 5px 14px; }
      .caption { min-width: 0; color: var(--muted); font-size: 13px; font-weight: 500; }
      button.caption {
        display: inline-flex; align-items: center; gap: 7px; min-height: 32px; margin-inline-start: -8px; padding: 0 8px; border: 0; border-radius: 6px;
        background: none; font: 500 13px / 1 var(--body); cursor: pointer;
      }
      button.caption:hover { background: var(--sunken); color: var(--ink); }
      button.caption svg { width: 15px; height: 15px; }
      .scroll { overflow: auto; max-height: 320px; padding: 14px; border-top: 1px solid var(--line); background: var(--sunken); }
      .scroll:focus-visible { outline-offset: -2px; border-radius: 0 0 7px 7px; }
      pre { font: 13px / 1.6 var(--code); tab-size: 2; }
    `,
  ];

  declare text: string;
  declare caption: string;
  declare of: string;
  declare foldable: boolean;
  declare open: boolean;

  constructor() {
    super();
    this.text = '';
    this.caption = '';
    this.of = '';
    this.foldable = false;
    this.open = false;
  }

  #toggle(): void {
    this.open = !this.open;
  }

  protected override render() {
    const shown = !this.foldable || this.open;
    const caption = this.foldable
      ? html`<button class="caption" type="button" aria-expanded=${shown} aria-controls="code" @click=${this.#toggle}>
          ${codeIcon}<span>${shown ? msg(str`Hide ${this.caption}`) : msg(str`Show ${this.caption}`)}<span class="visually-hidden">${msg(str` of ${this.of}`)}</span></span>
        </button>`
      : html`<span class="caption">${this.caption}</span>`;
    return html`
      <div class="head">
        ${caption}
        <ui-copy .text=${this.text} .label=${` ${msg(str`${this.caption} of ${this.of}`)}`}></ui-copy>
      </div>
      <div class="scroll" id="code" role="group" tabindex="0" aria-label=${msg(str`${this.caption} of ${this.of}`)} ?hidden=${!shown}><pre><code>${this.text}</code></pre></div>
    `;
  }
}

customElements.define('ui-code', CodeBlock);
