import { html, LitElement, nothing } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import type { ShareRequest } from '../documents/share-request.ts';
import { type Exhibit, readShowcase } from '../gallery/showcase.ts';
import { ShareDialog } from '../share/share-dialog.ts';
import { session } from '../shell/page-context.ts';
import { SessionController } from '../shell/session.ts';
import { TopBar } from '../shell/top-bar.ts';
import { type DatasourceEntry, summarizeDatasources } from './datasource-entries.ts';
import './datasource-list.ts';
import './document-list.ts';
import '../gallery/gallery.ts';
import './hero.ts';
import './quick-start.ts';

/** Shows the home page. It renders without a shadow root, so that links can lead to its sections. */
export class Home extends LitElement {
  static override properties = { alarm: { state: true } };

  declare alarm: string;
  readonly #showcase = new RemoteData<readonly Exhibit[]>(this);

  constructor() {
    super();
    this.alarm = '';
    new SessionController(this, session, () => {
      if (session.user?.administrator !== true) this.alarm = '';
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#showcase.read((signal) => readShowcase(session.client, signal));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  #sawDatasources({ detail }: CustomEvent<readonly DatasourceEntry[]>): void {
    this.alarm = detail.some(({ status }) => status === 'BROKEN' || status === 'STALE')
      ? `${summarizeDatasources(detail)}.`
      : '';
  }

  #share({ detail }: ShareRequest): void {
    const dialog = this.renderRoot.querySelector('ui-share');
    if (dialog instanceof ShareDialog) void dialog.open(detail.document);
  }

  #signIn(): void {
    const bar = this.renderRoot.querySelector('ui-top-bar');
    if (bar instanceof TopBar) bar.signIn();
  }

  /**
   * Moves the focus to the content after the dialog has closed, where its opener has disappeared with an ended session.
   * Until the next frame the browser still reports the dialog as focused.
   */
  #shared({ currentTarget }: Event): void {
    const { activeElement, body } = document;
    if (activeElement === body || activeElement === currentTarget)
      this.renderRoot.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
  }

  protected override render() {
    const { user } = session;
    const showcase = this.#showcase.state;
    const exhibits = showcase.status === 'ready' ? showcase.value : [];
    return html`
      <ui-top-bar current="home"></ui-top-bar>
      <main id="main" tabindex="-1" @share=${this.#share} @sign-in=${this.#signIn}>
        <div class="sections">
          <ui-hero ?demo=${showcase.status !== 'ready' || exhibits.length > 0} .alarm=${this.alarm}></ui-hero>
          <section id="gallery" aria-label="Live embeds"><ui-gallery .showcase=${showcase}></ui-gallery></section>
          ${
            user?.administrator === true
              ? html`<section id="datasources" aria-label="Datasources"><ui-datasources @datasources=${this.#sawDatasources}></ui-datasources></section>`
              : nothing
          }
          ${user ? html`<section id="documents" aria-label="Your documents"><ui-documents></ui-documents></section>` : nothing}
          <section id="quick-start" aria-label="Quick start">
            <ui-quick-start .queryPath=${exhibits.find(({ kind }) => kind === 'query')?.path}></ui-quick-start>
          </section>
        </div>
      </main>
      <ui-share @closed=${this.#shared}></ui-share>
      <footer class="foot"><p>service · Apache-2.0 · <a href=${withBasePath('/ui/api/')}>API reference</a> · <a href=${withBasePath('/rest/service/api/openapi.json')}>openapi.json</a></p></footer>
    `;
  }
}

customElements.define('ui-home', Home);
