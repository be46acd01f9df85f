import { css, html, LitElement, nothing } from 'lit';
import { session } from '../shell/page-context.ts';
import { SessionController } from '../shell/session.ts';
import { requestSignIn } from '../shell/sign-in-request.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import { carryOver } from './carry-over.ts';
import { chooseUse } from './column-uses.ts';
import type { ChosenUse, ColumnReasons, Draft } from './draft.ts';
import { type Join, withJoins } from './joins.ts';
import type { ReadingChange } from './losses-panel.ts';
import { addChoices } from './reading.ts';
import {
  FIRST_READING,
  isSameWish,
  type ReadingNotice,
  type ReadingPlace,
  type ReadingProblem,
  type ReadingWish,
} from './reading-wish.ts';
import {
  type Connection,
  keepFiles,
  keepLinks,
  profileConnection,
  profileFile,
  propose,
  type ReadRequest,
  type Source,
} from './requests.ts';
import './answers-panel.ts';
import './joins-panel.ts';
import './losses-panel.ts';
import './model-panel.ts';
import './profile-panel.ts';
import './publish-panel.ts';
import './source-panel.ts';

type Stage =
  | { readonly at: 'choosing' }
  | { readonly at: 'working'; readonly words: string }
  | { readonly at: 'failed'; readonly title: string; readonly message: string }
  | {
      readonly at: 'designing';
      readonly source: Source;
      readonly draft: Draft;
      readonly leftOut: ColumnReasons;
      /** The choices that the model on the page has. */
      readonly shown: ReadingWish;
      /** The choices of the user; another object than `shown` while the files are being read again. */
      readonly wanted: ReadingWish;
      /** Why the files could not be read as the user chose. */
      readonly problem: ReadingProblem | undefined;
    };

const count = new Intl.NumberFormat(language);

/** Guides the user from files or a database to a published model. */
export class AddDataPage extends LitElement {
  static override properties = { stage: { state: true } };
  static override styles = [
    shared,
    css`
      :host { max-width: var(--wide); margin-inline: auto; padding: 24px var(--gutter) 80px; }
      .head { display: flex; flex-wrap: wrap; align-items: start; justify-content: space-between; gap: 14px 24px; margin-bottom: clamp(22px, 3vw, 32px); }
      h1 { margin: 0; font-size: clamp(28px, 3.6vw, 38px); font-weight: 680; line-height: 1.12; letter-spacing: -0.03em; overflow-wrap: anywhere; }
      h1:focus { outline: none; }
      .head p { margin-top: 8px; max-width: 60ch; color: var(--muted); }
      .parts { display: grid; gap: clamp(32px, 4vw, 44px); }
      .columns { display: grid; gap: 32px 28px; align-items: start; position: relative; }
      /* What is replaced stays readable under a thin line of progress. */
      .columns[aria-busy='true']::before { content: ''; position: absolute; inset: -14px 0 auto; height: 2px; border-radius: 1px; background: var(--accent); animation: wait 1.2s ease-in-out infinite alternate; transform-origin: left; }
      @keyframes wait { from { transform: scaleX(0.1); } }
      @media (min-width: 980px) {
        .columns { grid-template-columns: minmax(0, 7fr) minmax(320px, 5fr); }
        /* The results have a height of their own: what is below does not move when they arrive, so that no click misses. */
        ui-answers { position: sticky; top: calc(var(--header) + 16px); height: clamp(420px, calc(100vh - var(--header) - 32px), 760px); overflow-y: auto; }
      }
      .working { display: grid; justify-items: center; align-content: center; gap: 18px; min-height: 300px; border: 1px solid var(--line); border-radius: 14px; background: var(--paper); text-align: center; }
      .working p { color: var(--muted); }
      .sketch { display: flex; align-items: end; gap: 7px; height: 44px; }
      .sketch i { width: 14px; border-radius: 3px 3px 0 0; background: var(--accent); animation: grow 1.4s ease-in-out infinite alternate; transform-origin: bottom; }
      .sketch i:nth-child(1) { height: 45%; } .sketch i:nth-child(2) { height: 75%; animation-delay: 200ms; }
      .sketch i:nth-child(3) { height: 60%; animation-delay: 400ms; } .sketch i:nth-child(4) { height: 100%; animation-delay: 600ms; }
      @keyframes grow { to { transform: scaleY(0.45); } }
      .notice { padding: clamp(20px, 4vw, 36px); }
      .notice .button { margin-top: 6px; }
      .notice h2 { color: var(--ink); font-size: 18px; }
      @media (prefers-reduced-motion: reduce) { .sketch i, .columns[aria-busy='true']::before { animation: none; } }
    `,
  ];

  declare stage: Stage;
  #running = new AbortController();

  constructor() {
    super();
    this.stage = { at: 'choosing' };
    new SessionController(this, session, () => {
      if (!session.user) this.#startOver();
    });
  }

  get #isAdministrator(): boolean {
    return session.user?.administrator === true;
  }

  #startOver(): void {
    this.#running.abort();
    this.stage = { at: 'choosing' };
  }

  async #begin(words: string, source: (signal: AbortSignal) => Promise<Source>): Promise<void> {
    this.#running.abort();
    const running = new AbortController();
    this.#running = running;
    this.stage = { at: 'working', words };
    let title = msg('The data could not be read');
    try {
      const read = await source(running.signal);
      if (running.signal.aborted) return;
      this.stage = { at: 'working', words: msg('Suggesting a model…') };
      title = msg('No model could be suggested');
      const { draft, leftOut } = await propose(session.client, read.profile, running.signal);
      if (running.signal.aborted) return;
      this.stage = {
        at: 'designing',
        source: read,
        draft,
        leftOut,
        shown: FIRST_READING,
        wanted: FIRST_READING,
        problem: undefined,
      };
    } catch (error) {
      if (running.signal.aborted) return;
      session.reportFailure(error);
      this.stage = {
        at: 'failed',
        title,
        message: error instanceof Error ? error.message : msg('Something went wrong.'),
      };
    }
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }

  #files({ detail }: CustomEvent<readonly File[]>): void {
    const [first] = detail;
    if (first === undefined) return;
    const words = detail.length === 1 ? msg(str`Reading ${first.name}…`) : msg(str`Reading ${detail.length} files…`);
    void this.#begin(words, (signal) =>
      this.#read({ files: detail, links: [], choices: {}, replaces: undefined }, signal),
    );
  }

  #links({ detail }: CustomEvent<readonly string[]>): void {
    const words = msg('Downloading the data…');
    void this.#begin(words, (signal) =>
      this.#read({ files: [], links: detail, choices: {}, replaces: undefined }, signal),
    );
  }

  #read(request: ReadRequest, signal: AbortSignal): Promise<Source> {
    if (request.links.length > 0) return keepLinks(session.client, request, signal);
    const [first] = request.files;
    if (this.#isAdministrator || first === undefined) return keepFiles(session.client, request, signal);
    return profileFile(session.client, first, request.choices, signal);
  }

  #reading(place: ReadingPlace) {
    return ({ detail: { table, choices } }: CustomEvent<ReadingChange>): void =>
      this.#want(({ readings, joins }) => {
        const before = readings.at(-1) ?? {};
        const after = addChoices(before, table, choices);
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        return { readings: isSame ? readings : [...readings, after], joins, place };
      });
  }

  #undo(): void {
    this.#want(({ readings, joins }) => ({ readings: readings.slice(0, -1), joins, place: 'losses' }));
  }

  #joinsChanged({ detail: joins }: CustomEvent<readonly Join[]>): void {
    this.#want(({ readings }) => ({ readings, joins, place: 'joins' }));
  }

  /** Follows a choice of the user. One that comes while the files are being read waits for its turn. */
  #want(change: (wanted: ReadingWish) => ReadingWish): void {
    const { stage } = this;
    if (stage.at !== 'designing') return;
    const wanted = change(stage.wanted);
    if (isSameWish(wanted, stage.wanted)) return;
    const isFollowing = stage.wanted !== stage.shown;
    this.stage = { ...stage, wanted, problem: undefined };
    if (!isFollowing) void this.#follow();
  }

  /** Reads the files and suggests a model until both are as the user wants them. What the user changed in the model is kept where it is still there. */
  async #follow(): Promise<void> {
    this.#running.abort();
    const running = new AbortController();
    this.#running = running;
    const { signal } = running;
    while (this.stage.at === 'designing' && this.stage.wanted !== this.stage.shown) {
      const { source: before, shown, wanted } = this.stage;
      const isRead = wanted.readings === shown.readings;
      let source = before;
      try {
        if (!isRead) source = await this.#readAs(wanted, before, signal);
        const { draft, leftOut } = await propose(session.client, withJoins(source.profile, wanted.joins), signal);
        if (signal.aborted || this.stage.at !== 'designing') return;
        const { name } = before;
        this.stage = {
          ...this.stage,
          source: { ...source, name },
          draft: carryOver(this.stage.draft, draft),
          leftOut,
          shown: wanted,
        };
      } catch (error) {
        if (signal.aborted) return;
        session.reportFailure(error);
        // The server has the new reading, the page the old model.
        if (source !== before) await this.#readAs(shown, before, signal).catch(() => undefined);
        if (signal.aborted || this.stage.at !== 'designing') return;
        const message = error instanceof Error ? error.message : msg('Something went wrong.');
        this.stage = { ...this.stage, wanted: shown, problem: { place: wanted.place, message } };
      }
    }
  }

  #readAs({ readings }: ReadingWish, { files, links, connectionId }: Source, signal: AbortSignal): Promise<Source> {
    return this.#read({ files, links, choices: readings.at(-1) ?? {}, replaces: connectionId }, signal);
  }

  #connection({ detail }: CustomEvent<Connection>): void {
    void this.#begin(msg(str`Reading ${detail.name}…`), (signal) => profileConnection(session.client, detail, signal));
  }

  #changed({ detail }: CustomEvent<Draft>): void {
    if (this.stage.at === 'designing') this.stage = { ...this.stage, draft: detail };
  }

  #useChosen({ detail }: CustomEvent<ChosenUse>): void {
    if (this.stage.at === 'designing') this.stage = { ...this.stage, draft: chooseUse(this.stage.draft, detail) };
  }

  #designing({ source, draft, leftOut, shown, wanted, problem }: Extract<Stage, { at: 'designing' }>) {
    const { connectionId, profile, name } = source;
    const isWorking = wanted !== shown;
    const notice = (place: ReadingPlace): ReadingNotice => ({
      isWorking: isWorking && wanted.place === place,
      problem: problem?.place === place ? problem.message : '',
    });
    return html`
      <div class="parts">
        <ui-losses .profile=${profile} ?canUndo=${wanted.readings.length > 1} .notice=${notice('losses')} .waiting=${isWorking ? wanted.readings.at(-1) : undefined} @reading=${this.#reading('losses')} @undo=${this.#undo}></ui-losses>
        <div class="columns" aria-busy=${isWorking}>
          <ui-model .draft=${draft} @draft=${this.#changed}></ui-model>
          <ui-answers tabindex="0" role="region" aria-label=${msg('First results')} .draft=${draft} .connectionId=${connectionId} ?isReplaced=${isWorking}></ui-answers>
        </div>
        <ui-publish .draft=${draft} .profile=${profile} .connectionId=${connectionId} .suggestion=${toDatasourceName(name)} ?canPublish=${this.#isAdministrator}></ui-publish>
        <ui-joins .profile=${profile} .joins=${wanted.joins} .notice=${notice('joins')} @joins=${this.#joinsChanged} @reading=${this.#reading('joins')}></ui-joins>
        <ui-profile .profile=${profile} .leftOut=${leftOut} .draft=${draft} .notice=${notice('profile')} @reading=${this.#reading('profile')} @use=${this.#useChosen}></ui-profile>
      </div>
    `;
  }

  #signIn(): void {
    requestSignIn(this);
  }

  #content() {
    const { stage } = this;
    if (session.user === undefined)
      return html`<div class="working"><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
    if (session.user === null)
      return html`<div class="notice"><h2>${msg('Sign in to add data')}</h2><p>${msg('Every user can preview a model for one file. Administrators can save data and publish models.')}</p>
        <button class="button primary" type="button" @click=${this.#signIn}>${msg('Sign in')}</button></div>`;
    switch (stage.at) {
      case 'choosing':
        return html`<ui-source ?canKeep=${this.#isAdministrator} @files=${this.#files} @links=${this.#links} @connection=${this.#connection}></ui-source>`;
      case 'working':
        return html`<div class="working"><span class="sketch" aria-hidden="true"><i></i><i></i><i></i><i></i></span><p role="status">${stage.words}</p>
          <button class="button" type="button" @click=${this.#startOver}>${msg('Stop')}</button></div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><h2>${stage.title}</h2><p>${stage.message}</p>
          <button class="button" type="button" @click=${this.#startOver}>${msg('Choose other data')}</button></div>`;
      case 'designing':
        return this.#designing(stage);
    }
  }

  protected override render() {
    const { stage } = this;
    const isDesigning = stage.at === 'designing' && Boolean(session.user);
    const tables = stage.at === 'designing' ? stage.source.profile.tables : [];
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return html`
      <div class="head">
        <div>
          <h1 tabindex="-1">${isDesigning ? stage.source.name : msg('Add data')}</h1>
          <p>${
            isDesigning
              ? `${tables.length === 1 ? msg(str`One table, ${count.format(rows)} rows.`) : msg(str`${tables.length} tables, ${count.format(rows)} rows.`)} ${stage.source.connectionId === undefined ? msg('Not saved on the server.') : ''}`
              : msg('Choose files or a database. We suggest measures and dimensions; you check them and publish.')
          }</p>
        </div>
        ${isDesigning ? html`<button class="button" type="button" @click=${this.#startOver}>${msg('Start over')}</button>` : nothing}
      </div>
      ${this.#content()}
    `;
  }
}

/** Converts a file's name to a legal name of a datasource: `Sales 2024` -> `Sales-2024`. */
function toDatasourceName(name: string): string {
  return name
    .replace(/\.[a-z]+$/i, '')
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^[-_]+|-+$/g, '')
    .slice(0, 60);
}

customElements.define('ui-add-data', AddDataPage);
