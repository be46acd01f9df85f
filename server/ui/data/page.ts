import { css, html, LitElement, nothing } from 'lit';
import { ENGINES, type EngineName } from '../../../router/warehouse-engines.ts';
import { withBasePath } from '../api-client/base-path.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import type { MenuItem } from '../parts/menu.ts';
import { session } from '../shell/page-context.ts';
import { SessionController } from '../shell/session.ts';
import { formStyles } from '../styles/form-styles.ts';
import { alertIcon, doneIcon, plusIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import {
  clearUploads,
  describeRemoval,
  reloadModels,
  removeModel,
  removeUpload,
  undoChange,
} from './change-requests.ts';
import { ConnectionDialog } from './connection-dialog.ts';
import { readConnection, removeConnection, testConnection } from './connection-requests.ts';
import {
  type ConnectionEntry,
  type DataEntries,
  type ModelEntry,
  readAllData,
  readReadableData,
  type UndoEntry,
  type UploadEntry,
} from './data-entries.ts';
import { type Question, QuestionDialog } from './question-dialog.ts';
import { everyWords, RefreshDialog } from './refresh-dialog.ts';
import { changeRefresh, type RefreshEntry, removeRefresh } from './refresh-requests.ts';
import { ReplaceDialog } from './replace-dialog.ts';
import { RunDialog } from './run-dialog.ts';
import { ageWords, nameList, sizeWords, stateWords, timeWords, whenWords } from './words.ts';
import '../parts/menu.ts';
import '../parts/page-head.ts';

/** Problems of a model that its row shows. */
const SHOWN_PROBLEMS = 3;
/** Time in which a refresh that somebody asked for has begun and ended, and the time between two looks at it, in milliseconds. */
const WATCH_MS = 60_000;
const READ_AGAIN_MS = 2_000;

/** Shows the models, connections and uploads of the tenant with the state of each. */
export class DataPage extends LitElement {
  static override properties = { search: { state: true }, news: { state: true }, checks: { state: true } };
  static override styles = [
    shared,
    formStyles,
    css`
      :host { max-width: var(--wide); margin-inline: auto; padding: 24px var(--gutter) 64px; font: 14px / 20px var(--body); }
      .sections { display: grid; gap: 32px; }
      .tools { display: flex; flex-wrap: wrap; gap: 12px; margin-bottom: 24px; }
      .tools .input { flex: 0 1 360px; }
      .rows { border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
      .row { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 4fr) 112px; align-items: center; gap: 2px 16px; min-height: 52px; padding: 8px 8px 8px 16px; border-top: 1px solid var(--line); }
      .row:first-child { border-top: 0; }
      .name { font-weight: 600; overflow-wrap: anywhere; }
      .name a { color: var(--ink); text-decoration: none; }
      .name a:hover { color: var(--accent); text-decoration: underline; }
      .about { color: var(--muted); overflow-wrap: anywhere; }
      .state { display: flex; align-items: start; gap: 8px; min-width: 0; }
      .state::before { content: ''; flex: none; width: 8px; height: 8px; margin-top: 6px; border-radius: 50%; background: var(--good); }
      .state.calm::before { background: var(--muted); }
      .state.warn::before { background: var(--warn); }
      .state.bad { color: var(--bad); font-weight: 500; }
      .state.bad::before { background: var(--bad); }
      .problems { grid-column: 1 / -1; display: grid; gap: 4px; margin: 4px 8px 4px 0; padding: 8px 12px; border-radius: 8px; background: var(--warn-wash); }
      .problems.bad { background: var(--bad-wash); }
      .problems li { overflow-wrap: anywhere; }
      .undo { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; padding: 8px 8px 8px 16px; border-radius: 10px; background: var(--accent-wash); }
      .undo p { flex: 1 1 240px; }
      .undos { display: grid; gap: 8px; margin-bottom: 24px; }
      .news { display: flex; align-items: center; gap: 8px; margin-bottom: 24px; padding: 8px 16px; border-radius: 10px; background: var(--good-wash); color: var(--good); font-weight: 500; }
      .news.bad { background: var(--bad-wash); color: var(--bad); }
      .news svg { flex: none; width: 16px; height: 16px; }
      .end { display: flex; align-items: center; justify-content: end; gap: 8px; }
      .bone { height: 220px; }
      .empty { display: grid; justify-items: center; gap: 12px; padding: 48px 24px; border: 1px dashed var(--line); border-radius: 10px; text-align: center; color: var(--muted); }
      .empty h2 { color: var(--ink); }
      .none { padding: 16px; color: var(--muted); }
      .small { min-height: 32px; font-size: 13px; }
      @media (max-width: 600px) {
        .row { grid-template-columns: minmax(0, 1fr) auto; }
        .row .end { grid-column: 2; grid-row: 1 / span 2; }
        .row .state, .row .about { grid-column: 1; }
        .tools .input { flex: 1 1 100%; }
      }
    `,
  ];

  declare search: string;
  declare news: { readonly text: string; readonly isBad: boolean };
  /** What tests of connections found, by the id of the connection. */
  declare checks: Readonly<Record<string, { readonly text: string; readonly tone: 'calm' | 'good' | 'bad' }>>;
  readonly #data = new RemoteData<DataEntries>(this);
  #nextRead: ReturnType<typeof setTimeout> | undefined;
  /** Until this time a refresh that somebody asked for may begin, milliseconds since 1970. */
  #watchedUntil = 0;

  constructor() {
    super();
    this.search = '';
    this.news = { text: '', isBad: false };
    this.checks = {};
    new SessionController(this, session, () => void this.#read());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#nextRead);
  }

  get #isAdministrator(): boolean {
    return session.user?.administrator === true;
  }

  /** Returns whether there is nothing to list; the list then has the one button. */
  get #isEmpty(): boolean {
    const { state } = this.#data;
    if (state.status !== 'ready') return false;
    const { models, connections, uploads } = state.value;
    return models.length + connections.length + uploads.length === 0;
  }

  async #read(): Promise<void> {
    if (!session.user) return;
    const read = this.#isAdministrator ? readAllData : readReadableData;
    const state = await this.#data.read((signal) => read(session.client, signal));
    if (state.status === 'failed') session.reportFailure(state.cause);
    clearTimeout(this.#nextRead);
    const isRunning = state.status === 'ready' && state.value.refreshes.some((each) => each.isRunning);
    if (this.isConnected && (isRunning || Date.now() < this.#watchedUntil))
      this.#nextRead = setTimeout(() => void this.#read(), READ_AGAIN_MS);
  }

  #tell(text: string, isBad = false): void {
    this.news = { text, isBad };
  }

  /** Does something, reports it, and reads the lists again. */
  async #do(work: () => Promise<string>): Promise<void> {
    try {
      this.#tell(await work());
    } catch (error) {
      session.reportFailure(error);
      this.#tell(error instanceof Error ? error.message : msg('Something went wrong.'), true);
    }
    await this.#read();
  }

  #ask(question: Question): void {
    const dialog = this.renderRoot.querySelector('ui-question-dialog');
    if (dialog instanceof QuestionDialog) void dialog.ask(question);
  }

  #replace(model: ModelEntry): void {
    const dialog = this.renderRoot.querySelector('ui-replace-dialog');
    if (dialog instanceof ReplaceDialog) void dialog.open(model);
  }

  #schedule(model: ModelEntry): void {
    const dialog = this.renderRoot.querySelector('ui-refresh-dialog');
    if (dialog instanceof RefreshDialog)
      void dialog.open(model, this.#data.state.status === 'ready' ? this.#data.state.value.connections : []);
  }

  #connectionName(id: string): string {
    const { state } = this.#data;
    const found = state.status === 'ready' ? state.value.connections.find((each) => each.id === id) : undefined;
    return found === undefined ? msg('a connection that is gone') : msg(str`tables of ${found.name}`);
  }

  #showRun(refresh: RefreshEntry): void {
    const dialog = this.renderRoot.querySelector('ui-run-dialog');
    if (dialog instanceof RunDialog) void dialog.open(refresh);
  }

  #editConnection(id?: string): void {
    const dialog = this.renderRoot.querySelector('ui-connection-dialog');
    if (dialog instanceof ConnectionDialog) void dialog.open(id);
  }

  async #remove(model: ModelEntry): Promise<void> {
    try {
      const { goes, stays, undoMinutes } = await describeRemoval(session.client, model.id);
      this.#ask({
        heading: msg(str`Remove ${model.name}?`),
        text: msg(str`You can undo this for ${undoMinutes} minutes.`),
        goes,
        stays,
        action: msg('Remove'),
        act: () => removeModel(session.client, model.id),
      });
    } catch (error) {
      session.reportFailure(error);
      this.#tell(error instanceof Error ? error.message : msg('Something went wrong.'), true);
    }
  }

  #removeConnection({ id, name, usedBy }: ConnectionEntry): void {
    const used =
      usedBy.length === 0
        ? msg('No model reads its database.')
        : msg(str`${nameList(usedBy)} reads the same database. Models have a copy of the address, and go on.`);
    this.#ask({
      heading: msg(str`Remove the connection ${name}?`),
      text: used,
      action: msg('Remove'),
      act: () => removeConnection(session.client, id),
    });
  }

  async #test({ id, name }: ConnectionEntry): Promise<void> {
    const show = (text: string, tone: 'calm' | 'good' | 'bad') => {
      this.checks = { ...this.checks, [id]: { text, tone } };
    };
    show(msg('Testing…'), 'calm');
    try {
      const { url, username, schema } = await readConnection(session.client, id);
      const tested = await testConnection(session.client, { url, username, schema, password: undefined }, id);
      show(
        tested.isReachable ? msg(str`Answers: ${tested.product}`) : tested.message,
        tested.isReachable ? 'good' : 'bad',
      );
    } catch (error) {
      show(error instanceof Error ? error.message : msg(str`${name} could not be tested.`), 'bad');
    }
  }

  #clear(unused: readonly UploadEntry[]): void {
    const bytes = unused.reduce((sum, each) => sum + each.bytes, 0);
    this.#ask({
      heading: msg('Clear the uploads that nothing uses?'),
      text: msg(
        str`${unused.length} uploads with ${sizeWords(bytes)} go, with their connections. This cannot be undone.`,
      ),
      goes: unused.map(({ name, bytes: size, createdAt }) => `${name} · ${sizeWords(size)} · ${ageWords(createdAt)}`),
      action: msg('Clear'),
      act: async () => {
        await clearUploads(session.client);
      },
    });
  }

  #undo(change: UndoEntry): void {
    void this.#do(async () => {
      await undoChange(session.client, change.kind, change.id);
      return change.kind === 'removed'
        ? msg(str`${change.name} is back.`)
        : msg(str`The data of ${change.name} is as it was before.`);
    });
  }

  #menuOf(model: ModelEntry): readonly MenuItem[] {
    return [
      { label: msg('Open'), address: addressOf(model) },
      ...(model.isReplaceable
        ? [
            { label: msg('Replace data…'), act: () => this.#replace(model) },
            { label: msg('Schedule a refresh…'), act: () => this.#schedule(model) },
          ]
        : []),
      { label: msg('Remove…'), act: () => void this.#remove(model), isDanger: true },
    ];
  }

  #modelRow(model: ModelEntry) {
    const { name, state, problems } = model;
    const tone =
      state === 'BROKEN'
        ? 'bad'
        : state === 'READY'
          ? problems.length > 0
            ? 'warn'
            : ''
          : state === 'DISABLED'
            ? 'calm'
            : 'warn';
    const more = problems.length - SHOWN_PROBLEMS;
    return html`<li class="row">
      <span class="name">${this.#isAdministrator && model.kind === 'model' ? html`<a href=${addressOf(model)}>${name}</a>` : name}</span>
      <span class="state ${tone}">${stateWords(model)}</span>
      <span class="end">${this.#isAdministrator ? html`<ui-menu label=${msg(str`Actions of ${name}`)} .items=${this.#menuOf(model)}></ui-menu>` : nothing}</span>
      ${
        problems.length === 0
          ? nothing
          : html`<ul class="problems ${state === 'BROKEN' ? 'bad' : ''}">${problems.slice(0, SHOWN_PROBLEMS).map((each) => html`<li>${each}</li>`)}${more > 0 ? html`<li>${msg(str`and ${more} more`)}</li>` : nothing}</ul>`
      }
    </li>`;
  }

  #connectionRow(connection: ConnectionEntry) {
    const { id, name, type, place, usedBy } = connection;
    const check = this.checks[id];
    const used = usedBy.length === 0 ? msg('used by no model') : msg(str`used by ${nameList(usedBy)}`);
    const title = isEngine(type) ? ENGINES[type].title : type;
    return html`<li class="row">
      <span class="name">${name}</span>
      <span class="about">${title} · ${place} · ${used}${check === undefined ? nothing : html`<span class="state ${check.tone}" role="status">${check.text}</span>`}</span>
      <span class="end">
        <button class="button small" type="button" @click=${() => this.#test(connection)}>${msg('Test')}<span class="visually-hidden"> ${name}</span></button>
        <ui-menu label=${msg(str`Actions of ${name}`)} .items=${[
          { label: msg('Change…'), act: () => this.#editConnection(id) },
          { label: msg('Remove…'), act: () => this.#removeConnection(connection), isDanger: true },
        ]}></ui-menu>
      </span>
    </li>`;
  }

  #uploadRow(upload: UploadEntry) {
    const { file, name, bytes, createdAt, usedBy, isNeededForUndo } = upload;
    const used = isNeededForUndo
      ? msg('needed for an undo')
      : usedBy.length === 0
        ? msg('nothing uses it')
        : msg(str`used by ${nameList(usedBy)}`);
    const remove = () =>
      this.#ask({
        heading: msg(str`Remove the upload ${name}?`),
        text: msg(str`${sizeWords(bytes)} go, with the connection. This cannot be undone.`),
        action: msg('Remove'),
        act: () => removeUpload(session.client, file),
      });
    return html`<li class="row">
      <span class="name">${name}</span>
      <span class="about">${sizeWords(bytes)} · ${ageWords(createdAt)} · ${used}</span>
      <span class="end">${
        isUnused(upload)
          ? html`<ui-menu label=${msg(str`Actions of ${name}`)} .items=${[{ label: msg('Remove…'), act: remove, isDanger: true }]}></ui-menu>`
          : nothing
      }</span>
    </li>`;
  }

  #refreshRow(refresh: RefreshEntry) {
    const {
      id,
      name,
      folder,
      connection,
      links,
      rollup,
      everyMinutes,
      at,
      timeZone,
      isPaused,
      isRunning,
      isFailed,
      nextRun,
      lastRun,
      isCompared,
      message,
    } = refresh;
    const rhythm = everyMinutes === undefined ? msg(str`every day at ${at} (${timeZone})`) : everyWords(everyMinutes);
    const next = isRunning
      ? msg('runs now')
      : isPaused || nextRun === undefined
        ? msg('paused')
        : msg(str`next ${whenWords(nextRun)}`);
    const change = (action: 'run' | 'pause' | 'resume', done: string) =>
      void this.#do(async () => {
        await changeRefresh(session.client, id, action);
        if (action === 'run') this.#watchedUntil = Date.now() + WATCH_MS;
        return done;
      });
    const remove = () =>
      this.#ask({
        heading: msg(str`Remove the refresh of ${name}?`),
        text: msg('The data stays as it is. Files stay in the folder.'),
        action: msg('Remove'),
        act: () => removeRefresh(session.client, id),
      });
    return html`<li class="row">
      <span class="name">${name}</span>
      <span class="about">${connection === '' ? (folder === '' ? rollup || links.join(', ') : folder) : this.#connectionName(connection)} · ${rhythm} · ${next}
        ${lastRun === undefined ? nothing : html`<span class="state ${isFailed ? 'bad' : ''}">${isFailed ? msg(str`Failed ${whenWords(lastRun)}: ${message}`) : msg(str`Ran ${whenWords(lastRun)}: ${message}`)}</span>`}</span>
      <span class="end"><ui-menu label=${msg(str`Actions of the refresh of ${name}`)} .items=${[
        {
          label: msg('Run now'),
          act: () => change('run', msg('It runs within seconds.')),
        },
        ...(isCompared ? [{ label: msg('What the last run changed'), act: () => this.#showRun(refresh) }] : []),
        isPaused
          ? { label: msg('Go on'), act: () => change('resume', msg('It goes on.')) }
          : { label: msg('Pause'), act: () => change('pause', msg('It is paused.')) },
        // A model declares the refreshes of its roll-ups.
        ...(rollup === '' ? [{ label: msg('Remove…'), act: remove, isDanger: true }] : []),
      ]}></ui-menu></span>
    </li>`;
  }

  #undos(undos: readonly UndoEntry[]) {
    if (undos.length === 0) return nothing;
    return html`<ul class="undos" aria-label=${msg('Changes that can be undone')}>${undos.map(
      (change) => html`<li class="undo">
        <p>${change.kind === 'removed' ? msg(str`${change.name} was removed.`) : msg(str`The data of ${change.name} was replaced.`)} ${msg(str`You can undo this until ${timeWords(change.until)}.`)}</p>
        <button class="button small" type="button" @click=${() => this.#undo(change)}>${msg('Undo')}<span class="visually-hidden"> ${change.name}</span></button>
      </li>`,
    )}</ul>`;
  }

  #lists({ models, connections, uploads, refreshes, undos }: DataEntries) {
    const wanted = this.search.trim().toLowerCase();
    const fits = ({ name }: { readonly name: string }) => name.toLowerCase().includes(wanted);
    const shown = models.filter(fits);
    const unused = uploads.filter(isUnused);
    if (this.#isEmpty)
      return html`${this.#undos(undos)}<div class="empty"><h2>${msg('No data yet')}</h2>
        <p>${this.#isAdministrator ? msg('Files and databases become models that answer questions.') : msg('An administrator adds data, and gives you the right to read it.')}</p>
        ${this.#isAdministrator ? html`<a class="button primary" href=${withBasePath('/ui/add-data/')}>${plusIcon}${msg('Add data')}</a>` : nothing}</div>`;
    return html`
      ${this.#undos(undos)}
      <div class="tools"><input class="input" type="search" placeholder=${msg('Search data')} aria-label=${msg('Search data')} .value=${this.search}
        @input=${({ currentTarget }: Event) => {
          if (currentTarget instanceof HTMLInputElement) this.search = currentTarget.value;
        }} /></div>
      <div class="sections">
        <section aria-labelledby="models"><div class="section-head"><h2 id="models">${msg('Models and cubes')}</h2>${
          this.#isAdministrator
            ? html`<button class="button small" type="button" @click=${this.#reload}>${msg('Read all again')}</button>`
            : nothing
        }</div>
          ${
            shown.length === 0
              ? html`<div class="rows"><p class="none">${models.length === 0 ? msg('No model yet.') : msg(str`No model is called “${this.search}”.`)}</p></div>`
              : html`<ul class="rows">${shown.map((model) => this.#modelRow(model))}</ul>`
          }</section>
        ${
          this.#isAdministrator
            ? html`${
                refreshes.filter(fits).length === 0
                  ? nothing
                  : html`<section aria-labelledby="refreshes"><div class="section-head"><h2 id="refreshes">${msg('Scheduled refreshes')}</h2></div>
                    <ul class="rows">${refreshes.filter(fits).map((each) => this.#refreshRow(each))}</ul></section>`
              }<section aria-labelledby="connections"><div class="section-head"><h2 id="connections">${msg('Connections')}</h2>
                <button class="button small" type="button" @click=${() => this.#editConnection()}>${plusIcon}${msg('Add a connection')}</button></div>
              ${
                connections.filter(fits).length === 0
                  ? html`<div class="rows"><p class="none">${connections.length === 0 ? msg('No connection to a database yet.') : msg(str`No connection is called “${this.search}”.`)}</p></div>`
                  : html`<ul class="rows">${connections.filter(fits).map((each) => this.#connectionRow(each))}</ul>`
              }</section>
              <section aria-labelledby="uploads"><div class="section-head"><h2 id="uploads">${msg('Uploads')}</h2>
                ${unused.length === 0 ? nothing : html`<button class="button small" type="button" @click=${() => this.#clear(unused)}>${msg(str`Clear ${unused.length} unused`)}</button>`}</div>
              ${
                uploads.filter(fits).length === 0
                  ? html`<div class="rows"><p class="none">${msg('No uploaded files.')}</p></div>`
                  : html`<ul class="rows">${uploads.filter(fits).map((each) => this.#uploadRow(each))}</ul>`
              }</section>`
            : nothing
        }
      </div>`;
  }

  #reload(): void {
    void this.#do(async () => {
      await reloadModels(session.client);
      return msg('All models were read again.');
    });
  }

  #content() {
    if (session.user === undefined)
      return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
    if (session.user === null)
      return html`<div class="empty"><h2>${msg('Sign in to see the data')}</h2><p>${msg('You see the models and cubes that you may ask.')}</p></div>`;
    const { state } = this.#data;
    switch (state.status) {
      case 'loading':
        return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><h3>${msg('The data could not be loaded')}</h3><p>${state.message}</p>
          <button class="button" type="button" @click=${() => this.#read()}>${msg('Try again')}</button></div>`;
      case 'ready':
        return this.#lists(state.value);
    }
  }

  protected override render() {
    const { news } = this;
    return html`
      <ui-page-head heading=${msg('Data')}>
        ${this.#isAdministrator && !this.#isEmpty ? html`<a class="button primary" href=${withBasePath('/ui/add-data/')}>${plusIcon}${msg('Add data')}</a>` : nothing}
      </ui-page-head>
      ${news.text === '' ? nothing : html`<p class="news ${news.isBad ? 'bad' : ''}" role=${news.isBad ? 'alert' : 'status'}>${news.isBad ? alertIcon : doneIcon}${news.text}</p>`}
      ${this.#content()}
      <ui-replace-dialog @replaced=${({ detail }: CustomEvent<ModelEntry>) => void this.#do(async () => msg(str`The data of ${detail.name} is replaced.`))}></ui-replace-dialog>
      <ui-refresh-dialog @saved=${({ detail }: CustomEvent<ModelEntry>) => void this.#do(async () => msg(str`The refresh of ${detail.name} is scheduled.`))}></ui-refresh-dialog>
      <ui-run-dialog></ui-run-dialog>
      <ui-question-dialog @done=${() => void this.#do(async () => msg('Removed.'))}></ui-question-dialog>
      <ui-connection-dialog @saved=${({ detail }: CustomEvent<{ readonly name: string }>) => void this.#do(async () => msg(str`${detail.name} is saved.`))}></ui-connection-dialog>
    `;
  }
}

function addressOf({ id, kind, explored, name }: ModelEntry): string {
  return kind === 'model'
    ? withBasePath(`/ui/data/${encodeURIComponent(id)}`)
    : withBasePath(`/ui/explore/${encodeURIComponent(name)}/${encodeURIComponent(explored ?? '')}`);
}

/** Returns whether neither a model nor an undo needs an upload. */
function isUnused({ usedBy, isNeededForUndo }: UploadEntry): boolean {
  return usedBy.length === 0 && !isNeededForUndo;
}

function isEngine(type: string): type is EngineName {
  return Object.hasOwn(ENGINES, type);
}

customElements.define('ui-data', DataPage);
