import { css, html, LitElement, nothing } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { type DocumentEntry, readDocuments } from '../documents/document-entries.ts';
import { requestShare, type ShareRequest } from '../documents/share-request.ts';
import { type Exhibit, readShowcase } from '../gallery/showcase.ts';
import { PAGES } from '../pages.ts';
import { ShareDialog } from '../share/share-dialog.ts';
import { session } from '../shell/page-context.ts';
import { readRecent } from '../shell/recent.ts';
import { signInAddress } from '../shell/return-address.ts';
import { accountName, SessionController } from '../shell/session.ts';
import { alertIcon, plusIcon, shareIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { type DatasourceEntry, readDatasources } from './datasource-entries.ts';
import '../parts/page-head.ts';
import './document-list.ts';
import './recent-list.ts';

/** Shows what the user opened last, what is here and what to do next. */
export class Home extends LitElement {
  static override styles = [
    shared,
    css`
      :host { max-width: var(--wide); margin-inline: auto; padding: 24px var(--gutter) 48px; }
      .parts { display: grid; grid-template-columns: minmax(0, 1fr); gap: 32px; }
      /* On a wide screen the documents are beside what was opened last. */
      @media (min-width: 1200px) {
        .parts { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); align-items: start; }
        .parts > :only-child, .parts > .across { grid-column: 1 / -1; }
      }
      section { min-width: 0; }
      .alarm {
        display: flex; align-items: center; gap: 10px; margin-bottom: 24px; padding: 12px 16px; border: 1px solid var(--bad); border-radius: 10px;
        background: var(--bad-wash); color: var(--ink);
      }
      .alarm svg { flex: none; width: 20px; height: 20px; color: var(--bad); }
      .here { margin-bottom: 24px; color: var(--muted); }
      .alarm a { color: inherit; font-weight: 600; }
      .welcome { display: grid; justify-items: start; gap: 16px; padding-block: clamp(16px, 8vh, 72px); }
      .welcome h1 { margin: 0; font-size: clamp(28px, 4vw, 40px); line-height: 1.15; font-weight: 600; letter-spacing: -0.025em; text-wrap: balance; }
      .welcome p { max-width: 56ch; color: var(--muted); font-size: 16px; line-height: 24px; }
      .acts { display: flex; flex-wrap: wrap; gap: 8px; }
      .next { display: grid; gap: 8px 16px; grid-template-columns: repeat(auto-fit, minmax(min(240px, 100%), 1fr)); }
      .next a { display: block; height: 100%; padding: 12px 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink); font-weight: 600; text-decoration: none; }
      .next a:hover { border-color: var(--accent); }
      .next span { display: block; margin-top: 2px; color: var(--muted); font-weight: 400; }
      section > h2 { margin-bottom: 12px; }
      .bone { height: 220px; }
    `,
  ];

  readonly #showcase = new RemoteData<readonly Exhibit[]>(this);
  readonly #documents = new RemoteData<readonly DocumentEntry[]>(this);
  /** For administrators alone. */
  readonly #datasources = new RemoteData<readonly DatasourceEntry[]>(this);
  #account = '';

  constructor() {
    super();
    new SessionController(this, session, () => this.#changed());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#showcase.read((signal) => readShowcase(session.client, signal));
  }

  #changed(): void {
    const account = session.user ? accountName(session.user) : '';
    if (account === this.#account) return;
    this.#account = account;
    if (account !== '') void this.#read();
  }

  async #read(): Promise<void> {
    const reads = [
      this.#documents.read((signal) => readDocuments(session.client, signal)),
      ...(session.user?.administrator === true
        ? [this.#datasources.read((signal) => readDatasources(session.client, signal))]
        : []),
    ];
    for (const state of await Promise.all(reads)) if (state.status === 'failed') session.reportFailure(state.cause);
  }

  /** Returns the datasources of an administrator; undefined before the answer. */
  get #known(): readonly DatasourceEntry[] | undefined {
    const { state } = this.#datasources;
    return state.status === 'ready' ? state.value : undefined;
  }

  /** Shows in one line what is here, and what is wrong with it. */
  #here(datasources: readonly DatasourceEntry[]) {
    const troubled = datasources.filter(({ status }) => status === 'BROKEN' || status === 'STALE').length;
    const here =
      datasources.length === 1
        ? msg('1 model or cube is here.')
        : msg(str`${datasources.length} models and cubes are here.`);
    const wrong = troubled === 1 ? msg('One of them needs a look.') : msg(str`${troubled} of them need a look.`);
    return html`<p class=${troubled === 0 ? 'here' : 'alarm'} role="status">${troubled === 0 ? nothing : alertIcon}<span>${here}
      ${troubled === 0 ? nothing : wrong} <a href=${withBasePath(PAGES.data.path)}>${msg('See the data')}</a></span></p>`;
  }

  #share({ detail }: ShareRequest): void {
    const dialog = this.renderRoot.querySelector('ui-share');
    if (dialog instanceof ShareDialog) void dialog.open(detail.document);
  }

  #chooseAndShare({ currentTarget }: Event): void {
    if (currentTarget instanceof HTMLElement) requestShare(currentTarget);
  }

  /**
   * Moves the focus to the content after the dialog has closed, where its opener has disappeared with an ended session.
   * Until the next frame the browser still reports the dialog as focused.
   */
  #shared(): void {
    const { activeElement, body } = document;
    if (activeElement === body || (activeElement === this && this.shadowRoot?.activeElement?.localName === 'ui-share'))
      document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
  }

  get #hasGallery(): boolean {
    const { state } = this.#showcase;
    return state.status === 'ready' && state.value.length > 0;
  }

  #visitor() {
    return html`
      <div class="welcome">
        <h1>${msg('Build charts from your database. Put them into any web page.')}</h1>
        <p>${msg('Sign in to open your documents, ask your data and add new data.')}</p>
        <div class="acts">
          <a class="button primary" href=${signInAddress()}>${msg('Sign in')}</a>
          ${this.#hasGallery ? html`<a class="button" href=${withBasePath(PAGES.gallery.path)}>${msg('See the gallery')}</a>` : nothing}
          <a class="button" href=${withBasePath(PAGES.api.path)}>${msg('API reference')}</a>
        </div>
      </div>
    `;
  }

  #empty(isAdministrator: boolean) {
    return html`<div class="notice">
      <h2>${msg('Nothing is here yet')}</h2>
      <p>${
        isAdministrator
          ? msg(
              'Bring files or connect a database. You get a model with first answers within a minute, and can correct it before you publish it.',
            )
          : msg('You can try a file of your own. Documents that an administrator publishes appear here.')
      }</p>
      <a class="button primary" href=${withBasePath(PAGES['add-data'].path)}>${msg('Add data')}</a>
    </div>`;
  }

  #next() {
    return html`<section class="across" aria-labelledby="next">
      <h2 id="next">${msg('What to do next')}</h2>
      <ul class="next">
        <li><a href=${withBasePath(PAGES['add-data'].path)}>${msg('Add data')}<span>${msg('From files or a database to a model that answers.')}</span></a></li>
        ${this.#hasGallery ? html`<li><a href=${withBasePath(PAGES.gallery.path)}>${msg('See the gallery')}<span>${msg('Live embeds of the demo, with the code for your page.')}</span></a></li>` : nothing}
        <li><a href=${withBasePath(PAGES.api.path)}>${msg('API reference')}<span>${msg('Every operation, to be tried out here.')}</span></a></li>
      </ul>
    </section>`;
  }

  /** The dialog stays when a session ends: it asks for the sign-in itself, and keeps the user's choices. */
  protected override render() {
    return html`${this.#content()}<ui-share @closed=${this.#shared}></ui-share>`;
  }

  #content() {
    const { user } = session;
    if (user === undefined)
      return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
    if (user === null) return this.#visitor();
    const { state } = this.#documents;
    const isEmpty =
      state.status === 'ready' && state.value.length === 0 && (!user.administrator || this.#known?.length === 0);
    const recent = readRecent();
    return html`
      <ui-page-head .heading=${msg('Home')}>
        ${
          isEmpty
            ? nothing
            : html`
          <button class="button" type="button" @click=${this.#chooseAndShare} @share=${this.#share}>${shareIcon}${msg('Share a document')}</button>
          <a class="button primary" href=${withBasePath(PAGES['add-data'].path)}>${plusIcon}${msg('Add data')}</a>`
        }
      </ui-page-head>
      ${isEmpty || this.#known === undefined ? nothing : this.#here(this.#known)}
      <div class="parts" @share=${this.#share}>
        ${isEmpty ? this.#empty(user.administrator) : nothing}
        ${recent.length === 0 ? nothing : html`<section aria-labelledby="recent"><h2 id="recent">${msg('Opened last')}</h2><ui-recent .recent=${recent}></ui-recent></section>`}
        ${isEmpty ? nothing : html`<section id="documents" class=${recent.length === 0 ? 'across' : ''} aria-label=${msg('Your documents')}><ui-documents .state=${state} @retry=${this.#read}></ui-documents></section>`}
        ${isEmpty ? nothing : this.#next()}
      </div>
    `;
  }
}

customElements.define('ui-home', Home);
