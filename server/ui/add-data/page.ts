import { css, html, LitElement, nothing } from 'lit';
import { session } from '../shell/page-context.ts';
import { SessionController } from '../shell/session.ts';
import { requestSignIn } from '../shell/sign-in-request.ts';
import { shared } from '../styles/shared.ts';
import { carryOver } from './carry-over.ts';
import { chooseUse } from './column-uses.ts';
import type { ChosenUse, ColumnReasons, Draft } from './draft.ts';
import { type Join, withJoins } from './joins.ts';
import type { ReadingChange } from './losses-panel.ts';
import { addChoices, type ReadingChoices } from './reading.ts';
import {
  type Connection,
  keepFiles,
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
      /** How the files were read: the choices at last, and before each of them. */
      readonly readings: readonly ReadingChoices[];
      readonly isReadingAgain: boolean;
      readonly joins: readonly Join[];
      /** Why the files could not be read as the user chose; empty where they were. */
      readonly problem: string;
    };

const count = new Intl.NumberFormat('en');

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
      .columns { display: grid; gap: 32px 28px; align-items: start; transition: opacity 120ms; }
      .columns[aria-busy='true'] { opacity: 0.5; }
      @media (min-width: 980px) {
        .columns { grid-template-columns: minmax(0, 7fr) minmax(320px, 5fr); }
        ui-answers { position: sticky; top: calc(var(--header) + 16px); }
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
      @media (prefers-reduced-motion: reduce) { .sketch i { animation: none; } }
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
    let title = 'The data could not be read';
    try {
      const read = await source(running.signal);
      if (running.signal.aborted) return;
      this.stage = { at: 'working', words: 'Suggesting a model…' };
      title = 'No model could be suggested';
      const { draft, leftOut } = await propose(session.client, read.profile, running.signal);
      if (running.signal.aborted) return;
      this.stage = {
        at: 'designing',
        source: read,
        draft,
        leftOut,
        readings: [{}],
        joins: [],
        isReadingAgain: false,
        problem: '',
      };
    } catch (error) {
      if (running.signal.aborted) return;
      session.reportFailure(error);
      this.stage = { at: 'failed', title, message: error instanceof Error ? error.message : 'Something went wrong.' };
    }
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }

  #files({ detail }: CustomEvent<readonly File[]>): void {
    const [first] = detail;
    if (first === undefined) return;
    const words = detail.length === 1 ? `Reading ${first.name}…` : `Reading ${detail.length} files…`;
    void this.#begin(words, (signal) => this.#read({ files: detail, choices: {}, replaces: undefined }, signal));
  }

  #read(request: ReadRequest, signal: AbortSignal): Promise<Source> {
    const [first] = request.files;
    if (this.#isAdministrator || first === undefined) return keepFiles(session.client, request, signal);
    return profileFile(session.client, first, request.choices, signal);
  }

  #readingChanged({ detail: { table, choices } }: CustomEvent<ReadingChange>): void {
    if (this.stage.at !== 'designing') return;
    const { readings } = this.stage;
    void this.#readAgain([...readings, addChoices(readings.at(-1) ?? {}, table, choices)]);
  }

  #undo(): void {
    if (this.stage.at === 'designing') void this.#readAgain(this.stage.readings.slice(0, -1));
  }

  /** Reads the files in another way. What the user changed in the model is kept where it is still there. */
  async #readAgain(readings: readonly ReadingChoices[]): Promise<void> {
    const { stage } = this;
    if (stage.at !== 'designing') return;
    await this.#proposeAgain({ readings, joins: stage.joins }, (signal) => {
      const { files, connectionId } = stage.source;
      return this.#read({ files, choices: readings.at(-1) ?? {}, replaces: connectionId }, signal);
    });
  }

  #joinsChanged({ detail: joins }: CustomEvent<readonly Join[]>): void {
    if (this.stage.at !== 'designing') return;
    const { source, readings } = this.stage;
    void this.#proposeAgain({ readings, joins }, () => Promise.resolve(source));
  }

  async #proposeAgain(
    { readings, joins }: { readonly readings: readonly ReadingChoices[]; readonly joins: readonly Join[] },
    read: (signal: AbortSignal) => Promise<Source>,
  ): Promise<void> {
    const { stage } = this;
    if (stage.at !== 'designing' || stage.isReadingAgain) return;
    this.#running.abort();
    const running = new AbortController();
    this.#running = running;
    this.stage = { ...stage, isReadingAgain: true, problem: '' };
    try {
      const source = await read(running.signal);
      const { draft, leftOut } = await propose(session.client, withJoins(source.profile, joins), running.signal);
      if (running.signal.aborted) return;
      const { name } = stage.source;
      const kept = carryOver(stage.draft, draft);
      this.stage = {
        at: 'designing',
        source: { ...source, name },
        draft: kept,
        leftOut,
        readings,
        joins,
        isReadingAgain: false,
        problem: '',
      };
    } catch (error) {
      if (running.signal.aborted) return;
      session.reportFailure(error);
      const problem = error instanceof Error ? error.message : 'The files could not be read in this way.';
      this.stage = { ...stage, isReadingAgain: false, problem };
    }
  }

  #connection({ detail }: CustomEvent<Connection>): void {
    void this.#begin(`Reading ${detail.name}…`, (signal) => profileConnection(session.client, detail, signal));
  }

  #changed({ detail }: CustomEvent<Draft>): void {
    if (this.stage.at === 'designing') this.stage = { ...this.stage, draft: detail };
  }

  #useChosen({ detail }: CustomEvent<ChosenUse>): void {
    if (this.stage.at === 'designing') this.stage = { ...this.stage, draft: chooseUse(this.stage.draft, detail) };
  }

  #designing({
    source,
    draft,
    leftOut,
    readings,
    joins,
    isReadingAgain,
    problem,
  }: Extract<Stage, { at: 'designing' }>) {
    const { connectionId, profile, name } = source;
    return html`
      <div class="parts">
        ${problem === '' ? nothing : html`<div class="notice failed" role="alert"><h2>The files could not be read in this way</h2><p>${problem}</p></div>`}
        <ui-losses .profile=${profile} ?canUndo=${readings.length > 1} ?isWorking=${isReadingAgain} @reading=${this.#readingChanged} @undo=${this.#undo}></ui-losses>
        <div class="columns" aria-busy=${isReadingAgain}>
          <ui-model .draft=${draft} @draft=${this.#changed}></ui-model>
          <ui-answers tabindex="0" role="region" aria-label="First results" .draft=${draft} .connectionId=${connectionId}></ui-answers>
        </div>
        <ui-publish .draft=${draft} .profile=${profile} .connectionId=${connectionId} .suggestion=${toDatasourceName(name)} ?canPublish=${this.#isAdministrator}></ui-publish>
        <ui-joins .profile=${profile} .joins=${joins} ?isWorking=${isReadingAgain} @joins=${this.#joinsChanged} @reading=${this.#readingChanged}></ui-joins>
        <ui-profile .profile=${profile} .leftOut=${leftOut} .draft=${draft} ?isWorking=${isReadingAgain} @reading=${this.#readingChanged} @use=${this.#useChosen}></ui-profile>
      </div>
    `;
  }

  #signIn(): void {
    requestSignIn(this);
  }

  #content() {
    const { stage } = this;
    if (session.user === undefined)
      return html`<div class="working"><span class="visually-hidden" role="status">Loading…</span></div>`;
    if (session.user === null)
      return html`<div class="notice"><h2>Sign in to add data</h2><p>Every user can preview a model for one file. Administrators can save data and publish models.</p>
        <button class="button primary" type="button" @click=${this.#signIn}>Sign in</button></div>`;
    switch (stage.at) {
      case 'choosing':
        return html`<ui-source ?canKeep=${this.#isAdministrator} @files=${this.#files} @connection=${this.#connection}></ui-source>`;
      case 'working':
        return html`<div class="working"><span class="sketch" aria-hidden="true"><i></i><i></i><i></i><i></i></span><p role="status">${stage.words}</p>
          <button class="button" type="button" @click=${this.#startOver}>Stop</button></div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><h2>${stage.title}</h2><p>${stage.message}</p>
          <button class="button" type="button" @click=${this.#startOver}>Choose other data</button></div>`;
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
          <h1 tabindex="-1">${isDesigning ? stage.source.name : 'Add data'}</h1>
          <p>${
            isDesigning
              ? `${tables.length === 1 ? 'One table' : `${tables.length} tables`}, ${count.format(rows)} rows. ${stage.source.connectionId === undefined ? 'Not saved on the server.' : ''}`
              : 'Choose files or a database. We suggest measures and dimensions; you check them and publish.'
          }</p>
        </div>
        ${isDesigning ? html`<button class="button" type="button" @click=${this.#startOver}>Start over</button>` : nothing}
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
