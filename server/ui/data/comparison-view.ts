import { css, html, LitElement, nothing } from 'lit';
import { shared } from '../styles/shared.ts';
import { inWords } from '../words/server-words.ts';
import { msg, str } from '../words/words.ts';
import type { ComparedTable, Comparison } from './change-requests.ts';
import { numberWords } from './words.ts';

/** Shows what new files change in the data of a model: tables, dates, totals, keys without a match, and saved content that breaks. */
export class ComparisonView extends LitElement {
  static override properties = { compared: { attribute: false }, isDone: { type: Boolean } };
  static override styles = [
    shared,
    css`
      .parts { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; }
      .refused { padding: 12px 16px; border: 1px solid var(--bad); border-radius: 10px; background: var(--bad-wash); }
      .refused li { margin-top: 6px; }
      .warned { padding: 12px 16px; border-radius: 10px; background: var(--warn-wash); }
      .warned li { margin-top: 4px; }
      h3 { margin-bottom: 8px; font-size: 14px; }
      .scroll { overflow-x: auto; }
      table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
      th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
      th { color: var(--muted); font-size: 12px; line-height: 16px; font-weight: 500; }
      .number { text-align: end; white-space: nowrap; }
      td.range { white-space: nowrap; }
      .file { color: var(--muted); font-size: 12px; line-height: 16px; overflow-wrap: anywhere; }
      @media (max-width: 600px) { th, td { padding-inline: 6px; } td.range { white-space: normal; } }
    `,
  ];

  declare compared: Comparison | undefined;
  /** Whether the files have taken the place of the data already. */
  declare isDone: boolean;

  constructor() {
    super();
    this.compared = undefined;
    this.isDone = false;
  }

  #columnWords({ columnsAdded, columnsRemoved, columnsChanged }: ComparedTable): string {
    return [
      ...columnsAdded.map((name) => `+ ${name}`),
      ...columnsRemoved.map((name) => `− ${name}`),
      ...columnsChanged,
    ].join(', ');
  }

  protected override render() {
    const { compared } = this;
    if (compared === undefined) return nothing;
    const { isPossible, reasons, findings, matched, tables, totals, unmatched, breaks } = compared;
    const dates = tables.flatMap((table) => table.dates.map((range) => ({ ...range, table: table.name })));
    return html`<div class="parts" role="region" aria-label=${msg('Comparison')}>
      ${
        isPossible
          ? html`<p role="status">${this.isDone ? msg('The files fitted the model, and took the place of the data.') : msg('The new files fit the model. Nothing is replaced yet.')}</p>`
          : html`<div class="refused" role="alert"><h3>${msg('The new files do not fit the model')}</h3><ul>${reasons.map((each) => html`<li>${inWords(each)}</li>`)}</ul></div>`
      }
      ${
        breaks.length === 0
          ? nothing
          : html`<div class="warned"><h3>${this.isDone ? msg('These are not answered any more') : msg('These would not be answered any more')}</h3><ul>${breaks.map(({ title, path, message }) => html`<li><b>${title}</b> (${path}): ${message}</li>`)}</ul></div>`
      }
      ${findings.length === 0 ? nothing : html`<div class="warned"><h3>${msg('While the files were read')}</h3><ul>${findings.map((each) => html`<li>${inWords(each)}</li>`)}</ul></div>`}
      <section><h3>${msg('Tables')}</h3><div class="scroll" tabindex="0" role="region" aria-label=${msg('Tables')}><table>
        <thead><tr><th scope="col">${msg('Table')}</th><th scope="col" class="number">${msg('Rows before')}</th><th scope="col" class="number">${msg('Rows after')}</th><th scope="col">${msg('Columns')}</th></tr></thead>
        <tbody>${tables.map(
          (
            table,
          ) => html`<tr><td>${table.name}<br><span class="file">${matched.find((each) => each.table === table.name)?.file ?? msg('No file')}</span></td><td class="number">${numberWords(table.rowsBefore)}</td><td class="number">${numberWords(table.rowsAfter)}</td>
            <td>${this.#columnWords(table) || msg('as before')}</td></tr>`,
        )}</tbody></table></div></section>
      ${
        dates.length === 0
          ? nothing
          : html`<section><h3>${msg('Dates')}</h3><div class="scroll" tabindex="0" role="region" aria-label=${msg('Dates')}><table>
              <thead><tr><th scope="col">${msg('Column')}</th><th scope="col">${msg('Before')}</th><th scope="col">${msg('After')}</th></tr></thead>
              <tbody>${dates.map(({ table, column, before, after }) => html`<tr><td>${table}.${column}</td><td class="range">${before}</td><td class="range">${after}</td></tr>`)}</tbody></table></div></section>`
      }
      ${
        totals.length === 0
          ? nothing
          : html`<section><h3>${msg('Totals')}</h3><div class="scroll" tabindex="0" role="region" aria-label=${msg('Totals')}><table>
              <thead><tr><th scope="col">${msg('Metric')}</th><th scope="col" class="number">${msg('Before')}</th><th scope="col" class="number">${msg('After')}</th></tr></thead>
              <tbody>${totals.map(({ label, before, after }) => html`<tr><td>${label}</td><td class="number">${numberWords(before)}</td><td class="number">${numberWords(after)}</td></tr>`)}</tbody></table></div></section>`
      }
      ${
        unmatched.length === 0
          ? nothing
          : html`<section><h3>${msg('Keys without a match')}</h3><ul>${unmatched.map(
              ({ from, to, before, after }) =>
                html`<li>${msg(str`${numberWords(after)} rows of ${from} have no row in ${to}; before it was ${numberWords(before)}.`)}</li>`,
            )}</ul></section>`
      }
    </div>`;
  }
}

customElements.define('ui-comparison', ComparisonView);
