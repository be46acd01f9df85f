import { css, html, LitElement, nothing } from 'lit';
import { shared } from '../styles/shared.ts';
import type { ColumnReasons } from './draft.ts';
import type { Profile, ProfileColumn, ProfileTable } from './profile.ts';

const count = new Intl.NumberFormat('en');

/** Shows the profiled data: tables, columns, samples, and the reason why a column is not in the model. */
export class ProfilePanel extends LitElement {
  static override properties = { profile: { attribute: false }, leftOut: { attribute: false } };
  static override styles = [
    shared,
    css`
      .tables { display: grid; gap: 10px; }
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
      .values { max-width: 40ch; color: var(--muted); overflow-wrap: anywhere; }
      .values i { padding: 1px 6px; border-radius: 5px; background: var(--sunken); color: var(--ink); font-style: normal; font-size: 13px; }
      .values i + i { margin-inline-start: 5px; }
      .tag { display: inline-block; margin-top: 4px; padding: 2px 8px; border-radius: 6px; background: var(--warn-wash); color: var(--warn); font-size: 12px; font-weight: 500; }
      .note { background: var(--accent-wash); color: var(--accent); }
      @media (max-width: 620px) { .type, .head-type { display: none; } }
    `,
  ];

  declare profile: Profile | undefined;
  declare leftOut: ColumnReasons;

  constructor() {
    super();
    this.profile = undefined;
    this.leftOut = new Map();
  }

  #column({ name, type, distinct, samples, notes }: ProfileColumn, table: string) {
    const reason = this.leftOut.get(`${table}.${name}`);
    const isPersonal = reason?.startsWith('Personal') === true;
    return html`
      <tr>
        <th scope="row">${name}
          ${reason === undefined ? nothing : html`<br /><span class="tag">${reason}</span>`}
          ${notes.map((note) => html`<br /><span class="tag note">${note}</span>`)}
        </th>
        <td class="type">${type}</td>
        <td class="number">${count.format(distinct)}</td>
        <td class="values">${isPersonal ? 'hidden' : samples.slice(0, 3).map((value) => html`<i>${value}</i>`)}</td>
      </tr>
    `;
  }

  #table({ name, rows, columns }: ProfileTable, isOpen: boolean) {
    return html`
      <details ?open=${isOpen}>
        <summary><b>${name}</b><span>${count.format(rows)} rows</span><span>${count.format(columns.length)} columns</span></summary>
        <div class="scroll" tabindex="0" role="region" aria-label=${`Columns of ${name}`}>
          <table>
            <thead><tr><th scope="col">Column</th><th scope="col" class="head-type">Type</th><th scope="col" class="number">Distinct</th><th scope="col">Samples</th></tr></thead>
            <tbody>${columns.map((column) => this.#column(column, name))}</tbody>
          </table>
        </div>
      </details>
    `;
  }

  protected override render() {
    const tables = this.profile?.tables ?? [];
    return html`
      <div class="section-head"><div><h2>Your data</h2><p>Counts and samples of each column. We detect personal data by names and values, and leave it out of the model.</p></div></div>
      <div class="tables">${tables.map((table) => this.#table(table, tables.length === 1))}</div>
    `;
  }
}

customElements.define('ui-profile', ProfilePanel);
