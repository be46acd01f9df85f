import { css, html, LitElement } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { PAGES } from '../pages.ts';
import { openPalette } from '../shell/palette/palette.ts';
import { searchIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';

/** Says that there is no page at this address, and offers the search. */
export class NotFound extends LitElement {
  static override styles = [
    shared,
    css`
      :host { display: grid; justify-items: start; gap: 12px; max-width: 640px; margin-inline: auto; padding: clamp(32px, 12vh, 120px) var(--gutter) 48px; }
      h1 { margin: 0; font-size: 28px; line-height: 1.2; font-weight: 600; letter-spacing: -0.02em; }
      code { overflow-wrap: anywhere; }
      .acts { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 12px; }
    `,
  ];

  protected override render() {
    return html`
      <h1>${msg('There is no page at this address')}</h1>
      <p class="muted"><code>${decodeAddress(location.pathname)}</code></p>
      <p>${msg('The address may be misspelt, or what it led to was moved or deleted. Search for it by its name, or go to the home page.')}</p>
      <div class="acts">
        <button class="button primary" type="button" @click=${() => openPalette(() => '')}>${searchIcon}${msg('Search')}</button>
        <a class="button" href=${withBasePath(PAGES.home.path)}>${msg('Go to the home page')}</a>
      </div>
    `;
  }
}

function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    // A stray percent sign: the address is not encoded.
    return address;
  }
}

customElements.define('ui-not-found', NotFound);
