import { css, html, LitElement } from 'lit';
import { RemoteData } from '../api-client/remote-data.ts';
import { session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import { type Exhibit, readShowcase } from './showcase.ts';
import './gallery.ts';
import './quick-start.ts';

/** Shows the demo's embeds and the commands to begin with. */
export class GalleryPage extends LitElement {
  static override styles = [
    shared,
    css`
      :host { display: grid; gap: 48px; max-width: var(--wide); margin-inline: auto; padding: 24px var(--gutter) 48px; }
      h1 { margin: 0; font-size: 28px; line-height: 1.2; font-weight: 600; letter-spacing: -0.02em; }
      section { min-width: 0; }
    `,
  ];

  readonly #showcase = new RemoteData<readonly Exhibit[]>(this);

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#showcase.read((signal) => readShowcase(session.client, signal));
  }

  protected override render() {
    const { state } = this.#showcase;
    const exhibits = state.status === 'ready' ? state.value : [];
    return html`
      <h1>${msg('Gallery')}</h1>
      <section aria-label=${msg('Live embeds')}><ui-gallery .showcase=${state}></ui-gallery></section>
      <section aria-label=${msg('Quick start')}><ui-quick-start .queryPath=${exhibits.find(({ kind }) => kind === 'query')?.path}></ui-quick-start></section>
    `;
  }
}

customElements.define('ui-gallery-page', GalleryPage);
