import { css, html, LitElement, nothing } from 'lit';
import { RequestFailedError } from '../api-client/client.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { Popover } from '../parts/popover.ts';
import { session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { AnswerRun } from './answer-run.ts';
import { AnswerView } from './answer-view.ts';
import './answer-view.ts';
import './ask-bar.ts';
import './chip-panel.ts';
import { exploreEvent } from './events.ts';
import { FieldTree, type OpenedMembers } from './field-tree.ts';
import './field-tree.ts';
import './request-bar.ts';
import { documentAddress } from '../documents/document-address.ts';
import { writeDocument } from '../documents/repository.ts';
import { showToast } from '../parts/toast.ts';
import { msg, str } from '../words/words.ts';
import { MemberReader } from './members.ts';
import { askAnswer, findMisfits, readCatalog } from './requests.ts';
import { ShelfList } from './shelf-list.ts';
import { insert, place, replace } from './state/actions.ts';
import { asJson } from './state/address.ts';
import type { Catalog } from './state/catalog.ts';
import { readCondition, referenceOf, writeCondition } from './state/condition.ts';
import { type Draft, emptyDraft, isAsking, type Shelf, type Source } from './state/draft.ts';
import { findThing } from './state/find-thing.ts';
import { advance, type History, redo, startHistory, undo } from './state/history.ts';
import { textOf } from './state/json-value.ts';
import type { Mark } from './state/marks.ts';
import { type ExploreQuery, type SavedQuery, withQuery } from './state/saved-query.ts';
import { titleOf } from './state/title.ts';
import { toRequest } from './state/typed-request.ts';

/** Pause before the server is asked what a request cannot be combined with. */
const SETTLE_MS = 200;
/** Pause before a model that is still being loaded is asked for again. */
const RETRY_MS = 2_000;

/**
 * Lets its reader build a request and shows the answer. It is the body of the page and of sheets in other pages: `source` names the
 * model or cube, `request` is the draft to start from, `first` a field for an empty one, `saved` the document that a save writes a new version of. Fires `explore-change`
 * with each draft and `explore-save` with the query; a host that keeps the query itself names its button in `saveLabel`.
 */
export class Explorer extends LitElement {
  static override properties = {
    source: { attribute: false },
    request: { attribute: false },
    first: {},
    saved: { attribute: false },
    saveLabel: {},
    catalog: { state: true },
    history: { state: true },
    misfits: { state: true },
    open: { state: true },
    isTreeShown: { state: true },
    isBehindShown: { state: true },
    announcement: { state: true },
  };
  static override styles = [
    shared,
    css`
      :host { display: grid; grid-template: 'tree shelves' auto 'tree answer' minmax(0, 1fr) 'tree behind' auto / 272px minmax(0, 1fr); min-height: 0; overflow: hidden; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); font: 14px / 20px var(--body); }
      aside { grid-area: tree; display: flex; flex-direction: column; min-height: 0; border-inline-end: 1px solid var(--line); background: var(--paper); }
      aside ui-field-tree { flex: 1; min-height: 0; }
      .shelves { grid-area: shelves; padding: 8px 12px; border-bottom: 1px solid var(--line); }
      .answer { grid-area: answer; display: flex; flex-direction: column; overflow: hidden; min-height: 0; min-width: 0; }
      .answer ui-answer-view { flex: 1; min-height: 0; }
      .behind { grid-area: behind; overflow: auto; min-width: 0; border-top: 1px solid var(--line); }
      .behind.shown { height: min(380px, 44vh); }
      .line { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 8px 16px; }
      .line .button { min-height: 32px; font-size: 13px; }
      .line .end { display: flex; flex-wrap: wrap; gap: 8px; margin-inline-start: auto; }
      .failed { margin: 24px; }
      @media (max-width: 900px) {
        :host { grid-template: 'shelves' auto 'answer' minmax(440px, 1fr) 'behind' auto / minmax(0, 1fr); overflow: visible; }
        .behind.shown { height: auto; }
        aside { display: none; }
        aside.shown { position: fixed; inset: 0; z-index: 20; display: flex; background: var(--paper); }
        aside.shown .close { display: flex; }
      }
      .close { display: none; align-items: center; justify-content: space-between; padding: 10px 12px 0; }
    `,
  ];

  declare source: Source | undefined;
  /** The draft to start from, or to go on with; undefined for an empty one. */
  declare request: Draft | undefined;
  /** The key of a field that an empty request begins with. */
  declare first: string;
  declare saved: SavedQuery | undefined;
  declare saveLabel: string;
  declare catalog: Catalog | undefined;
  declare history: History<Draft> | undefined;
  declare misfits: ReadonlyMap<string, string>;
  /** The chip with an open panel; -1 to add one. */
  declare open: { readonly shelf: Shelf; readonly index: number } | undefined;
  /** Whether the tree covers a narrow window. */
  declare isTreeShown: boolean;
  declare isBehindShown: boolean;
  declare announcement: string;
  readonly #run = new AnswerRun(this);
  readonly #members = new MemberReader(this);
  readonly #reading = new RemoteData<Catalog>(this);
  readonly #combining = new RemoteData<ReadonlyMap<string, string>>(this);
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #retrying: ReturnType<typeof setTimeout> | undefined;
  #combined = '';

  constructor() {
    super();
    this.source = undefined;
    this.request = undefined;
    this.first = '';
    this.saved = undefined;
    this.saveLabel = '';
    this.catalog = undefined;
    this.history = undefined;
    this.misfits = new Map();
    this.open = undefined;
    this.isTreeShown = false;
    this.isBehindShown = false;
    this.announcement = '';
    this.addEventListener('explore-edit', (event) => {
      event.stopPropagation();
      this.edit(event.detail);
    });
    this.addEventListener('explore-saved', (event) => {
      this.saved = event.detail.saved;
    });
    this.addEventListener('keydown', this.#keyed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#waiting);
    clearTimeout(this.#retrying);
  }

  get draft(): Draft | undefined {
    return this.history?.present;
  }

  /** Returns the query as documents have it. */
  get query(): ExploreQuery | undefined {
    const { draft, catalog } = this;
    if (!draft || !catalog) return undefined;
    const view = this.renderRoot.querySelector('ui-answer-view');
    const { chart, mode } = draft.view;
    return {
      title: titleOf(draft, catalog),
      source: { surface: draft.source.surface, request: toRequest(draft) },
      ...(chart === undefined && mode === undefined
        ? {}
        : { chart: { ...(mode === undefined ? {} : { kind: mode }), ...chart } }),
      ...(draft.analytics === undefined ? {} : { analytics: draft.analytics }),
      ...(draft.drill === undefined ? {} : { drill: draft.drill }),
      render: view instanceof AnswerView ? view.shownRender : 'table',
      shown: view instanceof AnswerView ? view.shownChart : {},
      ...(mode === undefined ? {} : { mode }),
      ...(draft.view.render === undefined
        ? {}
        : { view: { render: draft.view.render, ...(mode === undefined ? {} : { mode }) } }),
    };
  }

  /** Makes another request the present one; undo returns to the one before. */
  edit(draft: Draft): void {
    if (!this.history) return;
    this.history = advance(this.history, draft);
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('source') && this.source) {
      const before = changed.get('source');
      if (before === undefined || JSON.stringify(before) !== JSON.stringify(this.source)) this.#start(this.source);
    }
    if (changed.has('request') && this.request && this.history && this.request !== this.draft)
      this.history = advance(this.history, this.request);
  }

  #start(source: Source): void {
    this.catalog = undefined;
    this.misfits = new Map();
    this.history = startHistory(this.request ?? emptyDraft(source));
    void this.#readCatalog(source);
  }

  async #readCatalog(source: Source): Promise<void> {
    clearTimeout(this.#retrying);
    const state = await this.#reading.read((signal) => readCatalog(session.client, source, signal));
    if (this.source !== source) return;
    if (state.status === 'ready') {
      this.#members.start(state.value);
      this.catalog = state.value;
      this.#placeFirst();
    }
    if (state.status !== 'failed') return;
    session.reportFailure(state.cause);
    // A model that is still being loaded is asked for again.
    const { cause } = state;
    if (this.isConnected && cause instanceof RequestFailedError && cause.status === 503)
      this.#retrying = setTimeout(() => void this.#readCatalog(source), RETRY_MS);
  }

  #placeFirst(): void {
    const { draft, catalog, first } = this;
    const thing = catalog?.byKey.get(first);
    if (draft === undefined || catalog === undefined || thing === undefined || isAsking(draft)) return;
    this.history = startHistory(place(draft, thing, catalog));
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    const { draft, catalog } = this;
    if (!draft || !catalog || !(changed.has('history') || changed.has('catalog'))) return;
    this.#run.ask(draft, titleOf(draft, catalog), { now: changed.has('catalog') });
    this.#members.nameMembersOf(draft);
    const key = JSON.stringify(toRequest({ ...draft, sorts: [], limit: undefined }));
    if (this.#combined !== key) {
      this.#combined = key;
      clearTimeout(this.#waiting);
      this.#waiting = setTimeout(() => void this.#combine(draft, catalog), SETTLE_MS);
    }
    if (changed.has('history')) this.dispatchEvent(exploreEvent('explore-change', draft));
  }

  async #combine(draft: Draft, catalog: Catalog): Promise<void> {
    const state = await this.#combining.read((signal) => findMisfits(session.client, draft, catalog, signal));
    // Without an answer nothing is dimmed; the query itself reports what does not fit.
    this.misfits = state.status === 'ready' ? state.value : new Map();
  }

  #keyed(event: KeyboardEvent): void {
    const isCommand = event.ctrlKey || event.metaKey;
    if (!isCommand || event.altKey || isTyping(event)) return;
    const key = event.key.toLowerCase();
    if (key === 'z' && !event.shiftKey) this.#undo();
    else if (key === 'y' || (key === 'z' && event.shiftKey)) this.#redo();
    else return;
    event.preventDefault();
  }

  #undo(): void {
    if (!this.history) return;
    const before = this.history;
    this.history = undo(before);
    this.announcement = this.history === before ? msg('There is nothing to undo.') : msg('Undone.');
  }

  #redo(): void {
    if (!this.history) return;
    const before = this.history;
    this.history = redo(before);
    this.announcement = this.history === before ? msg('There is nothing to redo.') : msg('Redone.');
  }

  #place({ key, shelf }: { readonly key: string; readonly shelf: Shelf | undefined }): void {
    const { draft, catalog } = this;
    const thing = catalog?.byKey.get(key);
    if (!draft || !catalog || thing === undefined) return;
    const next = place(draft, thing, catalog, shelf);
    this.edit(next);
    this.isTreeShown = false;
    this.announcement = next === draft ? msg(str`${thing.label} is there already.`) : msg(str`${thing.label} added.`);
    if (shelf === 'filters' && next !== draft) void this.#openAfter('filters', next.filters.length - 1);
  }

  /** Adds a member to the filter of its level. */
  #addMember({ key, member, caption }: HTMLElementEventMap['explore-member']['detail']): void {
    this.#members.learn([[member, caption]]);
    const { draft, catalog } = this;
    const level = catalog?.byKey.get(key);
    if (!draft || !catalog || level === undefined) return;
    const index = draft.filters.findIndex(
      (filter) => findThing(referenceOf(filter), catalog)?.key === key && readCondition(filter)?.kind === 'is',
    );
    const filter = draft.filters[index];
    const condition = filter === undefined ? undefined : readCondition(filter);
    const values = condition?.kind === 'is' ? condition.values : [];
    if (values.includes(member)) return;
    const item = writeCondition(level.item, { kind: 'is', values: [...values, member], orEmpty: false });
    this.edit(filter === undefined ? insert(draft, 'filters', item) : replace(draft, 'filters', index, item));
  }

  async #openChip({
    detail,
  }: CustomEvent<{ readonly shelf: Shelf; readonly index: number; readonly anchor: EventTarget | null }>) {
    this.open = { shelf: detail.shelf, index: detail.index };
    await this.updateComplete;
    if (detail.anchor instanceof HTMLElement) await this.#popover?.open(detail.anchor);
    if (detail.index < 0) this.#panel?.renderRoot.querySelector('input')?.focus();
  }

  async #openAfter(shelf: Shelf, index: number): Promise<void> {
    await this.updateComplete;
    const list = this.renderRoot.querySelector('ui-shelf-list');
    if (!(list instanceof ShelfList)) return;
    await list.updateComplete;
    const anchor = list.chip(shelf, index);
    if (anchor === null) return;
    this.#popover?.close();
    this.open = { shelf, index };
    await this.updateComplete;
    await this.#popover?.open(anchor);
  }

  get #popover(): Popover | undefined {
    const popover = this.renderRoot.querySelector('ui-popover');
    return popover instanceof Popover ? popover : undefined;
  }

  get #panel(): LitElement | undefined {
    const panel = this.renderRoot.querySelector('ui-chip-panel');
    return panel instanceof LitElement ? panel : undefined;
  }

  #save(isCopy: boolean): void {
    const { query, saved } = this;
    if (query === undefined) return;
    const isLeft = this.dispatchEvent(exploreEvent('explore-save', query));
    if (!isLeft) return;
    if (saved === undefined || isCopy) void this.#dialog('save', query);
    else void this.#saveVersion(query, saved);
  }

  /** Writes the query as a new version of its document. */
  async #saveVersion(query: ExploreQuery, { path, version, document }: SavedQuery): Promise<void> {
    const written = withQuery(document, query);
    try {
      const stored = await writeDocument(session.client, path, written, version);
      this.dispatchEvent(
        exploreEvent('explore-saved', { saved: { path, version: stored.version, document: written } }),
      );
      showToast(msg(str`Saved as a new version of “${String(written.title)}”.`));
    } catch (error) {
      session.reportFailure(error);
      const isChanged = error instanceof RequestFailedError && error.code === 'DOCUMENT_CHANGED';
      const message = error instanceof Error ? error.message : msg('Something went wrong. Try again.');
      showToast(
        isChanged
          ? msg('Somebody else has saved this query after you opened it. Open it again, or save yours as another one.')
          : message,
      );
    }
  }

  async #dialog(name: 'save' | 'open', query?: ExploreQuery): Promise<void> {
    const { SaveDialog, OpenDialog } = await import('./document-dialogs.ts');
    await this.updateComplete;
    const dialog = this.renderRoot.querySelector(name === 'save' ? 'ui-explore-save' : 'ui-explore-open');
    if (dialog instanceof SaveDialog && query !== undefined) dialog.open(query);
    if (dialog instanceof OpenDialog && this.source) dialog.open(this.source);
  }

  async #behindMark({
    detail,
  }: CustomEvent<{ readonly kind: 'rows' | 'what-if'; readonly mark: Mark }>): Promise<void> {
    const { RowsDialog } = await import('./rows-dialog.ts');
    await this.updateComplete;
    const dialog = this.renderRoot.querySelector('ui-explore-rows');
    const draft = this.#run.state.answered?.draft;
    if (dialog instanceof RowsDialog && draft && this.catalog)
      dialog.open(detail.kind, detail.mark, draft, this.catalog);
  }

  /** Opens the form of what a click leads to in embeds. */
  async #askDrill(draft: Draft, { title }: ExploreQuery): Promise<void> {
    const { DrillDialog } = await import('./drill/drill-dialog.ts');
    await this.updateComplete;
    const dialog = this.renderRoot.querySelector('ui-drill-dialog');
    if (!(dialog instanceof DrillDialog)) return;
    await dialog.ask({
      name: this.saved === undefined ? title : String(this.saved.document.title),
      drill: draft.drill,
      read: async (signal) => ({
        answer: (await askAnswer(session.client, draft, '', signal)).json,
        source: draft.source,
      }),
      apply: (drill) => {
        if (this.draft === undefined || JSON.stringify(drill) === JSON.stringify(this.draft.drill)) return;
        this.edit({ ...this.draft, drill: drill && asJson(drill) });
        this.announcement = msg('What a click leads to has changed. Save the query to keep it.');
      },
    });
  }

  async #behind(): Promise<void> {
    if (!this.isBehindShown) await import('./behind-panel.ts');
    this.isBehindShown = !this.isBehindShown;
  }

  #shelves(draft: Draft, catalog: Catalog, { past, future }: History<Draft>) {
    return html`<div class="shelves">
      <ui-ask-bar .source=${this.source} .draft=${draft}></ui-ask-bar>
      <ui-shelf-list .draft=${draft} .catalog=${catalog} .captions=${this.#members.captions} .mistakes=${this.#run.state.failure?.problems ?? []} @chip-open=${this.#openChip}>
        <ui-request-bar .draft=${draft} ?canUndo=${past.length > 0} ?canRedo=${future.length > 0} @request-undo=${this.#undo} @request-redo=${this.#redo} @fields-show=${() => {
          this.isTreeShown = true;
        }}></ui-request-bar>
      </ui-shelf-list></div>`;
  }

  #saving(draft: Draft) {
    const isEmpty = !isAsking(draft);
    if (this.saveLabel !== '')
      return html`<button class="button primary" type="button" ?disabled=${isEmpty} @click=${() => this.#save(false)}>${this.saveLabel}</button>`;
    const { saved } = this;
    const clicks = html`<button class="button" type="button" ?disabled=${isEmpty} @click=${() => this.query && void this.#askDrill(draft, this.query)}>${msg('What a click leads to')}</button>`;
    if (saved === undefined)
      return html`${clicks}<button class="button primary" type="button" ?disabled=${isEmpty} @click=${() => this.#save(false)}>${msg('Save …')}</button>`;
    return html`${clicks}<a class="button" href=${documentAddress(saved.path)}>${msg('To the document')}</a>
      <button class="button" type="button" ?disabled=${isEmpty} @click=${() => this.#save(true)}>${msg('Save as …')}</button>
      <button class="button primary" type="button" ?disabled=${isEmpty} @click=${() => this.#save(false)}>${msg('Save')}</button>`;
  }

  protected override render() {
    const { catalog, history, draft } = this;
    if (!this.source || !history || !draft) return nothing;
    const reading = this.#reading.state;
    if (reading.status === 'failed')
      return html`<div class="notice failed" role="alert" .style=${'grid-column: 1 / -1'}><h3>${msg('This model cannot be opened')}</h3><p>${reading.message}</p><button class="button" type="button" @click=${() => this.source && void this.#readCatalog(this.source)}>${msg('Try again')}</button></div>`;
    const used = new Set(
      catalog === undefined
        ? []
        : [...draft.rows, ...draft.columns, ...draft.values].flatMap((item) => findThing(item, catalog)?.key ?? []),
    );
    return html`
      <aside class=${this.isTreeShown ? 'shown' : ''} aria-label=${msg('Fields and metrics')}>
        <div class="close"><h3>${msg('Fields and metrics')}</h3><button class="button" type="button" @click=${() => {
          this.isTreeShown = false;
        }}>${msg('Close')}</button></div>
        <ui-field-tree .catalog=${catalog} .misfits=${this.misfits} .used=${used} .members=${this.#members.members}
          @explore-place=${(event: HTMLElementEventMap['explore-place']) => this.#place(event.detail)}
          @explore-member=${(event: HTMLElementEventMap['explore-member']) => this.#addMember(event.detail)}
          @tree-open=${(event: CustomEvent<OpenedMembers>) => void this.#members.open(event.detail)}></ui-field-tree>
      </aside>
      ${catalog === undefined ? html`<div class="shelves"><div class="bone" .style=${'height: 76px'}></div></div>` : this.#shelves(draft, catalog, history)}
      <section class="answer" aria-label=${msg('Answer')}><ui-answer-view .draft=${draft} .catalog=${catalog} .state=${this.#run.state} @mark-show=${this.#behindMark} @run-cancel=${() => this.#run.cancel()} @run-again=${() =>
        catalog &&
        this.#run.ask(draft, titleOf(draft, catalog), { now: true, again: true })}></ui-answer-view></section>
      <div class="behind ${this.isBehindShown ? 'shown' : ''}"><div class="line">
        <button class="button" type="button" aria-expanded=${this.isBehindShown} @click=${this.#behind}>${this.isBehindShown ? msg('Hide the query') : msg('Query, plan and code')}</button>
        <span class="end"><button class="button" type="button" @click=${() => void this.#dialog('open')}>${msg('Open …')}</button>
        ${this.#saving(draft)}</span></div>
        ${this.isBehindShown && catalog !== undefined ? html`<ui-behind .draft=${draft} .catalog=${catalog} .query=${this.query}></ui-behind>` : nothing}
      </div>
      <ui-popover label=${msg('Change')} @closed=${() => {
        this.open = undefined;
      }} @panel-done=${() => this.#popover?.close()} @members-named=${(event: CustomEvent<readonly (readonly [string, string])[]>) => this.#members.learn(event.detail)} @panel-added=${(event: CustomEvent<number>) => void this.#openAfter('filters', event.detail)}>${
        this.open === undefined || catalog === undefined
          ? nothing
          : html`<ui-chip-panel .draft=${draft} .catalog=${catalog} .captions=${this.#members.captions} .misfits=${this.open.shelf === 'filters' ? NO_MISFITS : this.misfits} .shelf=${this.open.shelf} .index=${this.open.index}></ui-chip-panel>`
      }</ui-popover>
      <ui-explore-save></ui-explore-save>
      <ui-explore-open></ui-explore-open>
      <ui-explore-rows></ui-explore-rows>
      <ui-drill-dialog></ui-drill-dialog>
      <span class="visually-hidden" role="status">${this.announcement}</span>`;
  }

  /** Moves the focus to the search of the tree. */
  focusSearch(): void {
    const tree = this.renderRoot.querySelector('ui-field-tree');
    if (tree instanceof FieldTree) tree.focusSearch();
  }
}

const NO_MISFITS: ReadonlyMap<string, string> = new Map();

function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && /^(text|search|number|date)$/.test(target.type))
  );
}

/** Returns the name of the model or cube in a draft, for addresses and titles. */
export function sourceName({ names }: Source): string {
  return textOf(names, 'model') ?? textOf(names, 'cube')?.split('/').at(-1) ?? '';
}

customElements.define('ui-explorer', Explorer);
