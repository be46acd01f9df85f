import { css, html, LitElement, nothing } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { session } from '../shell/page-context.ts';
import { accountName, SessionController } from '../shell/session.ts';
import '../parts/page-head.ts';
import { shared } from '../styles/shared.ts';
import './explorer.ts';
import { readDocument } from '../documents/repository.ts';
import { msg, str } from '../words/words.ts';
import { sourceName } from './explorer.ts';
import { addressOf, type Explorable, listExplorable } from './requests.ts';
import { readAddress, writeAddress } from './state/address.ts';
import { fieldKey, levelKey, metricKey } from './state/catalog.ts';
import type { Draft, Source } from './state/draft.ts';
import { draftOf, type SavedQuery } from './state/saved-query.ts';

const ROOT = '/ui/explore/';

/** Chooses the model or cube by the address, keeps the request in it, and shows the explorer. */
export class ExplorePage extends LitElement {
  static override properties = {
    source: { state: true },
    request: { state: true },
    first: { state: true },
    saved: { state: true },
    problem: { state: true },
  };
  static override styles = [
    shared,
    css`
      :host { display: flex; flex-direction: column; max-width: var(--wide); margin-inline: auto; padding: 16px var(--gutter); }
      :host([working]) { height: calc(100dvh - var(--header)); min-height: 680px; }
      ui-page-head { margin-block-end: 12px; }
      ui-explorer { flex: 1; min-height: 0; }
      .list { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 280px), 1fr)); gap: 12px; }
      .list a { display: grid; gap: 4px; align-content: start; min-height: 96px; padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink); text-decoration: none; }
      .list a:hover { border-color: var(--accent); }
      .list h2 { font-size: 16px; line-height: 24px; }
      .list small { color: var(--muted); font-size: 12px; }
      .list p { display: -webkit-box; overflow: hidden; color: var(--muted); font-size: 14px; -webkit-line-clamp: 3; -webkit-box-orient: vertical; }
      .lost { padding: 10px 14px; border: 1px solid var(--warn); border-radius: 8px; background: var(--warn-wash); font-size: 14px; }
      .lost { margin-bottom: 12px; }
      @media (max-width: 900px) { :host, :host([working]) { height: auto; min-height: 0; padding-block: 12px 32px; } }
    `,
  ];

  declare source: Source | undefined;
  declare request: Draft | undefined;
  /** The key of the field that the address names to begin with. */
  declare first: string;
  /** The document of which the request is the query. */
  declare saved: SavedQuery | undefined;
  /** What of the address could not be used. */
  declare problem: string;
  readonly #list = new RemoteData<readonly Explorable[]>(this);
  #user = '';
  /** The parameters that the address has. */
  #written = '';

  constructor() {
    super();
    this.source = undefined;
    this.request = undefined;
    this.first = '';
    this.saved = undefined;
    this.problem = '';
    new SessionController(this, session, () => void this.#signedIn());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('popstate', this.#travelled);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('popstate', this.#travelled);
  }

  readonly #travelled = (): void => void this.#readAddress();

  async #signedIn(): Promise<void> {
    const { user } = session;
    if (!user || accountName(user) === this.#user) return;
    this.#user = accountName(user);
    await this.#readAddress();
  }

  /** Reads the model, and the request or the saved query, from the address. */
  async #readAddress(): Promise<void> {
    const parameters = new URLSearchParams(location.search);
    const text = parameters.get('q') ?? '';
    const path = parameters.get('open') ?? '';
    this.problem = '';
    this.saved = undefined;
    let request = text === '' ? undefined : await readAddress(text);
    if (text !== '' && request === undefined)
      this.problem = msg('The request in this address cannot be read. It may have been cut.');
    if (path !== '') {
      try {
        this.saved = await readDocument(session.client, path, AbortSignal.timeout(30_000));
        request ??= draftOf(this.saved.document);
      } catch (error) {
        session.reportFailure(error);
        this.problem = error instanceof Error ? error.message : '';
      }
    }
    this.#written = location.search.slice(1);
    const source = request?.source ?? sourceOf(location.pathname);
    this.request = request;
    this.first = keyOfPlace(parameters.get('add') ?? '');
    this.source = source;
    this.#title();
    if (source === undefined) await this.#readList();
  }

  async #readList(): Promise<void> {
    const state = await this.#list.read((signal) => listExplorable(session.client, signal));
    if (state.status === 'failed') session.reportFailure(state.cause);
    // A place with one model has no choice to make.
    const [only, ...others] = state.status === 'ready' ? state.value : [];
    if (only !== undefined && others.length === 0 && location.pathname.endsWith(ROOT)) this.#go(only);
  }

  #go({ source, address }: Explorable): void {
    history.pushState(undefined, '', withBasePath(`${ROOT}${address}`));
    this.request = undefined;
    this.source = source;
    this.#title();
  }

  /** The title of the document, else the name of the model or cube. */
  get #heading(): string {
    const { saved, source } = this;
    return saved === undefined ? (source === undefined ? '' : sourceName(source)) : String(saved.document.title);
  }

  #title(): void {
    document.title =
      this.source === undefined ? msg('Explore · service') : `${this.#heading} · ${msg('Explore')} · service`;
  }

  #saved({ detail }: HTMLElementEventMap['explore-saved']): void {
    this.saved = detail.saved;
    this.#title();
    if (this.request !== undefined) void this.#write(this.request);
  }

  /** Writes each request into the address. It replaces the entry: undo is in the page, and back leaves it. */
  async #changed({ detail }: HTMLElementEventMap['explore-change']): Promise<void> {
    this.request = detail;
    await this.#write(detail);
  }

  async #write(detail: Draft): Promise<void> {
    const { saved } = this;
    const isEmpty = detail.rows.length + detail.columns.length + detail.values.length + detail.filters.length === 0;
    const text = isEmpty ? '' : await writeAddress(detail);
    if (this.request !== detail) return;
    this.problem = text === undefined ? msg('This request is too long for an address. Save it to share it.') : '';
    if (text === undefined) return;
    const parameters = [
      ...(saved === undefined ? [] : [`open=${encodeURIComponent(saved.path)}`]),
      ...(text === '' ? [] : [`q=${text}`]),
    ].join('&');
    if (parameters === this.#written) return;
    this.#written = parameters;
    history.replaceState(
      undefined,
      '',
      withBasePath(`${ROOT}${addressOf(detail.source)}${parameters === '' ? '' : `?${parameters}`}`),
    );
  }

  #choice() {
    const { state } = this.#list;
    switch (state.status) {
      case 'loading':
        return html`<div class="list"><span class="visually-hidden" role="status">${msg('Loading…')}</span>${[1, 2, 3].map(() => html`<div class="bone" .style=${'height: 96px'}></div>`)}</div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><h3>${msg('The models cannot be listed')}</h3><p>${state.message}</p></div>`;
      case 'ready':
        return state.value.length === 0
          ? html`<div class="notice"><h3>${msg('There is nothing to explore yet')}</h3><p>${msg('Models and cubes that you may query appear here.')}</p><a class="button primary" href=${withBasePath('/ui/add-data/')}>${msg('Add data')}</a></div>`
          : html`<div class="list">${state.value.map(
              (each) =>
                html`<a href=${withBasePath(`${ROOT}${each.address}`)} @click=${(event: MouseEvent) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                  event.preventDefault();
                  this.#go(each);
                }}><h2>${each.label}</h2><small>${each.connection} · ${each.source.surface === 'cube' ? msg('cube') : msg('semantic model')}</small><p>${each.description}</p></a>`,
            )}</div>`;
    }
  }

  protected override willUpdate(): void {
    // With an explorer the page is as high as the window: its parts scroll, not the page.
    this.toggleAttribute('working', this.source !== undefined && session.user !== null);
  }

  protected override render() {
    if (session.user === null)
      return html`<ui-page-head heading=${msg('Explore')}></ui-page-head><div class="notice"><h2>${msg('Sign in to explore')}</h2><p>${msg('What you can ask depends on who you are.')}</p><button class="button primary" type="button" @click=${signIn}>${msg('Sign in')}</button></div>`;
    const { source } = this;
    if (source === undefined)
      return html`<ui-page-head heading=${msg('Explore')}><p slot="note">${msg('Choose what to ask.')}</p></ui-page-head>${session.user ? this.#choice() : nothing}`;
    const trail = [
      { title: msg('Explore'), address: withBasePath(ROOT) },
      ...(this.saved === undefined
        ? []
        : [{ title: sourceName(source), address: withBasePath(`${ROOT}${addressOf(source)}`) }]),
    ];
    return html`<ui-page-head .trail=${trail} heading=${this.#heading}></ui-page-head>
      ${this.problem === '' ? nothing : html`<p class="lost" role="alert">${this.problem}</p>`}
      <h2 class="visually-hidden">${msg(str`Explore ${sourceName(source)}`)}</h2>
      <ui-explorer .source=${source} .request=${this.request} .first=${this.first} .saved=${this.saved} @explore-change=${this.#changed} @explore-saved=${this.#saved}></ui-explorer>`;
  }
}

/** Returns the model or cube that a path names: two parts for a model, four for a cube. */
function sourceOf(path: string): Source | undefined {
  const at = path.indexOf(ROOT);
  const parts =
    at < 0
      ? []
      : path
          .slice(at + ROOT.length)
          .split('/')
          .filter((part) => part !== '')
          .map(decoded);
  const [connection, model] = parts;
  if (connection === undefined || parts.some((part) => part === undefined)) return undefined;
  if (parts.length === 4) return { surface: 'cube', names: { cube: parts.join('/') } };
  return model === undefined || parts.length > 2 ? undefined : { surface: 'semantic', names: { connection, model } };
}

/** Returns the key of a thing that an address names: `metric/net_sales`, `field/stores/city`, `level/Store/Store/City`. */
function keyOfPlace(place: string): string {
  const [kind, ...names] = place.split('/').map(decoded);
  const [first = '', second = '', third = ''] = names;
  if (kind === 'metric') return metricKey(first);
  if (kind === 'field') return fieldKey(first, second);
  return kind === 'level' ? levelKey(first, second, third) : '';
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function signIn(): void {
  document.dispatchEvent(new Event('sign-in'));
}

customElements.define('ui-explore-page', ExplorePage);
