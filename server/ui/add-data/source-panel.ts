import { css, html, LitElement, nothing } from 'lit';
import { FILE_FORMATS } from '../../../router/capabilities/file-import.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { uploadIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { addConnection, type Connection, MAX_FILES, readConnections, removeConnection } from './requests.ts';

const EXTENSIONS = FILE_FORMATS.map((format) => `.${format}`);

/**
 * Lets the user choose the data: dropped or selected files, or a saved connection. Fires `files` with a list of files,
 * and `connection` with a connection.
 */
export class SourcePanel extends LitElement {
  static override properties = {
    canKeep: { type: Boolean },
    isOver: { state: true },
    complaint: { state: true },
    isSaving: { state: true },
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
      summary { color: var(--accent); font-size: 14px; font-weight: 550; cursor: pointer; }
      form { display: grid; gap: 12px; margin-top: 12px; }
      form .button { justify-self: start; }
      .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 12px; }
      .bone { height: 120px; }
      @media (prefers-reduced-motion: reduce) { .drop { transition: none; } }
    `,
  ];

  /** Whether the user may save files and use connections. Other users can only profile one file. */
  declare canKeep: boolean;
  declare isOver: boolean;
  declare complaint: string;
  declare isSaving: boolean;
  readonly #connections = new RemoteData<readonly Connection[]>(this);

  constructor() {
    super();
    this.canKeep = false;
    this.isOver = false;
    this.complaint = '';
    this.isSaving = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.#read());
  }

  async #read(): Promise<void> {
    if (!this.canKeep) return;
    const state = await this.#connections.read((signal) => readConnections(session.client, signal));
    if (state.status === 'failed') session.reportFailure(state.cause);
  }

  #take(list: FileList | null | undefined): void {
    const files = [...(list ?? [])];
    if (files.length === 0) return;
    const most = this.canKeep ? MAX_FILES : 1;
    const odd = files.find(({ name }) => !EXTENSIONS.some((each) => name.toLowerCase().endsWith(each)));
    if (odd !== undefined)
      this.complaint = `${odd.name} has an unsupported type. Supported types: ${EXTENSIONS.join(', ')}.`;
    else if (files.length > most)
      this.complaint = most === 1 ? 'Choose one file only.' : `Choose at most ${most} files.`;
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
      this.complaint = error instanceof Error ? error.message : 'The connection could not be removed.';
    }
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement) || this.isSaving) return;
    const form = new FormData(event.currentTarget);
    const member = (name: string): string => String(form.get(name) ?? '');
    this.isSaving = true;
    this.complaint = '';
    try {
      this.#use(
        await addConnection(session.client, {
          name: member('name'),
          url: member('url'),
          username: member('username'),
          password: member('password'),
        }),
      );
    } catch (error) {
      this.complaint = error instanceof Error ? error.message : 'The connection could not be saved.';
    } finally {
      this.isSaving = false;
    }
  }

  #saved() {
    const { state } = this.#connections;
    switch (state.status) {
      case 'loading':
        return html`<div class="bone"><span class="visually-hidden" role="status">Loading the connections…</span></div>`;
      case 'failed':
        return html`<p class="wrong" role="alert">${state.message}</p>`;
      case 'ready':
        return state.value.length === 0
          ? html`<p>No saved connection yet. Uploaded files also become a connection.</p>`
          : html`<ul class="rows">${state.value.map(
              (connection) => html`<li>
                <b>${connection.name}</b>
                <div class="acts">
                  <button class="button" type="button" @click=${() => this.#use(connection)}>Use<span class="visually-hidden"> ${connection.name}</span></button>
                  <button class="button" type="button" @click=${() => this.#remove(connection)}>Remove<span class="visually-hidden"> ${connection.name}</span></button>
                </div>
                <span>${connection.type}</span>
              </li>`,
            )}</ul>`;
    }
  }

  #connect() {
    return html`
      <section class="card" aria-labelledby="saved">
        <h2 id="saved">Or use a database</h2>
        ${this.#saved()}
        <details>
          <summary>Add a connection</summary>
          <form @submit=${this.#save}>
            <label class="field">Name<input class="input" name="name" required maxlength="100" autocomplete="off" /></label>
            <label class="field">Address<input class="input" name="url" required placeholder="jdbc:postgresql://db:5432/shop" autocomplete="off" spellcheck="false" /></label>
            <div class="pair">
              <label class="field">User name<input class="input" name="username" autocomplete="off" spellcheck="false" /></label>
              <label class="field">Password<input class="input" name="password" type="password" autocomplete="new-password" /></label>
            </div>
            <p class="hint">We test the connection at once. The password is saved encrypted.</p>
            <button class="button primary" aria-disabled=${this.isSaving}>${this.isSaving ? 'Connecting…' : 'Connect'}</button>
          </form>
        </details>
      </section>
    `;
  }

  protected override render() {
    const { canKeep } = this;
    return html`
      <div class="ways ${canKeep ? 'two' : ''}">
        <div class="drop ${this.isOver ? 'over' : ''}" @dragover=${this.#dragged} @dragleave=${this.#left} @drop=${this.#dropped}>
          <span class="sign">${uploadIcon}</span>
          <h2>${canKeep ? 'Drop files here' : 'Drop a file here'}</h2>
          <p>CSV, Excel, Parquet or JSON${canKeep ? `, up to ${MAX_FILES} related files` : ''}. We detect delimiters, encodings, dates and decimal commas.</p>
          <button class="button primary" type="button" @click=${this.#pick}>${canKeep ? 'Choose files' : 'Choose a file'}</button>
          <input type="file" hidden ?multiple=${canKeep} accept=${EXTENSIONS.join(',')} @change=${this.#picked} aria-label="Files" />
          <p class="wrong" role="alert">${this.complaint === '' ? nothing : this.complaint}</p>
        </div>
        ${canKeep ? this.#connect() : nothing}
      </div>
    `;
  }
}

customElements.define('ui-source', SourcePanel);
