import { css, html, LitElement, nothing } from 'lit';
import { FILE_FORMATS } from '../../../router/capabilities/file-import.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { ConnectionDialog } from '../data/connection-dialog.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { uploadIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { type Connection, MAX_FILES, readAllowedLinks, readConnections, removeConnection } from './requests.ts';

const EXTENSIONS = FILE_FORMATS.map((format) => `.${format}`);

/**
 * Lets the user choose the data: dropped or selected files, or a saved connection. Fires `files` with a list of files, `links` with links,
 * and `connection` with a connection.
 */
export class SourcePanel extends LitElement {
  static override properties = {
    canKeep: { type: Boolean },
    isOver: { state: true },
    complaint: { state: true },
    linkComplaint: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    css`
      .ways { display: grid; gap: 20px; }
      @media (min-width: 900px) { .ways.two { grid-template-columns: minmax(0, 7fr) minmax(300px, 5fr); } }
      .drop {
        display: grid; justify-items: center; align-content: center; gap: 10px; min-height: 300px; padding: 32px 24px; border: 2px dashed var(--line);
        border-radius: 14px; background: var(--paper); text-align: center; transition: border-color 120ms, background-color 120ms;
      }
      .drop.over { border-color: var(--accent); background: var(--accent-wash); }
      .drop .sign { display: grid; place-items: center; width: 52px; height: 52px; border-radius: 14px; background: var(--accent-wash); color: var(--accent); }
      .drop.over .sign { background: var(--paper); }
      .drop .sign svg { width: 26px; height: 26px; }
      .drop h2 { font-size: 19px; }
      .drop p { max-width: 46ch; color: var(--muted); font-size: 14px; text-wrap: balance; }
      .drop .button { margin-top: 6px; }
      .wrong { max-width: 52ch; }
      .card { display: grid; align-content: start; gap: 14px; padding: 20px; border: 1px solid var(--line); border-radius: 14px; background: var(--paper); }
      .card h2 { font-size: 17px; }
      .card > p { color: var(--muted); font-size: 14px; }
      .rows { display: grid; gap: 8px; max-height: 320px; overflow: auto; }
      .rows li { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 2px 8px; padding: 8px 8px 8px 14px; border: 1px solid var(--line); border-radius: 10px; }
      .rows b { overflow-wrap: anywhere; font-size: 14px; font-weight: 600; }
      .rows span { color: var(--muted); font-size: 13px; }
      .acts { display: flex; gap: 6px; grid-row: span 2; }
      .acts .button { min-height: 32px; padding-inline: 11px; font-size: 13px; }
      .card > .button, form .button { justify-self: start; }
      .others { display: grid; align-content: start; gap: 20px; }
      form { display: grid; gap: 10px; }
      textarea.input { height: auto; padding-block: 8px; resize: vertical; font: 13px / 20px var(--code); }
      .bone { height: 120px; }
      @media (prefers-reduced-motion: reduce) { .drop { transition: none; } }
    `,
  ];

  /** Whether the user may save files and use connections. Other users can only profile one file. */
  declare canKeep: boolean;
  declare isOver: boolean;
  declare complaint: string;
  declare linkComplaint: string;
  readonly #connections = new RemoteData<readonly Connection[]>(this);
  readonly #allowed = new RemoteData<readonly string[]>(this);

  constructor() {
    super();
    this.canKeep = false;
    this.isOver = false;
    this.complaint = '';
    this.linkComplaint = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.#read());
  }

  async #read(): Promise<void> {
    if (!this.canKeep) return;
    void this.#allowed.read((signal) => readAllowedLinks(session.client, signal));
    const state = await this.#connections.read((signal) => readConnections(session.client, signal));
    if (state.status === 'failed') session.reportFailure(state.cause);
  }

  #take(list: FileList | null | undefined): void {
    const files = [...(list ?? [])];
    if (files.length === 0) return;
    const most = this.canKeep ? MAX_FILES : 1;
    const odd = files.find(({ name }) => !EXTENSIONS.some((each) => name.toLowerCase().endsWith(each)));
    if (odd !== undefined)
      this.complaint = msg(str`${odd.name} has an unsupported type. Supported types: ${EXTENSIONS.join(', ')}.`);
    else if (files.length > most)
      this.complaint = most === 1 ? msg('Choose one file only.') : msg(str`Choose at most ${most} files.`);
    else {
      this.complaint = '';
      this.dispatchEvent(new CustomEvent('files', { detail: files }));
    }
  }

  #dragged(event: DragEvent): void {
    event.preventDefault();
    this.isOver = true;
  }

  #left(): void {
    this.isOver = false;
  }

  #dropped(event: DragEvent): void {
    event.preventDefault();
    this.isOver = false;
    this.#take(event.dataTransfer?.files);
  }

  #pick(): void {
    this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')?.click();
  }

  #picked({ currentTarget }: Event): void {
    if (!(currentTarget instanceof HTMLInputElement)) return;
    this.#take(currentTarget.files);
    currentTarget.value = '';
  }

  #use(connection: Connection): void {
    this.dispatchEvent(new CustomEvent('connection', { detail: connection }));
  }

  async #remove({ id }: Connection): Promise<void> {
    try {
      await removeConnection(session.client, id);
      await this.#read();
    } catch (error) {
      this.complaint = error instanceof Error ? error.message : msg('The connection could not be removed.');
    }
  }

  #add(): void {
    const dialog = this.renderRoot.querySelector('ui-connection-dialog');
    if (dialog instanceof ConnectionDialog) void dialog.open();
  }

  /** Goes on with a connection that was just saved. */
  async #added({ detail: { id } }: CustomEvent<{ readonly id: string }>): Promise<void> {
    await this.#read();
    const { state } = this.#connections;
    const added = state.status === 'ready' ? state.value.find((each) => each.id === id) : undefined;
    if (added !== undefined) this.#use(added);
  }

  #saved() {
    const { state } = this.#connections;
    switch (state.status) {
      case 'loading':
        return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Loading the connections…')}</span></div>`;
      case 'failed':
        return html`<p class="wrong" role="alert">${state.message}</p>`;
      case 'ready':
        return state.value.length === 0
          ? html`<p>${msg('No saved connection yet. Uploaded files also become a connection.')}</p>`
          : html`<ul class="rows">${state.value.map(
              (connection) => html`<li>
                <b>${connection.name}</b>
                <div class="acts">
                  <button class="button" type="button" @click=${() => this.#use(connection)} aria-label=${msg(str`Use ${connection.name}`)}>${msg('Use')}</button>
                  <button class="button" type="button" @click=${() => this.#remove(connection)} aria-label=${msg(str`Remove ${connection.name}`)}>${msg('Remove')}</button>
                </div>
                <span>${connection.type}</span>
              </li>`,
            )}</ul>`;
    }
  }

  #takeLinks(event: SubmitEvent): void {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const text = String(new FormData(event.currentTarget).get('links') ?? '');
    const links = text.split(/\s+/).filter((each) => each !== '');
    if (links.length === 0) this.linkComplaint = msg('Write a link.');
    else if (links.length > MAX_FILES) this.linkComplaint = msg(str`Write at most ${MAX_FILES} links.`);
    else if (links.some((each) => !/^https?:\/\//i.test(each)))
      this.linkComplaint = msg('A link begins with https://.');
    else {
      this.linkComplaint = '';
      this.dispatchEvent(new CustomEvent('links', { detail: links }));
    }
  }

  /** Offers links where the server allows some; an administrator reads how they are allowed otherwise. */
  #fromLink() {
    const { state } = this.#allowed;
    if (state.status !== 'ready') return nothing;
    const allowed = state.value;
    return html`
      <section class="card" aria-labelledby="from-link">
        <h2 id="from-link">${msg('From a link')}</h2>
        ${
          allowed.length === 0
            ? html`<p>${msg('This server allows no links. The setting service.links.allow names the hosts that data may come from.')}</p>`
            : html`<form @submit=${this.#takeLinks} novalidate>
                <label class="field">${msg('Links to files, one a line')}
                  <textarea class="input" name="links" rows="2" spellcheck="false" autocomplete="off" placeholder="https://…/orders.csv"
                    aria-invalid=${this.linkComplaint !== ''} aria-describedby="allowed-links wrong-link"></textarea></label>
                <p class="wrong" id="wrong-link" role="alert">${this.linkComplaint}</p>
                <p class="hint" id="allowed-links">${msg('Allowed:')} ${allowed.join(', ')}</p>
                <button class="button">${msg('Read the data')}</button>
              </form>`
        }
      </section>
    `;
  }

  #connect() {
    return html`
      <section class="card" aria-labelledby="saved">
        <h2 id="saved">${msg('Or use a database')}</h2>
        ${this.#saved()}
        <button class="button" type="button" @click=${this.#add}>${msg('Add a connection')}</button>
        <ui-connection-dialog @saved=${this.#added}></ui-connection-dialog>
      </section>
    `;
  }

  protected override render() {
    const { canKeep } = this;
    return html`
      <div class="ways ${canKeep ? 'two' : ''}">
        <div class="drop ${this.isOver ? 'over' : ''}" @dragover=${this.#dragged} @dragleave=${this.#left} @drop=${this.#dropped}>
          <span class="sign">${uploadIcon}</span>
          <h2>${canKeep ? msg('Drop files here') : msg('Drop a file here')}</h2>
          <p>${canKeep ? msg(str`CSV, Excel, Parquet or JSON, up to ${MAX_FILES} related files. We detect delimiters, encodings, dates and decimal commas.`) : msg('CSV, Excel, Parquet or JSON. We detect delimiters, encodings, dates and decimal commas.')}</p>
          <button class="button primary" type="button" @click=${this.#pick}>${canKeep ? msg('Choose files') : msg('Choose a file')}</button>
          <input type="file" hidden ?multiple=${canKeep} accept=${EXTENSIONS.join(',')} @change=${this.#picked} aria-label=${msg('Files')} />
          <p class="wrong" role="alert">${this.complaint === '' ? nothing : this.complaint}</p>
        </div>
        ${canKeep ? html`<div class="others">${this.#fromLink()}${this.#connect()}</div>` : nothing}
      </div>
    `;
  }
}

customElements.define('ui-source', SourcePanel);
