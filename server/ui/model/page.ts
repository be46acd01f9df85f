import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { PAGE_LIST } from '../pages.ts';
import { msg, str } from '../words/words.ts';
import '../parts/page-head.ts';
import { RequestFailedError } from '../api-client/client.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { session } from '../shell/page-context.ts';
import { remember } from '../shell/recent.ts';
import { signInAddress } from '../shell/return-address.ts';
import { SessionController } from '../shell/session.ts';
import { shared } from '../styles/shared.ts';
import { type Place, pathOf, placeOf, TABS, type Tab } from './address.ts';
import { MAX_EDITS } from './draft.ts';
import { modelStyles } from './model-styles.ts';
import type { Change } from './requests.ts';
import type { ReviewDialog } from './review-dialog.ts';
import { ModelStore, StoreController } from './store.ts';
import { editSentence } from './words.ts';

/** Loads the elements of the tabs, each when it is first shown. */
const PARTS: Readonly<Record<Tab, () => Promise<unknown>>> = {
  overview: () => import('./overview-tab.ts'),
  datasets: () => import('./datasets-tab.ts'),
  metrics: () => import('./metrics-tab.ts'),
  relationships: () => import('./relationships-tab.ts'),
  access: () => import('./access-tab.ts'),
  questions: () => import('./asked-questions.ts'),
  document: () => import('./document-tab.ts'),
  history: () => import('./history-tab.ts'),
};

/** The page of one datasource: its semantic model to be read and changed, or what else it serves. */
export class ModelPage extends LitElement {
  static override properties = {
    place: { state: true },
    loaded: { state: true },
    undo: { state: true },
    announcement: { state: true },
  };
  static override styles = [
    shared,
    modelStyles,
    css`
      :host { max-width: 1680px; margin-inline: auto; padding: 16px 24px 64px; }
      ui-page-head { margin-block-end: 8px; }
      nav { display: flex; gap: 4px; margin: 12px 0 24px; overflow-x: auto; border-bottom: 1px solid var(--line); }
      nav a { flex: none; padding: 8px 12px; border-radius: 6px 6px 0 0; color: var(--muted); font-weight: 500; text-decoration: none; }
      nav a:hover { background: var(--sunken); color: var(--ink); }
      nav a:focus-visible { outline-offset: -2px; }
      nav a[aria-current] { color: var(--ink); box-shadow: inset 0 -2px var(--accent); }
      .banner { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; margin-bottom: 16px; padding: 10px 16px; border-radius: 10px; background: var(--warn-wash); }
      .banner p { flex: 1 1 260px; }
      .banner.calm { background: var(--sunken); }
      .banner.good { background: var(--good-wash); }
      .bone { height: 50vh; }
      @media (max-width: 760px) { :host { padding-inline: 16px; } }
      @media (forced-colors: active) { nav a[aria-current] { border-bottom: 2px solid LinkText; } }
    `,
  ];

  declare place: Place;
  /** The tabs of which the code has been loaded. */
  declare loaded: ReadonlySet<string>;
  /** Goes back to the version before the last save; `undefined` where nothing was saved. */
  declare undo: Change | undefined;
  declare announcement: string;
  readonly #store = new RemoteData<ModelStore | { readonly other: 'cube' | 'reader' }>(this);
  #user = '';

  constructor() {
    super();
    this.place = placeOf(location.pathname);
    this.loaded = new Set();
    this.announcement = '';
    new SessionController(this, session, () => void this.#open());
    new StoreController(this, () => this.#model);
    this.addEventListener('click', (event) => this.#follow(event));
    this.addEventListener('review', (event) => {
      if (event instanceof CustomEvent) this.#review(event.detail);
    });
    this.addEventListener('go', (event) => {
      if (event instanceof CustomEvent) this.#go({ ...this.place, ...event.detail });
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('popstate', this.#moved);
    addEventListener('keydown', this.#key);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('popstate', this.#moved);
    removeEventListener('keydown', this.#key);
  }

  protected override updated(changed: PropertyValues<this>): void {
    // On a phone the parts do not fit beside each other.
    if (changed.has('place') || changed.has('loaded'))
      this.renderRoot.querySelector('nav a[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }

  get #model(): ModelStore | undefined {
    const { state } = this.#store;
    return state.status === 'ready' && state.value instanceof ModelStore ? state.value : undefined;
  }

  async #open(): Promise<void> {
    const { user, client } = session;
    if (!user) return;
    const key = `${user.tenant}/${user.name}`;
    if (key === this.#user) return;
    this.#user = key;
    const { id } = this.place;
    const state = await this.#store.read(async (signal) => {
      if (!user.administrator) {
        await this.#load('reader', () => import('./reader-view.ts'));
        return { other: 'reader' as const };
      }
      try {
        return await ModelStore.open(client, id, signal);
      } catch (error) {
        // Cubes have no semantic document, and a broken datasource may have none that can be read.
        if (!(error instanceof RequestFailedError) || (error.status !== 404 && error.status !== 409)) throw error;
        await this.#load('cube', () => import('./cube-view.ts'));
        return { other: 'cube' as const };
      }
    });
    if (state.status === 'failed') session.reportFailure(state.cause);
    if (state.status === 'ready' && state.value instanceof ModelStore) {
      document.title = `${state.value.saved.model} · service`;
      remember({ kind: 'model', title: state.value.saved.model, path: pathOf({ id, tab: 'overview', item: '' }) });
      await this.#load(this.place.tab, PARTS[this.place.tab]);
    }
  }

  async #load(name: string, load: () => Promise<unknown>): Promise<void> {
    await load();
    this.loaded = new Set([...this.loaded, name]);
  }

  readonly #moved = (): void => {
    this.place = placeOf(location.pathname);
    void this.#load(this.place.tab, PARTS[this.place.tab]);
  };

  /** Undoes and does again while no text is edited. */
  readonly #key = (event: KeyboardEvent): void => {
    const [target] = event.composedPath();
    const isTyping =
      target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
    if (isTyping || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const letter = event.key.toLowerCase();
    if (letter !== 'z' && letter !== 'y') return;
    event.preventDefault();
    if (letter === 'y' || event.shiftKey) this.#model?.redo();
    else this.#model?.undo();
  };

  #go(place: Place): void {
    history.pushState(null, '', withBasePath(pathOf(place)));
    this.#moved();
  }

  /** Follows a link to another place of this page without loading it again, so that the draft stays. */
  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement || each instanceof SVGAElement);
    if (link === undefined) return;
    const href = link instanceof HTMLAnchorElement ? link.href : link.href.baseVal;
    const url = new URL(href, location.href);
    const place = placeOf(url.pathname);
    if (url.origin !== location.origin || place.id !== this.place.id || place.id === '') return;
    event.preventDefault();
    this.#go(place);
  }

  async #review(change: Change | undefined): Promise<void> {
    const store = this.#model;
    if (store === undefined) return;
    await import('./review-dialog.ts');
    const dialog = this.renderRoot.querySelector<ReviewDialog>('ui-model-review');
    dialog?.open(store, change ?? store.change);
  }

  #saved(event: CustomEvent<{ readonly undo: Change; readonly carried: readonly string[] }>): void {
    this.undo = event.detail.undo;
    this.announcement = msg('Saved.');
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('ui-page-head')?.focus());
  }

  async #undoSave(): Promise<void> {
    const store = this.#model;
    const { undo } = this;
    if (store === undefined || undo === undefined) return;
    this.undo = undefined;
    try {
      await store.save(undo);
      this.announcement = msg('The model is as it was before.');
    } catch (error) {
      this.announcement = error instanceof Error ? error.message : String(error);
    }
  }

  #tab(store: ModelStore) {
    const { tab, item } = this.place;
    if (!this.loaded.has(tab))
      return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
    switch (tab) {
      case 'overview':
        return html`<ui-model-overview .store=${store}></ui-model-overview>`;
      case 'datasets':
        return html`<ui-model-datasets .store=${store} .item=${item}></ui-model-datasets>`;
      case 'metrics':
        return html`<ui-model-metrics .store=${store} .item=${item}></ui-model-metrics>`;
      case 'relationships':
        return html`<ui-model-relationships .store=${store} .item=${item}></ui-model-relationships>`;
      case 'access':
        return html`<ui-model-access .store=${store}></ui-model-access>`;
      case 'questions':
        return html`<ui-asked-questions reference=${`${store.saved.connection}/${store.saved.model}`} @certified=${() => store.reload()}></ui-asked-questions>`;
      case 'document':
        return html`<ui-model-document .store=${store}></ui-model-document>`;
      case 'history':
        return html`<ui-model-history .store=${store} .item=${item}></ui-model-history>`;
    }
  }

  #titles(): Readonly<Record<Tab, string>> {
    return {
      overview: msg('Overview'),
      datasets: msg('Datasets'),
      metrics: msg('Metrics'),
      relationships: msg('Relationships'),
      access: msg('Access'),
      questions: msg('Questions'),
      document: msg('Document'),
      history: msg('History'),
    };
  }

  #banners(store: ModelStore) {
    const { saved, draft, text } = store;
    const last = draft.edits.at(-1);
    return html`
      ${saved.isEditable ? nothing : html`<div class="banner calm"><p>${msg(str`This model can be read here, not changed: ${saved.whyNot ?? ''}`)}</p></div>`}
      ${store.hasMovedOn ? html`<div class="banner" role="alert"><p>${msg('Somebody has changed this model since you began. Your changes are kept, and apply to the present version. Review them again before you save.')}</p></div>` : nothing}
      ${draft.edits.length < MAX_EDITS ? nothing : html`<div class="banner"><p>${msg('These are as many changes as one save takes. Save them before you go on.')}</p></div>`}
      ${text !== undefined && this.place.tab !== 'document' ? html`<div class="banner"><p>${msg('The source has unsaved changes. Save or discard them before you change elements here.')}</p></div>` : nothing}
      ${this.undo === undefined || store.changeCount > 0 ? nothing : html`<div class="banner good"><p>${msg('Saved. The new version is in use.')}</p><button class="button" type="button" @click=${this.#undoSave}>${msg('Undo')}</button></div>`}
      <span class="visually-hidden" role="status">${last === undefined ? '' : editSentence(last)}</span>`;
  }

  #actions(store: ModelStore) {
    if (!store.saved.isEditable) return nothing;
    const { changeCount, draft } = store;
    const changes = changeCount === 1 ? msg('1 change') : msg(str`${changeCount} changes`);
    return html`<div class="row">
      ${
        changeCount === 0 && draft.undone.length === 0
          ? html`<span class="note">${msg('No unsaved changes')}</span>`
          : html`<button class="button" type="button" ?disabled=${draft.edits.length === 0} @click=${() => store.undo()}>${msg('Undo change')}</button>
              <button class="button" type="button" ?disabled=${draft.undone.length === 0} @click=${() => store.redo()}>${msg('Redo')}</button>
              <button class="button" type="button" ?disabled=${changeCount === 0} @click=${() => store.discard()}>${msg('Discard')}</button>`
      }
      <button class="button primary" type="button" ?disabled=${changeCount === 0} @click=${() => this.#review(undefined)}>${changeCount === 0 ? msg('Review and save') : msg(str`Review and save ${changes}`)}</button>
    </div>`;
  }

  /** The list of data, where there is one. */
  #trail() {
    const list = PAGE_LIST.find((page) => page.path === '/ui/data/' && page.name !== 'model');
    return list === undefined ? [] : [{ title: msg('Data'), address: withBasePath(list.path) }];
  }

  #head(heading: string) {
    return html`<ui-page-head .trail=${this.#trail()} heading=${heading}></ui-page-head>`;
  }

  #content(store: ModelStore) {
    const { id, tab } = this.place;
    const titles = this.#titles();
    const { document: model } = store;
    return html`
      <ui-page-head .trail=${this.#trail()} heading=${model.model}>
        <p slot="note">${stateWord(store.saved.status)} · ${model.connection}</p>
        ${this.#actions(store)}
      </ui-page-head>
      <nav aria-label=${msg('Parts of the model')}>
        ${TABS.map((each) => html`<a href=${withBasePath(pathOf({ id, tab: each, item: '' }))} aria-current=${each === tab ? 'page' : nothing}>${titles[each]}</a>`)}
      </nav>
      ${this.#banners(store)}
      ${this.#tab(store)}
      <ui-model-review @saved=${this.#saved}></ui-model-review>`;
  }

  protected override render() {
    return html`${this.#body()}<span class="visually-hidden" role="status">${this.announcement}</span>`;
  }

  #body() {
    if (session.user === null)
      return html`${this.#head(this.place.id)}<div class="notice"><h2>${msg('Sign in to see this model')}</h2><p>${msg('Only users of this service can see models.')}</p>
        <a class="button primary" href=${signInAddress()}>${msg('Sign in')}</a></div>`;
    const { state } = this.#store;
    switch (state.status) {
      case 'loading':
        return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Opening…')}</span></div>`;
      case 'failed':
        return html`${this.#head(this.place.id)}<div class="notice failed" role="alert"><h2>${msg('This model cannot be shown')}</h2><p>${state.message}</p></div>`;
      case 'ready':
        if (state.value instanceof ModelStore) return this.#content(state.value);
        return state.value.other === 'cube'
          ? html`${this.#head(this.place.id)}<ui-cube-view .datasource=${this.place.id}></ui-cube-view>`
          : html`${this.#head(this.place.id)}<ui-model-reader .datasource=${this.place.id}></ui-model-reader>`;
    }
  }
}

function stateWord(status: string): string {
  switch (status) {
    case 'READY':
      return msg('Ready');
    case 'BROKEN':
      return msg('Broken: the server does not use this model');
    case 'STALE':
      return msg('Out of date: the server uses the last correct version');
    case 'DISABLED':
      return msg('Disabled');
    default:
      return status.toLowerCase();
  }
}

customElements.define('ui-model', ModelPage);
