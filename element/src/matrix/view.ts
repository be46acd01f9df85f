import { html, nothing, type TemplateResult } from 'lit';
import { isNumeric } from '../api/columns.ts';
import type { Answer, Cell } from '../api/parse-answer.ts';
import { DASH } from '../formats.ts';
import { MAX_MATRIX_ROWS_EXPANDED } from '../limits.ts';
import type { Panel } from '../state/panel.ts';
import { hiddenNote } from '../table/cell-text.ts';
import type { AnswerViewPart, Host } from '../types.ts';
import { MatrixControls, type RowWriter } from './controls.ts';
import { readSubtotals, type Subtotals } from './subtotals.ts';
import { type Branch, buildMatrix, type Matrix } from './tree.ts';

const matrices = new WeakMap<Answer['rows'], Matrix>();
/** Branches that the reader has opened or closed, by panel. */
const toggledBranches = new WeakMap<Panel, Set<string>>();
const controlsOf = new WeakMap<Panel, MatrixControls>();

/** Renders an answer as a matrix with rows that open and close. A cell leads to what its row of the answer leads to. */
export function matrixView(...[panel, answer, host, form, table]: Parameters<AnswerViewPart['view']>): TemplateResult {
  const { title } = form;
  const matrix = matrices.get(answer.rows) ?? buildMatrix(answer);
  matrices.set(answer.rows, matrix);
  // Measures alone have no levels, and dimensions alone have no cells.
  if (matrix.levels.length === 0 || matrix.measures.length === 0) return table(panel, answer, host, form);
  const open = toggledBranches.get(panel) ?? new Set<string>();
  toggledBranches.set(panel, open);
  const controls = controlsOf.get(panel) ?? new MatrixControls(panel, host);
  controlsOf.set(panel, controls);
  const { selected } = panel.table;
  const subtotals = readSubtotals(panel, answer, matrix);
  const context: Context = { matrix, answer, host, open, subtotals, controls, selected };
  const rows = [...[...matrix.roots.values()].flatMap((branch) => branchRows(branch, 0, context)), ...total(context)];
  controls.clamp(rows.length, 1 + matrix.members.length * matrix.measures.length);
  return html`<div class="scroller" part="scroller" @click=${controls} @keydown=${controls} @focusin=${controls}>
    <table class="matrix" part="table" role="grid" aria-label=${title}><caption class="visually-hidden">${title}</caption>${head(matrix, answer, host)}
      <tbody>${rows.map((write, place) => write(place))}</tbody>
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
  readonly controls: MatrixControls;
  /** The selected row of the answer. */
  readonly selected: number | undefined;
}

function branchRows(branch: Branch, depth: number, context: Context): readonly RowWriter[] {
  const { matrix, answer, host, open, controls } = context;
  const label = host.formats.cell(
    { text: branch.text, number: undefined, suppressed: false },
    answer.columns[matrix.levels[depth] ?? -1],
  );
  if (branch.children.size === 0) return [(place) => leaf(branch, depth, label, { ...context, place })];
  const isOpen = open.has(branch.path) !== answer.rows.length <= MAX_MATRIX_ROWS_EXPANDED;
  const toggle = (): void => {
    if (!open.delete(branch.path)) open.add(branch.path);
    host.requestUpdate();
  };
  const row: RowWriter = (place) =>
    html`<tr class="branch" part="row"><th scope="rowgroup" .style=${`--depth:${depth}`}><button type="button" part="branch" tabindex=${controls.tabIndex(place, 0)} aria-expanded=${String(isOpen)} @click=${toggle}>${label}
    <span class="count">${host.formats.number(branch.children.size)}</span></button></th>${sums(branch.path, { ...context, place })}</tr>`;
  return isOpen
    ? [row, ...[...branch.children.values()].flatMap((child) => branchRows(child, depth + 1, context))]
    : [row];
}

/** A row at its place in the body. */
interface PlacedContext extends Context {
  readonly place: number;
}

function leaf({ cells, rows }: Branch, depth: number, label: string, context: PlacedContext): TemplateResult {
  const { matrix, controls, place, selected } = context;
  // Without members across, the name of a row stands for one row of the answer.
  const row = matrix.across === undefined ? rows.get('') : undefined;
  const isChosen = row !== undefined && row === selected;
  return html`<tr part="row"><th scope="row" class=${row === undefined ? '' : 'leads'} title=${label} tabindex=${controls.tabIndex(place, 0)} data-row=${row ?? nothing} aria-selected=${isChosen || nothing} .style=${`--depth:${depth}`}>${label}</th>${cellViews(cells, rows, context)}</tr>`;
}

/** Renders the total of all rows, unless the server computes none. */
function total(context: Context): readonly RowWriter[] {
  if (!context.subtotals) return [];
  return [
    (place) =>
      html`<tr class="total" part="row"><th scope="row" tabindex=${context.controls.tabIndex(place, 0)} .style=${'--depth:0'}>${context.host.formats.say('Total')}</th>${sums('', { ...context, place })}</tr>`,
  ];
}

const NO_ROWS: ReadonlyMap<string, number> = new Map();

/** Renders the subtotals of a branch: empty cells until they arrive, and one empty cell where there are none. */
function sums(path: string, context: PlacedContext) {
  const { matrix, subtotals, controls, place } = context;
  const cells = subtotals?.get(path);
  if (cells) return cellViews(cells, NO_ROWS, context);
  const count = matrix.members.length * matrix.measures.length;
  const empty = (index: number, span: number | typeof nothing) =>
    html`<td part="cell" tabindex=${controls.tabIndex(place, index + 1)} colspan=${span}></td>`;
  return subtotals ? Array.from({ length: count }, (_, index) => empty(index, nothing)) : empty(0, count);
}

/** Renders the measures of a row. `rows` has the rows of the answer that they are of. */
function cellViews(
  cells: ReadonlyMap<string, readonly Cell[]>,
  rows: ReadonlyMap<string, number>,
  context: PlacedContext,
) {
  const { members, measures } = context.matrix;
  return members.map(({ key }, member) =>
    measures.map((measure, index) =>
      cellView(cells.get(key)?.[index], context, {
        measure,
        index,
        column: 1 + member * measures.length + index,
        row: rows.get(key),
      }),
    ),
  );
}

interface CellPlace {
  /** Position of the measure in the answer, and among the measures. */
  readonly measure: number;
  readonly index: number;
  /** Place in the row of the matrix. */
  readonly column: number;
  /** Position of the answer's row; undefined for a subtotal, and where the answer has none. */
  readonly row: number | undefined;
}

function cellView(cell: Cell | undefined, context: PlacedContext, { measure, index, column: at, row }: CellPlace) {
  const { answer, controls, place, selected } = context;
  const { formats } = context.host;
  const column = answer.columns[measure];
  const numeric = column !== undefined && isNumeric(column);
  const negative = numeric && (cell?.number ?? 0) < 0;
  const kind = `${numeric ? 'number' : ''}${negative ? ' negative' : ''}${cell?.text === undefined ? ' missing' : ''}${index === 0 ? ' first' : ''}${row === undefined ? '' : ' leads'}`;
  const isChosen = row !== undefined && row === selected;
  return html`<td class=${kind} part="cell" tabindex=${controls.tabIndex(place, at)} data-row=${row ?? nothing} data-column=${row === undefined ? nothing : measure} aria-selected=${isChosen || nothing} title=${cell?.suppressed ? formats.say('Hidden to protect a small group') : nothing}>${cell ? formats.cell(cell, column) : DASH}${hiddenNote(cell, formats)}</td>`;
}
