import { css, html, LitElement, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import { listAttributeReasons, listColumnUses, listPossibleUses } from './column-uses.ts';
import type { ChosenUse, ColumnReasons, ColumnUse, Draft } from './draft.ts';
import type { Profile, ProfileColumn, ProfileTable } from './profile.ts';
import { COLUMN_READINGS, type ColumnReading, readingOf, type TableChoices } from './reading.ts';
import { NO_NOTICE, type ReadingNotice } from './reading-wish.ts';

const count = new Intl.NumberFormat(language);

const READING_WORDS: Readonly<Record<ColumnReading, string>> = {
  text: msg('Text'),
  number: msg('Number'),
  date: msg('Date'),
  boolean: msg('Yes or no'),
};

const USE_WORDS: Readonly<Record<ColumnUse, string>> = {
  measure: msg('Measure'),
  average: msg('Measure, not added up'),
  dimension: msg('Dimension'),
  attribute: msg('Attribute'),
  personal: msg('Personal, in no answer'),
  none: msg('Left out'),
};

/**
 * Shows the profiled data: tables, columns, samples, and the use of each column in the model with its reason. Fires
 * `reading` when the user chooses the type of a column, or the header of a file, and `use` with another use of a column.
 */
export class ProfilePanel extends LitElement {
  static override properties = {
    profile: { attribute: false },
    leftOut: { attribute: false },
    draft: { attribute: false },
    notice: { attribute: false },
  };
  static override styles = [
    shared,
    css`
      .tables { display: grid; gap: 10px; }
      /* In view beside the column whose type was chosen, also far below the head. */
      .news { position: sticky; z-index: 1; top: calc(var(--header) + 8px); width: fit-content; margin-bottom: 10px; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); font-size: 14px; }
      .news:empty { display: none; }
      .news.wrong { border-color: var(--bad); color: var(--bad); font-weight: 500; }
      details { border: 1px solid var(--line); border-radius: 12px; background: var(--paper); overflow: hidden; }
      summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 14px; padding: 13px 18px; cursor: pointer; }
      summary:hover { background: var(--sunken); }
      summary:focus-visible { outline-offset: -2px; }
      summary b { overflow-wrap: anywhere; font-size: 15px; font-weight: 600; }
      summary span { color: var(--muted); font-size: 13px; font-variant-numeric: tabular-nums; }
      .scroll { overflow-x: auto; border-top: 1px solid var(--line); }
      table { width: 100%; border-collapse: collapse; font-size: 14px; }
      th, td { padding: 9px 14px; text-align: start; vertical-align: top; }
      th:first-child, td:first-child { padding-inline-start: 18px; }
      thead th { color: var(--muted); font-size: 12px; font-weight: 550; white-space: nowrap; }
      tbody tr { border-top: 1px solid var(--line); }
      tbody th { font-weight: 550; overflow-wrap: anywhere; }
      .number { text-align: end; font-variant-numeric: tabular-nums; }
      .type { color: var(--muted); font-family: var(--code); font-size: 12px; white-space: nowrap; }
      .use { color: var(--muted); }
      .use select { white-space: nowrap; }
      .why { max-width: 26ch; margin: 4px 0 0; font-size: 12px; line-height: 1.35; }
      .values { max-width: 40ch; color: var(--muted); overflow-wrap: anywhere; }
      .values i { padding: 1px 6px; border-radius: 5px; background: var(--sunken); color: var(--ink); font-style: normal; font-size: 13px; }
      .values i + i { margin-inline-start: 5px; }
      .tag { display: inline-block; margin-top: 4px; padding: 2px 8px; border-radius: 6px; background: var(--warn-wash); color: var(--warn); font-size: 12px; font-weight: 500; }
      .note { background: var(--accent-wash); color: var(--accent); }
      select { max-width: 100%; height: 32px; padding: 0 6px; border: 1px solid var(--line); border-radius: 7px; background: var(--paper); color: var(--ink); font: 13px / 1 var(--body); }
      .header { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; padding: 11px 18px; border-top: 1px solid var(--line); color: var(--muted); font-size: 14px; }
      /* A phone shows each column as a block: its name and its number of values, its type beside its use, its values. */
      @media (max-width: 620px) {
        thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        tbody tr { display: grid; grid-template: 'name name' 'type use' 'values values' / minmax(0, 2fr) minmax(0, 3fr); gap: 8px 14px; padding: 13px 18px; }
        tbody th, tbody td, tbody th:first-child, tbody td:first-child { padding: 0; }
        tbody th:first-child { grid-area: name; padding-inline-end: 96px; }
        .type { grid-area: type; }
        .use { grid-area: use; }
        .values { grid-area: values; }
        .number { grid-area: name; justify-self: end; }
        tbody .number::after { content: ' ' attr(data-unit); color: var(--muted); font-size: 13px; }
        .header select { flex: 1 1 100%; min-width: 0; }
      }
    `,
  ];

  declare profile: Profile | undefined;
  declare leftOut: ColumnReasons;
  /** The model, which shows the use of each column. */
  declare draft: Draft | undefined;
  /** Whether a choice of this part is being followed, and why it could not be. */
  declare notice: ReadingNotice;

  constructor() {
    super();
    this.notice = NO_NOTICE;
    this.draft = undefined;
    this.profile = undefined;
    this.leftOut = new Map();
  }

  #change(table: string, choices: TableChoices): void {
    this.dispatchEvent(new CustomEvent('reading', { detail: { table, choices } }));
  }

  #type({ name, type, canChooseType }: ProfileColumn, table: string) {
    if (!canChooseType) return type;
    const current = readingOf(type);
    return html`<select aria-label=${msg(str`Type of ${name}`)} .value=${live(current)}
      @change=${({ currentTarget }: Event) => {
        const readAs = COLUMN_READINGS.find((each) => each === selectedValue(currentTarget));
        if (readAs !== undefined) this.#change(table, { columns: [{ name, readAs }] });
      }}>${COLUMN_READINGS.map((each) => html`<option value=${each} ?selected=${each === current}>${READING_WORDS[each]}</option>`)}</select>`;
  }

  #use({ name: column, type }: ProfileColumn, table: string, use: ColumnUse) {
    const draft = this.draft;
    const possible = draft === undefined ? [] : listPossibleUses(draft, { table, column, type });
    if (possible.length === 0) return msg('Not in the model');
    const shown = possible.includes(use) ? possible : [use, ...possible];
    return html`<select aria-label=${msg(str`Use of ${column}`)} .value=${live(use)}
      @change=${({ currentTarget }: Event) => {
        const chosen = shown.find((each) => each === selectedValue(currentTarget));
        if (chosen === undefined) return;
        const detail: ChosenUse = { table, column, type, use: chosen };
        this.dispatchEvent(new CustomEvent('use', { detail }));
      }}>${shown.map((each) => html`<option value=${each} ?selected=${each === use}>${USE_WORDS[each]}</option>`)}</select>`;
  }

  #header({ name, reading }: ProfileTable) {
    if (reading === undefined || reading.headerRow < 0 || reading.firstRows.length === 0) return nothing;
    const shown = (values: readonly string[]): string =>
      values
        .filter((value) => value.trim() !== '')
        .join(' · ')
        .slice(0, 80);
    return html`
      <p class="header"><label>${msg('Column names are in')}
        <select .value=${live(String(reading.headerRow))} @change=${({ currentTarget }: Event) => this.#change(name, { headerRow: Number(selectedValue(currentTarget)) })}>
          <option value="0" ?selected=${reading.headerRow === 0}>${msg('no line')}</option>
          ${reading.firstRows.map(
            ({ row, values }) =>
              html`<option value=${row} ?selected=${row === reading.headerRow}>${msg(str`line ${row}: ${shown(values)}`)}</option>`,
          )}
        </select></label></p>
    `;
  }

  #column(column: ProfileColumn, table: string, uses: ReadonlyMap<string, ColumnUse>, whys: ColumnReasons) {
    const { name, distinct, samples, notes } = column;
    const use = uses.get(`${table}.${name}`) ?? 'none';
    const found = this.leftOut.get(`${table}.${name}`);
    const isPersonal = use === 'personal';
    // What the detectors found is no reason any more once the user has chosen another use.
    const reason = use === 'none' || isPersonal || use === 'attribute' ? found : undefined;
    const why = use === 'attribute' && reason === undefined ? whys.get(`${table}.${name}`) : undefined;
    return html`
      <tr role="row">
        <th scope="row" role="rowheader">${name}
          ${reason === undefined ? nothing : html`<br /><span class="tag">${reason}</span>`}
          ${notes.map((note) => html`<br /><span class="tag note">${note}</span>`)}
        </th>
        <td class="type" role="cell">${this.#type(column, table)}</td>
        <td class="use" role="cell">${this.#use(column, table, use)}${why === undefined || why === '' ? nothing : html`<p class="why">${why}</p>`}</td>
        <td class="number" role="cell" data-unit=${msg('distinct')}>${count.format(distinct)}</td>
        <td class="values" role="cell">${isPersonal ? msg('hidden') : samples.slice(0, 3).map((value) => html`<i>${value}</i>`)}</td>
      </tr>
    `;
  }

  #table(profiled: ProfileTable, isOpen: boolean, uses: ReadonlyMap<string, ColumnUse>, whys: ColumnReasons) {
    const { name, rows, columns } = profiled;
    return html`
      <details ?open=${isOpen}>
        <summary><b>${name}</b><span>${rows === 1 ? msg('1 row') : msg(str`${count.format(rows)} rows`)}</span><span>${columns.length === 1 ? msg('1 column') : msg(str`${count.format(columns.length)} columns`)}</span></summary>
 ${this.#header(profiled)}
        <div class="scroll" tabindex="0" role="region" aria-label=${msg(str`Columns of ${name}`)}>
          <table role="table">
            <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">${msg('Column')}</th><th scope="col" role="columnheader">${msg('Type')}</th><th scope="col" role="columnheader">${msg('In the model')}</th><th scope="col" role="columnheader" class="number">${msg('Distinct')}</th><th scope="col" role="columnheader">${msg('Samples')}</th></tr></thead>
            <tbody role="rowgroup">${columns.map((column) => this.#column(column, name, uses, whys))}</tbody>
          </table>
        </div>
      </details>
    `;
  }

  protected override render() {
    const tables = this.profile?.tables ?? [];
    const { isWorking, problem } = this.notice;
    const uses = this.draft === undefined ? new Map<string, ColumnUse>() : listColumnUses(this.draft);
    const whys = this.draft === undefined ? new Map<string, string>() : listAttributeReasons(this.draft);
    return html`
      <div class="section-head"><div><h2>${msg('Your data')}</h2><p>${msg('Counts, samples and the use of each column. We detect personal data by names and values: it is in no answer until you choose another use.')}</p></div></div>
      <p class="news" role="status">${isWorking ? msg('Reading the files again…') : nothing}</p>
      <p class="news wrong" role="alert">${problem === '' ? nothing : html`${msg('The files could not be read in this way.')} ${problem}`}</p>
      <div class="tables">${tables.map((table) => this.#table(table, tables.length === 1, uses, whys))}</div>
    `;
  }
}

function selectedValue(target: EventTarget | null): string {
  return target instanceof HTMLSelectElement ? target.value : '';
}

customElements.define('ui-profile', ProfilePanel);
