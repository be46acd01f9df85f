import { css, html, LitElement } from 'lit';
import { copyIcon, doneIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import { copyText } from './clipboard.ts';

const RESULT_SHOWN_MS = 2_400;

/** Copies `text`. `label` completes the accessible name: "Copy" and "HTML of Sales by region". */
export class CopyButton extends LitElement {
  static override properties = { text: {}, caption: {}, label: {}, quiet: { type: Boolean }, result: { state: true } };
  static override styles = [
    shared,
    css`
      :host { display: inline-block; }
      .button { min-height: 32px; padding: 0 10px; border-radius: 7px; font-size: 13px; }
      .button.copied { border-color: var(--good); color: var(--good); }
      .button.refused { border-color: var(--bad); color: var(--bad); }
      :host([quiet]) .button:not(:hover, .copied, .refused) { border-color: transparent; background: none; color: var(--muted); }
    `,
  ];

  declare text: string;
  /** Visible text of the button. */
  declare caption: string;
  declare label: string;
  /** Hides the border until the pointer is over the button, for lists of many rows. */
  declare quiet: boolean;
  declare result: 'none' | 'copied' | 'refused';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.text = '';
    this.caption = msg('Copy');
    this.label = '';
    this.quiet = false;
    this.result = 'none';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.result = 'none';
  }

  async #copy(): Promise<void> {
    clearTimeout(this.#timer);
    const done = await copyText(this.text);
    this.result = done ? 'copied' : 'refused';
    this.#timer = setTimeout(() => {
      this.result = 'none';
    }, RESULT_SHOWN_MS);
  }

  protected override render() {
    const { result } = this;
    return html`
      <button class="button ${result}" type="button" @click=${this.#copy}>
        ${result === 'copied' ? doneIcon : copyIcon}
        <span>${result === 'copied' ? msg('Copied') : result === 'refused' ? msg('Not copied') : this.caption}</span>
        <span class="visually-hidden">${this.label}</span>
      </button>
      <span class="visually-hidden" role="status">${
        result === 'copied'
          ? msg('Copied to the clipboard.')
          : result === 'refused'
            ? msg('The browser did not allow copying. Select the text and copy it yourself.')
            : ''
      }</span>
    `;
  }
}

customElements.define('ui-copy', CopyButton);
