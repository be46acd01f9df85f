import { css, html, LitElement, nothing } from 'lit';
import { RequestFailedError } from '../api-client/client.ts';
import { Dialog } from '../parts/dialog.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import type { ModelEntry, Named } from './data-entries.ts';
import { addRefresh, type RefreshSource } from './refresh-requests.ts';

/** The intervals that the form offers, in minutes. */
const INTERVALS = [15, 60, 360, 720] as const;
const DAILY = 'daily';

/** Asks from where (a folder, the links of the import, or the tables of a connection) and when the data of a model is refreshed. Fires `saved`. */
export class RefreshDialog extends LitElement {
  static override properties = {
    model: { state: true },
    rhythm: { state: true },
    source: { state: true },
    connections: { state: true },
    problem: { state: true },
    isBusy: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    css`
      :host { --dialog-width: 520px; }
      form { display: grid; gap: 16px; }
      .acts { display: flex; flex-wrap: wrap; justify-content: end; gap: 8px; }
    `,
  ];

  declare model: ModelEntry | undefined;
  declare rhythm: string;
  declare source: RefreshSource;
  /** The saved connections whose tables can be copied. */
  declare connections: readonly Named[];
  declare problem: { readonly field: string; readonly message: string };
  declare isBusy: boolean;

  constructor() {
    super();
    this.model = undefined;
    this.rhythm = DAILY;
    this.source = 'folder';
    this.connections = [];
    this.problem = { field: '', message: '' };
    this.isBusy = false;
  }

  get #dialog(): Dialog | null {
    const dialog = this.renderRoot.querySelector('ui-dialog');
    return dialog instanceof Dialog ? dialog : null;
  }

  async open(model: ModelEntry, connections: readonly Named[]): Promise<void> {
    this.model = model;
    this.connections = connections;
    this.problem = { field: '', message: '' };
    this.rhythm = DAILY;
    this.source = model.links.length > 0 ? 'links' : 'folder';
    await this.updateComplete;
    await this.#dialog?.open();
  }

  async #save(event?: Event): Promise<void> {
    event?.preventDefault();
    const form = this.renderRoot.querySelector('form');
    const { model } = this;
    if (model === undefined || form === null || this.isBusy) return;
    const values = new FormData(form);
    const text = (name: string): string => String(values.get(name) ?? '').trim();
    const folder = text('folder');
    if (this.source === 'folder' && folder === '') {
      this.problem = { field: 'folder', message: msg('Write the name of the folder.') };
      return;
    }
    const rhythm =
      this.rhythm === DAILY
        ? { at: text('at') || '06:00', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
        : { everyMinutes: Number(this.rhythm) };
    this.isBusy = true;
    try {
      await addRefresh(session.client, {
        datasource: model.id,
        source: this.source,
        ...(this.source === 'folder' ? { folder } : {}),
        ...(this.source === 'connection' ? { connection: text('connection') } : {}),
        ...rhythm,
      });
      this.#dialog?.close();
      this.dispatchEvent(new CustomEvent('saved', { detail: model }));
    } catch (error) {
      session.reportFailure(error);
      const field = error instanceof RequestFailedError ? (error.field ?? '') : '';
      this.problem = { field, message: error instanceof Error ? error.message : msg('Something went wrong.') };
    } finally {
      this.isBusy = false;
    }
  }

  #wrong(field: string) {
    return this.problem.field === field && this.problem.message !== ''
      ? html`<span class="wrong" id="wrong" role="alert">${this.problem.message}</span>`
      : nothing;
  }

  protected override render() {
    const { model, rhythm, source, connections, problem, isBusy } = this;
    const links = model?.links ?? [];
    const isAtField = problem.field === 'folder' || problem.field === 'connection';
    const isOfFolder = problem.field === 'folder';
    return html`
      <ui-dialog heading=${msg(str`Schedule a refresh of ${model?.name ?? ''}`)}>
        <form @submit=${this.#save}>
          <p>${source === 'connection' ? msg('At each run the copied tables take the place of the present data, if they fit. Otherwise the present data stays, and this page has the reason.') : msg('At each run the newest file of each table takes the place of the present data, if it fits. Otherwise the present data stays, and this page has the reason.')}</p>
          ${
            links.length === 0 && connections.length === 0
              ? nothing
              : html`<label class="field">${msg('From')}
                  <select class="input" name="source" @change=${({ currentTarget }: Event) => {
                    if (!(currentTarget instanceof HTMLSelectElement)) return;
                    const { value } = currentTarget;
                    this.source = value === 'links' || value === 'connection' ? value : 'folder';
                    this.problem = { field: '', message: '' };
                  }}>
                    ${links.length === 0 ? nothing : html`<option value="links" ?selected=${source === 'links'}>${links.length === 1 ? msg('The link of the import') : msg('The links of the import')}</option>`}
                    <option value="folder" ?selected=${source === 'folder'}>${msg('A folder')}</option>
                    ${connections.length === 0 ? nothing : html`<option value="connection" ?selected=${source === 'connection'}>${msg('Tables of a connection')}</option>`}
                  </select></label>`
          }
          ${
            source === 'links'
              ? html`<p class="hint">${links.join(', ')}</p>`
              : source === 'connection'
                ? html`<label class="field">${msg('Connection')}
            <select class="input" name="connection" aria-invalid=${problem.field === 'connection'} aria-describedby=${problem.field === 'connection' ? 'wrong' : nothing}>${connections.map(({ id, name }) => html`<option value=${id}>${name}</option>`)}</select>
            <span class="hint">${msg('The tables with the names of those of the model are copied at each run.')}</span>${this.#wrong('connection')}</label>`
                : html`<label class="field">${msg('Folder')}
            <input class="input" name="folder" placeholder="inbox/sales" autocomplete="off" spellcheck="false" aria-invalid=${isOfFolder} aria-describedby=${isOfFolder ? 'wrong' : nothing} />
            <span class="hint">${msg('Below the data folder of the server. Move complete files into it.')}</span>${this.#wrong('folder')}</label>`
          }
          <label class="field">${msg('When')}
            <select class="input" name="rhythm" @change=${({ currentTarget }: Event) => {
              if (currentTarget instanceof HTMLSelectElement) this.rhythm = currentTarget.value;
            }}>
              <option value=${DAILY} ?selected=${rhythm === DAILY}>${msg('Every day')}</option>
              ${INTERVALS.map((minutes) => html`<option value=${minutes} ?selected=${rhythm === String(minutes)}>${everyWords(minutes)}</option>`)}
            </select></label>
          ${rhythm === DAILY ? html`<label class="field">${msg('Time of day')}<input class="input" name="at" type="time" value="06:00" /></label>` : nothing}
          ${isAtField ? nothing : this.#wrong(problem.field)}
        </form>
        <div slot="acts" class="acts">
          <button class="button" type="button" @click=${() => this.#dialog?.close()}>${msg('Cancel')}</button>
          <button class="button primary" type="button" aria-disabled=${isBusy} @click=${() => this.#save()}>${msg('Schedule')}</button>
        </div>
      </ui-dialog>`;
  }
}

/** Describes an interval: "Every 6 hours". */
export function everyWords(minutes: number): string {
  if (minutes === 60) return msg('Every hour');
  return minutes % 60 === 0 ? msg(str`Every ${minutes / 60} hours`) : msg(str`Every ${minutes} minutes`);
}

customElements.define('ui-refresh-dialog', RefreshDialog);
