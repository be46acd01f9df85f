import { css, html, LitElement } from 'lit';
import { moonIcon, sunIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import { chooseTheme, currentTheme, type Theme, watchTheme } from './theme.ts';

/** Switches between light and dark, for the whole page and the embeds in it. */
export class ThemeSwitch extends LitElement {
  static override properties = { theme: { state: true } };
  static override styles = [
    shared,
    css`
      :host { display: inline-block; }
      .button { width: 36px; padding: 0; }
      .button svg { width: 18px; height: 18px; }
    `,
  ];

  declare theme: Theme;
  #stop: (() => void) | undefined;

  constructor() {
    super();
    this.theme = currentTheme();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = watchTheme((theme) => {
      this.theme = theme;
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
  }

  #switch(): void {
    chooseTheme(this.theme === 'dark' ? 'light' : 'dark');
  }

  protected override render() {
    const dark = this.theme === 'dark';
    return html`<button class="button" type="button" role="switch" aria-checked=${dark} aria-label=${msg('Dark mode')} title=${dark ? msg('Switch to light') : msg('Switch to dark')} @click=${this.#switch}>
      ${dark ? moonIcon : sunIcon}
    </button>`;
  }
}

customElements.define('ui-theme-switch', ThemeSwitch);
