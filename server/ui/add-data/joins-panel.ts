import { css, html, LitElement, nothing } from 'lit';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { findJoinProblem, isSameJoin, type Join, type JoinEnd } from './joins.ts';
import type { ReadingChange } from './losses-panel.ts';
import type { Profile } from './profile.ts';
import { NO_NOTICE, type ReadingNotice } from './reading-wish.ts';

/**
 * Lets the user join two tables by a column of each. Fires `joins` with all joins of the user, and `reading` to read a file
 * so that the joined column is unique.
 */
export class JoinsPanel extends LitElement {
  static override properties = {
    profile: { attribute: false },
    joins: { attribute: false },
    notice: { attribute: false },
    complaint: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    css`
      details { border: 1px solid var(--line); border-radius: 12px; background: var(--paper); }
      summary { padding: 13px 18px; font-size: 15px; font-weight: 600; cursor: pointer; }
      summary:hover { background: var(--sunken); border-radius: 12px; }
      form { display: grid; gap: 12px 16px; padding: 4px 18px 18px; }
      @media (min-width: 720px) { form { grid-template-columns: repeat(2, minmax(0, 1fr)) auto; align-items: end; } }
      .lead, .wrong { grid-column: 1 / -1; }
      .lead { color: var(--muted); font-size: 14px; }
      .lead:empty { display: none; }
      ul { border-top: 1px solid var(--line); }
      li { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px; padding: 11px 18px; font-size: 14px; }
      li + li { border-top: 1px solid var(--line); }
      li p { flex: 1 1 260px; overflow-wrap: anywhere; }
      li .problem { flex-basis: 100%; color: var(--bad); font-weight: 500; }
    `,
  ];

  declare profile: Profile | undefined;
  /** The joins of the user. */
  declare joins: readonly Join[];
  /** Whether a choice of this part is being followed, and why it could not be. */
  declare notice: ReadingNotice;
  declare complaint: string;

  constructor() {
    super();
    this.profile = undefined;
    this.joins = [];
    this.notice = NO_NOTICE;
    this.complaint = '';
  }

  #change(joins: readonly Join[]): void {
    this.dispatchEvent(new CustomEvent('joins', { detail: joins }));
  }

  #join(event: SubmitEvent): void {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const data = new FormData(event.currentTarget);
    const [from, to] = [this.#end(data.get('from')), this.#end(data.get('to'))];
    if (from === undefined || to === undefined) this.complaint = msg('Choose a column of each table.');
    else if (from.table === to.table) this.complaint = msg('Choose columns of two different tables.');
    else {
      this.complaint = '';
      const join = { from, to };
      if (!this.joins.some((each) => isSameJoin(each, join))) this.#change([...this.joins, join]);
    }
  }

  #end(value: FormDataEntryValue | null): JoinEnd | undefined {
    const [table, column] = String(value ?? '')
      .split(' ')
      .map(Number);
    const tables = this.profile?.tables ?? [];
    const chosen = tables[table ?? -1];
    const name = chosen?.columns[column ?? -1]?.name;
    return value === '' || chosen === undefined || name === undefined
      ? undefined
      : { table: chosen.name, column: name };
  }

  #columns(name: 'from' | 'to', label: string) {
    const tables = this.profile?.tables ?? [];
    return html`<label class="field">${label}<select class="input" name=${name}>
      <option value="">${msg('Choose a column')}</option>
      ${tables.map(
        (table, at) =>
          html`<optgroup label=${table.name}>${table.columns.map((column, place) => html`<option value=${`${at} ${place}`}>${column.name} (${table.name})</option>`)}</optgroup>`,
      )}
    </select></label>`;
  }

  #row(join: Join) {
    const { from, to } = join;
    const table = this.profile?.tables.find((each) => each.name === to.table);
    const problem = this.profile === undefined ? undefined : findJoinProblem(this.profile, join);
    const detail: ReadingChange = { table: to.table, choices: { firstOfEach: to.column } };
    return html`
      <li>
        <p>${msg(html`<b>${from.table}</b> to <b>${to.table}</b>, by ${from.column} = ${to.column}`)}</p>
        ${
          problem?.isRepeated === true && table?.reading !== undefined
            ? html`<button class="button" type="button" @click=${() => this.dispatchEvent(new CustomEvent('reading', { detail }))}>${msg(str`Keep the first row of each ${to.column}`)}</button>`
            : nothing
        }
        <button class="button plain" type="button" aria-label=${msg(str`Remove the join of ${from.table} to ${to.table}`)}
          @click=${() => this.#change(this.joins.filter((each) => each !== join))}>${msg('Remove')}</button>
        ${problem === undefined ? nothing : html`<p class="problem" role="alert">${problem.message}</p>`}
      </li>
    `;
  }

  protected override render() {
    if ((this.profile?.tables.length ?? 0) < 2) return nothing;
    const { isWorking, problem } = this.notice;
    return html`
      <details ?open=${this.joins.length > 0}>
        <summary>${msg('Join two tables')}</summary>
        <form @submit=${this.#join} novalidate>
          <p class="lead">${msg('We join tables whose columns belong together. Add a join that we did not find: the second column must be unique.')}</p>
          ${this.#columns('from', msg('Column that refers'))}
          ${this.#columns('to', msg('Unique column'))}
          <button class="button">${msg('Join')}</button>
          <p class="wrong" role="alert">${this.complaint}</p>
          <p class="lead" role="status">${isWorking ? msg('Reading the files again…') : nothing}</p>
          <p class="wrong" role="alert">${problem === '' ? nothing : html`${msg('The tables stay as they were.')} ${problem}`}</p>
        </form>
        ${this.joins.length === 0 ? nothing : html`<ul>${this.joins.map((join) => this.#row(join))}</ul>`}
      </details>
    `;
  }
}

customElements.define('ui-joins', JoinsPanel);
