import { css, html, LitElement, nothing } from 'lit';
import { RequestFailedError } from '../../api-client/client.ts';
import type { JsonObject } from '../../api-client/json.ts';
import { exploreAddress } from '../../documents/document-address.ts';
import type { DocumentEntry } from '../../documents/document-entries.ts';
import { type OpenedDocument, readDocument, writeDocument } from '../../documents/repository.ts';
import type { DrillDialog } from '../../explore/drill/drill-dialog.ts';
import { FormDialog } from '../../parts/form-dialog.ts';
import { showToast } from '../../parts/toast.ts';
import { session } from '../../shell/page-context.ts';
import { alertIcon, redoIcon, undoIcon } from '../../styles/icons.ts';
import { shared } from '../../styles/shared.ts';
import { msg, str } from '../../words/words.ts';
import {
  begin,
  change,
  type Dashboard,
  dropDraft,
  type History,
  keepDraft,
  readDraft,
  redo,
  toDashboard,
  toDocument,
  undo,
  withNewTile,
} from './draft.ts';
import type { SheetStart } from './explore-sheet.ts';
import { DashboardGrid, type PlaceEvent, type TileEvent } from './grid.ts';
import { placeTile, type Tile } from './layout.ts';
import { previewDashboard } from './preview.ts';
import { draftOfTile, tileOf, withTileQuery } from './query-tile.ts';
import { fieldsOf, metricsOf } from './questions.ts';
import { savedQueryTile } from './saved-query-tile.ts';
import { drillSubject } from './tile-drill.ts';
import { textFields, textMembers, tileFields, withSettings } from './tile-form.ts';
import '../../explore/drill/drill-dialog.ts';
import '../../parts/menu.ts';
import '../../parts/page-head.ts';
import './add-query.ts';

/**
 * Arranges a dashboard. What is not saved is kept in the browser. Fires `done` with the saved document, or without one where the reader leaves.
 */
export class DashboardEditor extends LitElement {
  static override properties = {
    opened: { attribute: false },
    history: { state: true },
    notice: { state: true },
    announcement: { state: true },
    isSaving: { state: true },
  };
  static override styles = [
    shared,
    css`
      .bar { position: sticky; inset-block-start: var(--header); z-index: 5; display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin: 0 calc(-1 * var(--gutter)) 16px; padding: 8px var(--gutter); border-block: 1px solid var(--line); background: var(--paper); }
      .bar .spacer { flex: 1; }
      .bar .icon { width: 36px; padding: 0; }
      .notice { grid-template-columns: 20px minmax(0, 1fr) auto; align-items: center; justify-items: stretch; gap: 12px; margin-bottom: 16px; padding: 12px 16px; border-style: solid; color: var(--ink); background: var(--warn-wash); border-color: var(--warn); }
      .notice svg { width: 20px; height: 20px; color: var(--warn); }
      .acts { display: flex; flex-wrap: wrap; gap: 8px; }
      .keys { margin-top: 16px; color: var(--muted); font-size: 12px; }
      .empty { display: grid; justify-items: start; gap: 8px; padding: 32px; border: 1px dashed var(--line); border-radius: 10px; color: var(--muted); }
      @media (max-width: 640px) { .notice { grid-template-columns: 20px minmax(0, 1fr); } .notice .acts { grid-column: 1 / -1; } }
    `,
  ];

  declare opened: OpenedDocument;
  declare history: History;
  declare notice: 'restored' | 'conflict' | undefined;
  declare announcement: string;
  declare isSaving: boolean;
  /** The version that the draft began with. */
  #version = '';

  constructor() {
    super();
    this.history = begin({ title: '', description: '', columns: 12, rowHeight: 40, tiles: [] });
    this.notice = undefined;
    this.announcement = '';
    this.isSaving = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#start();
    document.addEventListener('keydown', this.#pressed);
    addEventListener('beforeunload', this.#leaving);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#pressed);
    removeEventListener('beforeunload', this.#leaving);
  }

  #start(): void {
    const { path, version, document } = this.opened;
    this.#version = version;
    this.history = begin(toDashboard(document));
    const kept = readDraft(path);
    if (kept === undefined) return;
    this.#version = kept.version;
    this.history = change(this.history, toDashboard(kept.document));
    this.notice = 'restored';
  }

  get #isChanged(): boolean {
    return this.history.past.length > 0;
  }

  readonly #leaving = (event: BeforeUnloadEvent): void => {
    if (this.#isChanged) event.preventDefault();
  };

  readonly #pressed = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const [target] = event.composedPath();
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
    const key = event.key.toLowerCase();
    if (key === 'z' && !event.shiftKey) this.#undo();
    else if (key === 'y' || key === 'z') this.#redo();
    else if (key === 's') void this.#save();
    else return;
    event.preventDefault();
  };

  #change(next: Dashboard, announcement: string): void {
    this.history = change(this.history, next);
    this.#keep(announcement);
  }

  #keep(announcement: string): void {
    this.announcement = announcement;
    const { path, document } = this.opened;
    if (this.#isChanged)
      keepDraft(path, { version: this.#version, document: toDocument(document, this.history.present) });
    else dropDraft(path);
  }

  #undo(): void {
    if (this.history.past.length === 0) return;
    this.history = undo(this.history);
    this.#keep(msg('Undone.'));
  }

  #redo(): void {
    if (this.history.future.length === 0) return;
    this.history = redo(this.history);
    this.#keep(msg('Redone.'));
  }

  #placed({ detail: { id, place } }: PlaceEvent): void {
    const { present } = this.history;
    const tiles = placeTile(present.tiles, id, place, present.columns);
    const tile = tiles.find((each) => each.id === id);
    if (tile === undefined || JSON.stringify(tiles) === JSON.stringify(present.tiles)) return;
    const { x, y, w, h } = tile;
    this.#change({ ...present, tiles }, msg(str`Column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high.`));
  }

  #removed({ detail: { id } }: TileEvent): void {
    const { present } = this.history;
    this.#change({ ...present, tiles: present.tiles.filter((tile) => tile.id !== id) }, msg('Tile removed.'));
    showToast(msg('Tile removed.'), () => this.#undo());
  }

  #ask(question: Parameters<FormDialog['ask']>[0]): void {
    const dialog = this.renderRoot.querySelector('ui-form-dialog');
    if (dialog instanceof FormDialog) void dialog.ask(question);
  }

  async #settings(id: string): Promise<void> {
    const tile = this.history.present.tiles.find((each) => each.id === id);
    if (tile === undefined) return;
    const names = tile.kind === 'filter' ? await fieldsOf(this.history.present.tiles) : await metricsOf(tile);
    this.#ask({
      title: msg('Settings of the tile'),
      fields: tileFields(tile, this.history.present, names),
      action: msg('Apply'),
      submit: async (values) => {
        const { present } = this.history;
        const tiles = present.tiles.map((each) => (each.id === id ? withSettings(each, values, present) : each));
        this.#change({ ...present, tiles }, msg('Tile changed.'));
      },
    });
  }

  /** Opens the form of what a click in a tile leads to. */
  #askDrill(id: string): void {
    const tile = this.history.present.tiles.find((each) => each.id === id);
    const dialog = this.renderRoot.querySelector<DrillDialog>('ui-drill-dialog');
    if (tile === undefined || dialog === null) return;
    const apply = (drill: JsonObject | undefined): void => {
      const { present } = this.history;
      const tiles = present.tiles.map((each) => (each.id === id ? withDrill(each, drill) : each));
      if (JSON.stringify(tiles) !== JSON.stringify(present.tiles))
        this.#change({ ...present, tiles }, msg('Tile changed.'));
    };
    void dialog.ask(drillSubject(tile, apply));
  }

  #add(members: Partial<Tile> & { readonly kind: string }): void {
    const { dashboard, tile } = withNewTile(this.history.present, members);
    this.#change(dashboard, msg(str`Tile added at column ${tile.x + 1}, row ${tile.y + 1}.`));
    // The first tile brings the grid.
    void this.updateComplete.then(() => {
      const grid = this.renderRoot.querySelector('ui-dashboard-grid');
      if (grid instanceof DashboardGrid) grid.focusTile(tile.id);
    });
  }

  async #explore(start: SheetStart): Promise<void> {
    const { ExploreSheet } = await import('./explore-sheet.ts');
    await this.updateComplete;
    const sheet = this.renderRoot.querySelector('ui-explore-sheet');
    if (sheet instanceof ExploreSheet) sheet.open(start);
  }

  #addQuestion(): void {
    void this.#explore({
      heading: msg('New tile'),
      action: msg('Add to the dashboard'),
      draft: undefined,
      keep: (query) => this.#add(tileOf(query)),
    });
  }

  /** Opens the query of a tile: its own over the dashboard, a saved one on the page of the explorer. */
  #editQuery(id: string): void {
    const tile = this.history.present.tiles.find((each) => each.id === id);
    if (tile?.query === undefined) return;
    if ('path' in tile.query) {
      open(exploreAddress(tile.query.path), '_blank', 'noopener');
      return;
    }
    void this.#explore({
      heading: msg(str`Query of ${tile.title ?? id}`),
      action: msg('Apply to the tile'),
      draft: draftOfTile(tile),
      keep: (query) => {
        const { present } = this.history;
        const tiles = present.tiles.map((each) => (each.id === id ? withTileQuery(each, query) : each));
        this.#change({ ...present, tiles }, msg('Tile changed.'));
      },
    });
  }

  #addText(): void {
    this.#ask({
      title: msg('Add a text'),
      fields: [
        { name: 'title', label: msg('Title'), value: '', isOptional: true },
        ...textFields({ text: '', format: 'markdown' }),
      ],
      action: msg('Add'),
      submit: async (values) => this.#add({ kind: 'text', ...textMembers(values) }),
    });
  }

  async #addFilter(): Promise<void> {
    const { present } = this.history;
    const blank: Tile = { id: '', kind: 'filter', x: 0, y: 0, w: 4, h: 2 };
    this.#ask({
      title: msg('Add a filter'),
      note: msg('It narrows tiles here, and in embeds whose page shows filters.'),
      fields: tileFields(blank, present, await fieldsOf(present.tiles)),
      action: msg('Add'),
      submit: async (values) => this.#add(withSettings(blank, values, this.history.present)),
    });
  }

  #openPicker(): void {
    const picker = this.renderRoot.querySelector('ui-add-query');
    if (picker instanceof HTMLElement && 'open' in picker && typeof picker.open === 'function') picker.open();
  }

  async #addQuery({ detail: { path, title } }: CustomEvent<DocumentEntry>): Promise<void> {
    try {
      this.#add(await savedQueryTile(path, title));
    } catch (error) {
      session.reportFailure(error);
      showToast(error instanceof Error ? error.message : msg('Something went wrong. Try again.'));
    }
  }

  #details(): void {
    const { title, description } = this.history.present;
    this.#ask({
      title: msg('Title and description'),
      fields: [
        { name: 'title', label: msg('Title'), value: title },
        { name: 'description', label: msg('Description'), value: description, isLong: true, isOptional: true },
      ],
      action: msg('Apply'),
      submit: async (values) => {
        this.#change(
          { ...this.history.present, title: values.title ?? title, description: values.description ?? '' },
          msg('Title changed.'),
        );
      },
    });
  }

  async #save(version = this.#version): Promise<void> {
    if (this.isSaving) return;
    this.isSaving = true;
    const { path, document } = this.opened;
    try {
      const written = toDocument(document, this.history.present);
      const stored = await writeDocument(session.client, path, written, version);
      dropDraft(path);
      this.history = begin(this.history.present);
      this.#done({ ...stored, document: written });
      showToast(msg('Saved.'));
    } catch (error) {
      session.reportFailure(error);
      if (error instanceof RequestFailedError && error.code === 'DOCUMENT_CHANGED') this.notice = 'conflict';
      else showToast(error instanceof Error ? error.message : msg('Something went wrong. Try again.'));
    } finally {
      this.isSaving = false;
    }
  }

  /** Saves over the change of somebody else. Its version is kept. */
  async #overwrite(): Promise<void> {
    this.notice = undefined;
    const { version } = await readDocument(session.client, this.opened.path);
    await this.#save(version);
  }

  async #takeTheirs(): Promise<void> {
    this.notice = undefined;
    dropDraft(this.opened.path);
    this.opened = await readDocument(session.client, this.opened.path);
    this.#start();
  }

  #discard(): void {
    dropDraft(this.opened.path);
    this.notice = undefined;
    this.#start();
  }

  #leave(): void {
    if (this.#isChanged) showToast(msg('Your changes are kept in this browser until you save or discard them.'));
    this.history = begin(this.history.present);
    this.#done(undefined);
  }

  #done(saved: OpenedDocument | undefined): void {
    this.dispatchEvent(new CustomEvent('done', { detail: saved }));
  }

  #notice() {
    switch (this.notice) {
      case undefined:
        return nothing;
      case 'restored':
        return html`<div class="notice" role="status">${alertIcon}<p>${msg('These are your unsaved changes, which this browser has kept.')}</p>
          <div class="acts"><button class="button" type="button" @click=${this.#discard}>${msg('Discard changes')}</button></div></div>`;
      case 'conflict':
        return html`<div class="notice" role="alert">${alertIcon}<p>${msg('Somebody else has saved this dashboard after you opened it. Both are kept in its versions.')}</p>
          <div class="acts"><button class="button" type="button" @click=${this.#takeTheirs}>${msg('Discard mine')}</button><button class="button" type="button" @click=${this.#overwrite}>${msg('Save mine over it')}</button></div></div>`;
    }
  }

  protected override render() {
    const { past, present, future } = this.history;
    return html`
      <ui-page-head .heading=${present.title}>
        ${present.description === '' ? nothing : html`<p slot="note">${present.description}</p>`}
        <button class="button" type="button" @click=${this.#leave}>${msg('Close')}</button>
        <button class="button primary" type="button" aria-disabled=${this.isSaving} @click=${() => this.#save()}>${this.isSaving ? msg('Saving…') : msg('Save')}</button>
      </ui-page-head>
      <div class="bar" role="toolbar" aria-label=${msg('Edit the dashboard')}>
        <ui-menu written label=${msg('Add tile')} .items=${[
          { label: msg('New query'), act: () => this.#addQuestion() },
          { label: msg('From a saved query'), act: () => this.#openPicker() },
          { label: msg('Text'), act: () => this.#addText() },
          { label: msg('Filter'), act: () => void this.#addFilter() },
        ]}></ui-menu>
        <button class="button" type="button" @click=${this.#details}>${msg('Title and description')}</button>
        <button class="button" type="button" @click=${() => previewDashboard(present)}>${msg('Preview')}</button>
        <span class="spacer"></span>
        <span class="muted">${this.#isChanged ? msg('Not saved') : ''}</span>
        <button class="button icon" type="button" aria-label=${msg('Undo')} ?disabled=${past.length === 0} @click=${this.#undo}>${undoIcon}</button>
        <button class="button icon" type="button" aria-label=${msg('Redo')} ?disabled=${future.length === 0} @click=${this.#redo}>${redoIcon}</button>
      </div>
      ${this.#notice()}
      <p class="visually-hidden" role="status">${this.announcement}</p>
      ${
        present.tiles.length === 0
          ? html`<div class="empty"><h2>${msg('This dashboard has no tiles yet')}</h2><p>${msg('Ask something new, or take a saved query. Texts and filters are in the menu above.')}</p>
              <div class="acts"><button class="button primary" type="button" @click=${this.#addQuestion}>${msg('New query')}</button><button class="button" type="button" @click=${this.#openPicker}>${msg('Add a tile from a saved query')}</button></div></div>`
          : html`<ui-dashboard-grid isEditing .dashboard=${present} @place=${this.#placed} @settings=${({ detail }: TileEvent) => void this.#settings(detail.id)} @query=${({ detail }: TileEvent) => this.#editQuery(detail.id)} @drill=${({ detail }: TileEvent) => this.#askDrill(detail.id)} @remove=${this.#removed}></ui-dashboard-grid>
              <p class="keys">${msg('Arrow keys move a tile, with Shift they resize it. Enter opens its settings, E its query, C its clicks, Delete removes it, Ctrl Z undoes.')}</p>`
      }
      <ui-form-dialog></ui-form-dialog>
      <ui-drill-dialog></ui-drill-dialog>
      <ui-add-query @pick=${this.#addQuery}></ui-add-query>
      <ui-explore-sheet></ui-explore-sheet>
    `;
  }
}

/** Returns a tile with what a click in it leads to. */
function withDrill({ drill: _, ...tile }: Tile, drill: Tile['drill']): Tile {
  return drill === undefined ? tile : { ...tile, drill };
}

customElements.define('ui-dashboard-editor', DashboardEditor);
