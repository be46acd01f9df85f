import { css, html, LitElement, nothing } from 'lit';
import {
  CONNECTION_FORMS,
  CONNECTION_PARTS,
  type ConnectionPart,
  type ConnectionValues,
  defaultPort,
  formOfUrl,
  jdbcUrlOf,
  partsOf,
  requiredParts,
} from '../../../router/connection-forms.ts';
import { ENGINE_NAMES, ENGINES, type EngineName } from '../../../router/warehouse-engines.ts';
import { RequestFailedError } from '../api-client/client.ts';
import { Dialog } from '../parts/dialog.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import {
  readConnection,
  type SavedConnection,
  saveConnection,
  type TestResult,
  testConnection,
  type WrittenConnection,
} from './connection-requests.ts';

/** A problem at a field, with candidates that can be chosen. */
interface FieldProblem {
  readonly field: ConnectionPart | 'name' | 'url' | undefined;
  readonly message: string;
  readonly available: readonly string[];
}

const NO_PROBLEM: FieldProblem = { field: undefined, message: '', available: [] };
const FIELDS = ['name', 'url', ...CONNECTION_PARTS] as const;

/** Shows the form of a connection: fields of its engine or the JDBC address, a test, and errors at their fields. Fires `saved`. */
export class ConnectionDialog extends LitElement {
  static override properties = {
    engine: { state: true },
    values: { state: true },
    name: { state: true },
    url: { state: true },
    isRaw: { state: true },
    saved: { state: true },
    problem: { state: true },
    success: { state: true },
    busy: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    css`
      form { display: grid; gap: 16px; padding-top: 4px; }
      .bone { height: 240px; }
      .fields { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); align-items: start; gap: 16px 12px; }
      .fields > * { grid-column: 1 / -1; }
      @media (min-width: 480px) {
        .host { grid-column: span 4; } .port { grid-column: span 2; }
        .username, .password, .catalog, .schema { grid-column: span 3; }
      }
      .ways { display: flex; gap: 4px; padding: 3px; border-radius: 8px; background: var(--sunken); justify-self: start; }
      .ways button { min-height: 30px; padding: 0 12px; border: 0; border-radius: 6px; background: none; color: var(--muted); font: 500 13px / 18px var(--body); cursor: pointer; }
      .ways button[aria-pressed='true'] { background: var(--paper); color: var(--ink); box-shadow: 0 1px 2px rgb(0 0 0 / 15%); }
      .wrong { display: grid; gap: 6px; }
      .candidates { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; color: var(--muted); font-size: 13px; }
      .candidates .button { min-height: 28px; padding: 0 10px; font-size: 13px; }
      .good { display: flex; gap: 8px; padding: 8px 12px; border-radius: 8px; background: var(--good-wash); color: var(--good); font-weight: 500; }
      .bad { padding: 8px 12px; border-radius: 8px; background: var(--bad-wash); color: var(--ink); }
      .acts { display: flex; flex-wrap: wrap; justify-content: end; gap: 8px; }
      .acts .test { margin-inline-end: auto; }
      select.input { padding-inline-end: 8px; }
    `,
  ];

  declare engine: EngineName;
  declare values: ConnectionValues;
  declare name: string;
  declare url: string;
  declare isRaw: boolean;
  declare saved: SavedConnection | undefined;
  declare problem: FieldProblem;
  declare success: string;
  declare busy: '' | 'test' | 'save' | 'load';

  constructor() {
    super();
    this.#reset();
  }

  #reset(): void {
    this.engine = 'postgresql';
    this.values = {};
    this.name = '';
    this.url = '';
    this.isRaw = false;
    this.saved = undefined;
    this.problem = NO_PROBLEM;
    this.success = '';
    this.busy = '';
  }

  get #dialog(): Dialog | null {
    const dialog = this.renderRoot.querySelector('ui-dialog');
    return dialog instanceof Dialog ? dialog : null;
  }

  /** Opens the form, empty or with a saved connection. */
  async open(id?: string): Promise<void> {
    this.#reset();
    this.busy = id === undefined ? '' : 'load';
    await this.updateComplete;
    await this.#dialog?.open();
    if (id === undefined) return;
    try {
      const saved = await readConnection(session.client, id);
      const form = formOfUrl(saved.url);
      this.saved = saved;
      this.name = saved.name;
      this.url = saved.url;
      this.isRaw = form === undefined;
      if (form !== undefined) this.engine = form.engine;
      this.values = {
        ...form?.values,
        username: saved.username,
        ...(saved.schema === '' ? {} : { schema: saved.schema }),
      };
      this.busy = '';
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    session.reportFailure(error);
    this.busy = '';
    const message = error instanceof Error ? error.message : msg('Something went wrong.');
    const field = error instanceof RequestFailedError ? FIELDS.find((each) => each === error.field) : undefined;
    const available = error instanceof RequestFailedError ? error.available : [];
    this.#showProblem({ field, message, available });
  }

  #showProblem(problem: FieldProblem): void {
    const { field } = problem;
    this.problem = { ...problem, field: field === undefined ? undefined : this.#shownField(field) };
    this.success = '';
    void this.updateComplete.then(() => {
      const { field: place } = this.problem;
      if (place !== undefined) this.renderRoot.querySelector<HTMLElement>(`[name=${place}]`)?.focus();
    });
  }

  /** Returns the visible field of a problem: the whole address where its parts have no fields of their own. */
  #shownField(field: NonNullable<FieldProblem['field']>): FieldProblem['field'] {
    if (field === 'name') return field;
    if (this.isRaw) return MEMBERS.has(field) ? field : 'url';
    return partsOf(this.engine).find((part) => part === field);
  }

  #set(part: ConnectionPart, value: string): void {
    this.values = { ...this.values, [part]: value };
    if (this.problem.field === part) this.problem = NO_PROBLEM;
    this.success = '';
  }

  #written(): WrittenConnection {
    const { engine, values, isRaw, saved } = this;
    const form = CONNECTION_FORMS[engine];
    const password = values.password ?? '';
    const keeps = saved?.hasPassword === true && password === '';
    return {
      name: this.name.trim(),
      url: isRaw ? this.url.trim() : jdbcUrlOf(engine, values),
      username: (values.username ?? '').trim(),
      password: keeps || password === '' ? undefined : password,
      schema: isRaw || (form.kind === 'server' && form.hasSchemaMember) ? (values.schema ?? '').trim() : '',
    };
  }

  /** Returns the first field without a needed value. */
  #missing(): FieldProblem | undefined {
    if (this.isRaw)
      return this.url.trim() === '' ? { field: 'url', message: msg('Write the address.'), available: [] } : undefined;
    const part = requiredParts(this.engine).find((each) => (this.values[each] ?? '').trim() === '');
    return part && { field: part, message: msg(str`${LABELS[part]()} is missing.`), available: [] };
  }

  async #test(): Promise<void> {
    if (this.busy !== '') return;
    const missing = this.#missing();
    if (missing !== undefined) return this.#showProblem(missing);
    this.busy = 'test';
    this.problem = NO_PROBLEM;
    this.success = '';
    try {
      this.#tested(await testConnection(session.client, this.#written(), this.saved?.id));
    } catch (error) {
      this.#report(error);
    }
  }

  #tested({ isReachable, product, part, message, available }: TestResult): void {
    this.busy = '';
    if (isReachable) this.success = msg(str`Connected to ${product}.`);
    else this.#showProblem({ field: part, message, available });
  }

  async #save(event?: Event): Promise<void> {
    event?.preventDefault();
    if (this.busy !== '') return;
    if (this.name.trim() === '')
      return this.#showProblem({ field: 'name', message: msg('Give the connection a name.'), available: [] });
    const missing = this.#missing();
    if (missing !== undefined) return this.#showProblem(missing);
    this.busy = 'save';
    this.problem = NO_PROBLEM;
    try {
      // The test finds the field of a mistake; saving would only refuse the whole.
      const tested = await testConnection(session.client, this.#written(), this.saved?.id);
      if (!tested.isReachable) return this.#tested(tested);
      const id = await saveConnection(session.client, this.#written(), this.saved?.id);
      this.busy = '';
      this.#dialog?.close();
      this.dispatchEvent(new CustomEvent('saved', { detail: { id, name: this.name } }));
    } catch (error) {
      this.#report(error);
    }
  }

  #chooseWay(isRaw: boolean): void {
    if (isRaw === this.isRaw) return;
    if (isRaw)
      this.url = this.#missing() === undefined ? jdbcUrlOf(this.engine, this.values) : `${ENGINES[this.engine].prefix}`;
    else {
      const form = formOfUrl(this.url.trim());
      if (form !== undefined) {
        this.engine = form.engine;
        this.values = { ...this.values, ...form.values };
      }
    }
    this.isRaw = isRaw;
    this.problem = NO_PROBLEM;
  }

  #wrong(field: FieldProblem['field']) {
    const { problem } = this;
    if (problem.field !== field || problem.message === '') return nothing;
    const choose = (value: string) => {
      if (field !== undefined && field !== 'name' && field !== 'url') this.#set(field, value);
    };
    return html`<span class="wrong" id="wrong">${problem.message}
      ${
        problem.available.length === 0 || field === 'url'
          ? nothing
          : html`<span class="candidates">${msg('There are:')}${problem.available
              .slice(0, 8)
              .map(
                (each) => html`<button class="button" type="button" @click=${() => choose(each)}>${each}</button>`,
              )}</span>`
      }</span>`;
  }

  #field(part: ConnectionPart) {
    const { values, engine, problem, saved } = this;
    const isWrong = problem.field === part;
    const form = CONNECTION_FORMS[engine];
    const shared = {
      label: LABELS[part](),
      isRequired: requiredParts(engine).includes(part),
    };
    if (part === 'tls' && form.kind === 'server')
      return html`<label class="field tls">${shared.label}
        <select class="input" name="tls" aria-invalid=${isWrong} aria-describedby=${isWrong ? 'wrong' : nothing} @change=${({ currentTarget }: Event) => this.#set('tls', currentTarget instanceof HTMLSelectElement ? currentTarget.value : '')}>
          ${form.tls.map(({ value, label }) => html`<option value=${value} ?selected=${(values.tls ?? form.tls[0].value) === value}>${TLS_LABELS[label]?.() ?? label}</option>`)}
        </select>${this.#wrong(part)}</label>`;
    const placeholder =
      part === 'file' && form.kind === 'file'
        ? form.example
        : part === 'port'
          ? String(defaultPort(engine, values.tls) ?? '')
          : part === 'password' && saved?.hasPassword === true
            ? msg('Stays as it is saved')
            : '';
    return html`<label class="field ${part}"><span>${shared.label}${shared.isRequired ? nothing : html` <span class="hint">${msg('optional')}</span>`}</span>
      <input class="input" name=${part} .value=${values[part] ?? ''} placeholder=${placeholder} type=${part === 'password' ? 'password' : 'text'} inputmode=${part === 'port' ? 'numeric' : nothing}
        autocomplete=${part === 'password' ? 'new-password' : 'off'} spellcheck="false" aria-invalid=${isWrong} aria-describedby=${isWrong ? 'wrong' : nothing}
        @input=${({ currentTarget }: Event) => this.#set(part, currentTarget instanceof HTMLInputElement ? currentTarget.value : '')} />
      ${part === 'file' ? html`<span class="hint">${msg('A path below the data folder of the server.')}</span>` : nothing}
      ${this.#wrong(part)}</label>`;
  }

  #rawFields() {
    const { problem } = this;
    return html`
      <label class="field">${msg('JDBC address')}
        <input class="input" name="url" .value=${this.url} placeholder="jdbc:postgresql://db:5432/shop" autocomplete="off" spellcheck="false" aria-invalid=${problem.field === 'url'} aria-describedby=${problem.field === 'url' ? 'wrong' : nothing}
          @input=${({ currentTarget }: Event) => {
            this.url = currentTarget instanceof HTMLInputElement ? currentTarget.value : '';
            this.success = '';
          }} />
        <span class="hint">${msg('Begins with one of:')} ${ENGINE_NAMES.map((name) => ENGINES[name].prefix).join(' ')}</span>${this.#wrong('url')}</label>
      ${this.#field('username')}${this.#field('password')}${this.#field('schema')}`;
  }

  #content() {
    const { saved, engine, isRaw, busy, problem, success } = this;
    if (busy === 'load')
      return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
    return html`
      <form id="form" @submit=${this.#save}>
        <label class="field">${msg('Name')}
          <input class="input" name="name" .value=${this.name} maxlength="100" autocomplete="off" aria-invalid=${problem.field === 'name'} aria-describedby=${problem.field === 'name' ? 'wrong' : nothing}
            @input=${({ currentTarget }: Event) => {
              this.name = currentTarget instanceof HTMLInputElement ? currentTarget.value : '';
            }} />${this.#wrong('name')}</label>
        <div class="ways" role="group" aria-label=${msg('How to write the address')}>
          <button type="button" aria-pressed=${!isRaw} @click=${() => this.#chooseWay(false)}>${msg('Fields')}</button>
          <button type="button" aria-pressed=${isRaw} @click=${() => this.#chooseWay(true)}>${msg('JDBC address')}</button>
        </div>
        <div class="fields">
          ${
            isRaw
              ? this.#rawFields()
              : html`<label class="field">${msg('Database system')}
                  <select class="input" name="engine" @change=${({ currentTarget }: Event) => {
                    const chosen = ENGINE_NAMES.find(
                      (name) => currentTarget instanceof HTMLSelectElement && name === currentTarget.value,
                    );
                    if (chosen === undefined) return;
                    this.engine = chosen;
                    const { tls: _, ...kept } = this.values;
                    this.values = kept;
                    this.problem = NO_PROBLEM;
                  }}>${ENGINE_NAMES.map((name) => html`<option value=${name} ?selected=${name === engine}>${ENGINES[name].title}</option>`)}</select></label>
                ${partsOf(engine).map((part) => this.#field(part))}`
          }
        </div>
        ${problem.field === undefined && problem.message !== '' ? html`<p class="bad" role="alert">${problem.message}</p>` : nothing}
        <p class=${success === '' ? 'visually-hidden' : 'good'} role="status">${success}</p>
        ${saved === undefined || saved.usedBy.length === 0 ? nothing : html`<p class="hint">${msg(str`Used by ${saved.usedBy.join(', ')}. A changed address applies to them, too.`)}</p>`}
      </form>`;
  }

  protected override render() {
    const { busy, saved } = this;
    return html`
      <ui-dialog heading=${saved === undefined ? msg('Add a connection') : msg(str`Change ${saved.name}`)}>
        ${this.#content()}
        <div slot="acts" class="acts">
          <button class="button test" type="button" aria-disabled=${busy !== ''} @click=${this.#test}>${busy === 'test' ? msg('Testing…') : msg('Test')}</button>
          <button class="button" type="button" @click=${() => this.#dialog?.close()}>${msg('Cancel')}</button>
          <button class="button primary" type="button" aria-disabled=${busy !== ''} @click=${() => this.#save()}>${busy === 'save' ? msg('Connecting…') : msg('Save connection')}</button>
        </div>
      </ui-dialog>`;
  }
}

/** Parts that are no parts of a JDBC address. */
const MEMBERS: ReadonlySet<string> = new Set(['username', 'password', 'schema']);

const LABELS: Readonly<Record<ConnectionPart, () => string>> = {
  file: () => msg('File'),
  host: () => msg('Host'),
  port: () => msg('Port'),
  database: () => msg('Database'),
  catalog: () => msg('Catalog'),
  schema: () => msg('Schema'),
  username: () => msg('User name'),
  password: () => msg('Password'),
  tls: () => msg('Encryption (TLS)'),
};

const TLS_LABELS: Readonly<Record<string, () => string>> = {
  'If the server has it': () => msg('If the server has it'),
  'Always, any certificate': () => msg('Always, any certificate'),
  'Always, certificate of this host': () => msg('Always, certificate of this host'),
  Never: () => msg('Never'),
};

customElements.define('ui-connection-dialog', ConnectionDialog);
