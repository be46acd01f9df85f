import { css, html, nothing } from 'lit';
import type { Client } from '../api-client/client.ts';
import { formatDuration, formatInstant } from '../parts/format-when.ts';
import { ListPage } from '../parts/list-page.ts';
import { guardedView, remoteView } from '../parts/remote-view.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { listStyles } from '../styles/list-styles.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import { type AuditFields, type FIELD_NAMES, fieldsFromAddress, fieldsToAddress, toFilter } from './filter-address.ts';
import { AUDIT_KINDS, type AuditEntry, type AuditKind, type AuditPage, readAudit } from './requests.ts';
import '../parts/page-head.ts';
import '../parts/section-links.ts';

const KIND_TITLES: Readonly<Record<AuditKind, string>> = {
  SIGN_IN: msg('Sign-in'),
  API_KEY: msg('API key'),
  TOKEN: msg('Embed token'),
  GRANT: msg('Public access'),
  QUERY: msg('Query'),
  CHANGE: msg('Change'),
  ADMINISTRATION: msg('Administration'),
  REFUSAL: msg('Refusal'),
};

/** Time after the last keystroke in a filter before it is applied, in milliseconds. */
const SETTLE_MS = 300;
const number = new Intl.NumberFormat(language);

/** Lists the entries of the audit log, filtered and by pages. The filter is in the address. */
export class AdminAudit extends ListPage<AuditPage> {
  static override properties = { fields: { state: true }, isAdding: { state: true } };
  static override styles = [
    shared,
    formStyles,
    listStyles,
    css`
      .tools label { display: grid; gap: 4px; color: var(--muted); font-size: 12px; line-height: 16px; font-weight: 600; }
      .tools .input { width: 160px; }
      td, th { font-size: 13px; }
      td.what { min-width: 200px; overflow-wrap: anywhere; }
      .target { color: var(--muted); }
      .more { margin-top: 16px; }
      @media (max-width: 700px) { .tools label { flex: 1 1 140px; } .tools .input { width: 100%; } }
    `,
  ];

  declare fields: AuditFields;
  declare isAdding: boolean;
  #later: readonly AuditEntry[] = [];
  #cursor: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.fields = fieldsFromAddress(location.search);
    this.isAdding = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('popstate', this.#moved);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('popstate', this.#moved);
  }

  readonly #moved = (): void => {
    this.fields = fieldsFromAddress(location.search);
    void this.read();
  };

  protected override async load(client: Client, signal: AbortSignal): Promise<AuditPage> {
    const page = await readAudit(client, toFilter(this.fields), undefined, signal);
    this.#later = [];
    this.#cursor = page.nextCursor;
    return page;
  }

  async #more(): Promise<void> {
    if (this.isAdding || this.#cursor === undefined) return;
    this.isAdding = true;
    const { fields } = this;
    try {
      const page = await readAudit(session.client, toFilter(fields), this.#cursor);
      if (fields !== this.fields) return;
      this.#later = [...this.#later, ...page.entries];
      this.#cursor = page.nextCursor;
    } catch (error) {
      session.reportFailure(error);
      await this.read();
    } finally {
      this.isAdding = false;
    }
  }

  #set(name: (typeof FIELD_NAMES)[number], value: string): void {
    this.fields = { ...this.fields, [name]: value.trim() };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      history.replaceState(null, '', location.pathname + fieldsToAddress(this.fields));
      void this.read();
    }, SETTLE_MS);
  }

  #clear(): void {
    this.fields = fieldsFromAddress('');
    this.#set('kind', '');
  }

  #field(name: 'user' | 'action' | 'outcome' | 'from' | 'to', label: string, hint = '') {
    const type = name === 'from' || name === 'to' ? 'date' : 'text';
    return html`<label>${label}<input class="input" type=${type} .value=${this.fields[name]} placeholder=${hint} autocomplete="off" spellcheck="false" maxlength="200"
      @input=${({ currentTarget }: InputEvent) => {
        if (currentTarget instanceof HTMLInputElement) this.#set(name, currentTarget.value);
      }} /></label>`;
  }

  #tools() {
    const isFiltered = fieldsToAddress(this.fields) !== '';
    return html`<div class="tools" role="search" aria-label=${msg('Filter')}>
      <label>${msg('Kind')}<select class="input" @change=${({ currentTarget }: Event) => {
        if (currentTarget instanceof HTMLSelectElement) this.#set('kind', currentTarget.value);
      }}>
        <option value="">${msg('All')}</option>
        ${AUDIT_KINDS.map((kind) => html`<option value=${kind} ?selected=${kind === this.fields.kind}>${KIND_TITLES[kind]}</option>`)}
      </select></label>
      ${this.#field('user', msg('User'))}
      ${this.#field('action', msg('Operation'), 'semantic.query')}
      ${this.#field('outcome', msg('Outcome'), 'OK')}
      ${this.#field('from', msg('From'))}
      ${this.#field('to', msg('Until'))}
      ${isFiltered ? html`<button class="button" type="button" @click=${this.#clear}>${msg('Clear')}</button>` : nothing}
    </div>`;
  }

  #row({ at, user, userLabel, via, address, kind, action, outcome, target, viewer, rows, durationMs }: AuditEntry) {
    return html`<tr>
      <td class="when"><time datetime=${at.toISOString()}>${formatInstant(at)}</time></td>
      <td>${user === '' ? html`<span class="muted">${msg('nobody signed in')}</span>` : userLabel === '' ? user : html`<span title=${user}>${userLabel}</span><br /><span class="muted">${msg('API key')}</span>`}${viewer === '' ? nothing : html`<br /><span class="muted">${msg(str`for ${viewer}`)}</span>`}</td>
      <td>${KIND_TITLES[kind]}</td>
      <td class="what"><code>${action}</code>${target === '' ? nothing : html`<br /><span class="target">${target}</span>`}</td>
      <td><span class="tag ${outcome === 'OK' ? 'good' : 'bad'}">${outcome === 'OK' ? msg('Done') : outcome}</span></td>
      <td class="number">${rows === undefined ? '' : number.format(rows)}</td>
      <td class="number">${durationMs === undefined ? '' : formatDuration(durationMs)}</td>
      <td>${address}<br /><span class="muted">${via}</span></td>
    </tr>`;
  }

  #table({ entries }: AuditPage) {
    const all = [...entries, ...this.#later];
    if (all.length === 0)
      return html`<div class="empty"><h2>${msg('No entry')}</h2><p>${msg('Nothing of this kind was recorded. Change the filter, or clear it.')}</p></div>`;
    return html`
      <div class="scroll" tabindex="0" role="region" aria-label=${msg('Entries')}><table>
        <thead><tr><th scope="col">${msg('When')}</th><th scope="col">${msg('User')}</th><th scope="col">${msg('Kind')}</th><th scope="col">${msg('Operation')}</th>
          <th scope="col">${msg('Outcome')}</th><th scope="col" class="number">${msg('Rows')}</th><th scope="col" class="number">${msg('Time')}</th><th scope="col">${msg('Address')}</th></tr></thead>
        <tbody>${all.map((entry) => this.#row(entry))}</tbody>
      </table></div>
      <p class="visually-hidden" role="status">${msg(str`${all.length} entries`)}</p>
      ${this.#cursor === undefined ? nothing : html`<button class="button more" type="button" aria-disabled=${this.isAdding} @click=${this.#more}>${msg('Show older entries')}</button>`}`;
  }

  protected override render() {
    return html`
      <ui-page-head heading=${msg('Audit log')}>
        <span slot="note">${msg('Who did what, the newest first: sign-ins, keys, tokens, queries, changes and refusals.')}</span>
        ${this.isAnswered ? html`<button class="button" type="button" aria-disabled=${this.data.isBusy} @click=${() => void this.read()}>${msg('Refresh')}</button>` : nothing}
      </ui-page-head>
      <ui-section-links current="admin-audit"></ui-section-links>
      ${guardedView(
        'administrators',
        () =>
          html`${this.#tools()}${remoteView(
            this.data.state,
            (page) => this.#table(page),
            () => void this.read(),
          )}`,
      )}
    `;
  }
}

customElements.define('ui-admin-audit', AdminAudit);
