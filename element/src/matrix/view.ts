import { html, nothing, type TemplateResult } from 'lit';
import { isNumeric } from '../api/columns.ts';
import type { Answer, Cell, Column } from '../api/parse-answer.ts';
import { DASH } from '../formats.ts';
import { MAX_MATRIX_ROWS_EXPANDED } from '../limits.ts';
import type { Panel } from '../state/panel.ts';
import { hiddenNote, tableView } from '../table/table-view.ts';
import type { AnswerViewOptions, Host } from '../types.ts';
import { readSubtotals, type Subtotals } from './subtotals.ts';
import { type Branch, buildMatrix, type Matrix } from './tree.ts';

const matrices = new WeakMap<Answer['rows'], Matrix>();
/** Branches that the reader has opened or closed, by panel. */
const toggledBranches = new WeakMap<Panel, Set<string>>();

/** Renders an answer as a matrix with rows that open and close. */
export function matrixView(panel: Panel, answer: Answer, host: Host, { title }: AnswerViewOptions): TemplateResult {
  const matrix = matrices.get(answer.rows) ?? buildMatrix(answer);
  matrices.set(answer.rows, matrix);
  // Measures alone have no levels, and dimensions alone have no cells.
  if (matrix.levels.length === 0 || matrix.measures.length === 0)
    return tableView(answer, panel.table, host.formats, title);
  const open = toggledBranches.get(panel) ?? new Set<string>();
  toggledBranches.set(panel, open);
  const context = { matrix, answer, host, open, subtotals: readSubtotals(panel, answer, matrix) };
  return html`<div class="scroller" part="scroller" role="region" tabindex="0" aria-label=${title}>
    <table class="matrix" part="table"><caption class="visually-hidden">${title}</caption>${head(matrix, answer, host)}
      <tbody>${[...matrix.roots.values()].map((branch) => branchRows(branch, 0, context))}${total(context)}</tbody>
    </table>
  </div>`;
}

function head({ across, members, measures, levels }: Matrix, { columns }: Answer, { formats }: Host): TemplateResult {
  const corner = levels.map((level) => columns[level]?.label).join(' / ');
  const labels = members.map(() =>
    measures.map((measure, index) => {
      const column = columns[measure];
      return html`<th scope="col" part="header-cell" class="${column && isNumeric(column) ? 'number' : ''} ${index === 0 ? 'first' : ''}">${column?.label}</th>`;
    }),
  );
  if (across === undefined)
    return html`<thead><tr><th scope="col" part="header-cell">${corner}</th>${labels}</tr></thead>`;
  const groups = members.map(
    ({ cell }) =>
      html`<th scope="colgroup" part="header-cell" class=${measures.length > 1 ? 'group' : 'number first'} colspan=${measures.length}>${formats.cell(cell, columns[across])}</th>`,
  );
  // A single measure needs no header line: the caption of the embed or the tile names it.
  const second = measures.length > 1 ? html`<tr>${labels}</tr>` : nothing;
  return html`<thead><tr><th scope="col" part="header-cell" rowspan=${measures.length > 1 ? 2 : 1}>${corner}</th>${groups}</tr>${second}</thead>`;
}

interface Context {
  readonly matrix: Matrix;
  readonly answer: Answer;
  readonly host: Host;
  readonly open: Set<string>;
  readonly subtotals: Subtotals | undefined;
}

function branchRows(branch: Branch, depth: number, context: Context): readonly TemplateResult[] {
  const { matrix, answer, host, open } = context;
  const label = host.formats.cell(
    { text: branch.text, number: undefined, suppressed: false },
    answer.columns[matrix.levels[depth] ?? -1],
  );
  if (branch.children.size === 0) return [leaf(branch, depth, label, context)];
  const isOpen = open.has(branch.path) !== answer.rows.length <= MAX_MATRIX_ROWS_EXPANDED;
  const toggle = (): void => {
    if (!open.delete(branch.path)) open.add(branch.path);
    host.requestUpdate();
  };
  const row = html`<tr class="branch" part="row"><th scope="rowgroup" .style=${`--depth:${depth}`}><button type="button" part="branch" aria-expanded=${String(isOpen)} @click=${toggle}>${label}
    <span class="count">${host.formats.number(branch.children.size)}</span></button></th>${sums(branch.path, context)}</tr>`;
  return isOpen
    ? [row, ...[...branch.children.values()].flatMap((child) => branchRows(child, depth + 1, context))]
    : [row];
}

function leaf({ cells }: Branch, depth: number, label: string, context: Context): TemplateResult {
  return html`<tr part="row"><th scope="row" title=${label} .style=${`--depth:${depth}`}>${label}</th>${cellViews(cells, context)}</tr>`;
}

/** Renders the total of all rows, unless the server computes none. */
function total(context: Context): TemplateResult | typeof nothing {
  return context.subtotals
    ? html`<tr class="total" part="row"><th scope="row" .style=${'--depth:0'}>${context.host.formats.say('Total')}</th>${sums('', context)}</tr>`
    : nothing;
}

/** Renders the subtotals of a branch: empty cells until they arrive, and one empty cell where there are none. */
function sums(path: string, context: Context) {
  const { matrix, subtotals } = context;
  const cells = subtotals?.get(path);
  if (cells) return cellViews(cells, context);
  const count = matrix.members.length * matrix.measures.length;
  return subtotals
    ? Array.from({ length: count }, () => html`<td part="cell"></td>`)
    : html`<td colspan=${count}></td>`;
}

function cellViews(cells: ReadonlyMap<string, readonly Cell[]>, { matrix, answer, host }: Context) {
  return matrix.members.map(({ key }) =>
    matrix.measures.map((measure, index) =>
      cellView(cells.get(key)?.[index], answer.columns[measure], index === 0, host),
    ),
  );
}

function cellView(
  cell: Cell | undefined,
  column: Column | undefined,
  first: boolean,
  { formats }: Host,
): TemplateResult {
  const numeric = column !== undefined && isNumeric(column);
  const negative = numeric && (cell?.number ?? 0) < 0;
  const kind = `${numeric ? 'number' : ''}${negative ? ' negative' : ''}${cell?.text === undefined ? ' missing' : ''}${first ? ' first' : ''}`;
  return html`<td class=${kind} part="cell" title=${cell?.suppressed ? formats.say('Hidden to protect a small group') : nothing}>${cell ? formats.cell(cell, column) : DASH}${hiddenNote(cell, formats)}</td>`;
}
