/** Lays records out as a crosstab: header cells across, header cells down, and data cells where they meet. */

import type { AnswerColumn, AnswerRecord, MetricCell } from '../../../../router/capabilities/query-source.ts';
import { cooperativeSort } from '../../../../router/cooperative-sort.ts';
import { cooperativeYield } from '../../../../router/cooperative-yield.ts';
import { ValidationError } from '../../../../router/errors.ts';
import type { ShapedAnswer } from './shape.ts';

export interface HeaderCell {
  /** `null` for a group with a null field, and in the empty corner. */
  readonly value: string | null;
  readonly type: 'COLUMN_HEADER' | 'ROW_HEADER';
  /** The value behind a label of a grain. */
  readonly raw?: string | number | undefined;
}

export interface DataCell {
  /** The value as the server writes it; `null` where there is none or it is masked by null. */
  readonly value: string | null;
  readonly type: 'DATA_CELL';
  readonly raw: MetricCell['value'];
  readonly suppressed?: true;
}

export interface Matrix {
  /**
   * One line for each field of the columns, the last one with the labels of rows and metrics. All lines have the same
   * length.
   */
  readonly cellSetHeaders: HeaderCell[][];
  /** One line for each row group: its header cells, then its data cells. */
  readonly cellSetBody: (HeaderCell | DataCell)[][];
}

/** The most cells of a matrix. It grows with rows times columns, however few of its cells have values. */
const MAX_MATRIX_CELLS = 1_000_000;

/** A field of columns, by its key, and the direction in which it sorts them. */
export interface ColumnOrder {
  readonly key: string;
  readonly direction: 'asc' | 'desc';
}

/** Cells between two yields to the event loop. */
const CELLS_BETWEEN_YIELDS = 2_000;
/** Groups across, each with all metrics. */
const TUPLES_BETWEEN_YIELDS = 20;
const RECORDS_BETWEEN_YIELDS = 100;

/**
 * Lays records out as a matrix. `rowGroups` is the number of dimension columns in rows; the others go across. Rows keep the
 * order of the records, unless the records carry `rowPlaces`. Columns are sorted by their fields in `columnOrder`, then
 * ascending, nulls last, so that a column keeps its place in every order of rows; without rows, columns keep the order of
 * the records too. The function yields to the event loop now and then.
 *
 * @throws ValidationError where the matrix would be too large
 */
export async function matrixOf(
  { columns, records, rowPlaces }: Pick<ShapedAnswer, 'columns' | 'records' | 'rowPlaces'>,
  rowGroups: number,
  columnOrder: readonly ColumnOrder[] = [],
): Promise<Matrix> {
  const dimensions = columns.filter(({ type }) => type === 'dimension');
  const metrics = columns.filter(({ type }) => type === 'metric');
  // Without metrics there are no data cells, so every group is a row.
  const down = metrics.length === 0 ? dimensions : dimensions.slice(0, rowGroups);
  const across = dimensions.slice(down.length);
  const yieldTurn = cooperativeYield();

  const rows = await grouped(rowPlaces === undefined ? records : await inOrder(records, rowPlaces), down, yieldTurn);
  const columnGroups = [...(await grouped(records, across, yieldTurn)).values()];
  const isSorted = across.length > 0 && down.length > 0;
  const tuples = isSorted ? await cooperativeSort(columnGroups, comparing(across, columnOrder)) : columnGroups;
  const shown = across.length === 0 && columnGroups.length === 0 ? [NO_GROUP] : tuples;
  const width = shown.length * metrics.length + down.length;
  refuseHuge(rows.size, across.length + 1, width);

  const lead = Math.max(down.length, 1);
  const blank = Array.from({ length: lead }, () => header(null));
  const corner = down.length === 0 ? [...blank] : down.map(({ label }) => header(label));
  const cellSetHeaders: HeaderCell[][] = [];
  for (const depth of [...across.keys(), undefined]) {
    const line = depth === undefined ? corner : [...blank];
    for (const [at, { values }] of shown.entries()) {
      for (const { label } of metrics)
        line.push(depth === undefined ? header(label) : headerOf(values[depth], across[depth], 'COLUMN_HEADER'));
      if (at % TUPLES_BETWEEN_YIELDS === 0) await yieldTurn();
    }
    cellSetHeaders.push(line);
  }

  const tuplePlaces = new Map<string, number>();
  for (const [place, { key }] of shown.entries()) {
    if (place % RECORDS_BETWEEN_YIELDS === 0) await yieldTurn();
    tuplePlaces.set(key, place);
  }
  const cellSetBody: (HeaderCell | DataCell)[][] = [];
  let made = 0;
  for (const { values, records: rowRecords } of rows.values()) {
    const line: (HeaderCell | DataCell)[] =
      down.length === 0
        ? [{ value: null, type: 'ROW_HEADER' }]
        : values.map((value, depth) => headerOf(value, down[depth], 'ROW_HEADER'));
    const byPlace = new Map<number | undefined, AnswerRecord>();
    for (const [at, record] of rowRecords.entries()) {
      if (at % RECORDS_BETWEEN_YIELDS === RECORDS_BETWEEN_YIELDS - 1) await yieldTurn();
      byPlace.set(tuplePlaces.get(groupKey(record, across)), record);
    }
    for (let place = 0; place < shown.length; place++) {
      const record = byPlace.get(place);
      for (const { key } of metrics) line.push(dataCell(record?.[key]));
      made += metrics.length;
      if (made < CELLS_BETWEEN_YIELDS) continue;
      made = 0;
      await yieldTurn();
    }
    made += lead;
    cellSetBody.push(line);
  }
  return { cellSetHeaders, cellSetBody };
}

interface Group {
  readonly key: string;
  readonly values: readonly AnswerRecord[string][];
  readonly records: AnswerRecord[];
}

/** The only column group of a matrix without column fields and records. */
const NO_GROUP: Group = { key: '[]', values: [], records: [] };

/** Groups records by their values of some columns, in the order in which the groups first occur. */
async function grouped(
  records: readonly AnswerRecord[],
  by: readonly AnswerColumn[],
  yieldTurn: () => Promise<void>,
): Promise<ReadonlyMap<string, Group>> {
  const groups = new Map<string, Group>();
  for (const [at, record] of records.entries()) {
    if (at % RECORDS_BETWEEN_YIELDS === 0) await yieldTurn();
    const key = groupKey(record, by);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { key, values: by.map((column) => record[column.key] ?? null), records: [record] });
    } else group.records.push(record);
  }
  return groups;
}

function groupKey(record: AnswerRecord, by: readonly AnswerColumn[]): string {
  return JSON.stringify(by.map(({ key }) => record[key] ?? null));
}

function refuseHuge(rows: number, headerLines: number, width: number): void {
  if (Math.max(rows, headerLines) * width <= MAX_MATRIX_CELLS) return;
  throw ValidationError.at(
    ['columns'],
    `The matrix would have ${rows} rows of ${width} cells below ${headerLines} lines of headers, more than ${MAX_MATRIX_CELLS} in all. Ask for records, or put fewer fields in columns.`,
  );
}

async function inOrder(records: readonly AnswerRecord[], places: readonly number[]): Promise<readonly AnswerRecord[]> {
  const placed = records.map((record, index) => ({ record, place: places[index] ?? 0 }));
  const sorted = await cooperativeSort(placed, (left, right) => left.place - right.place);
  return sorted.map(({ record }) => record);
}

function comparing(across: readonly AnswerColumn[], order: readonly ColumnOrder[]) {
  const ordered = new Set(order.map(({ key }) => key));
  const ties = across.flatMap(({ key }) => (ordered.has(key) ? [] : [{ key, direction: 'asc' as const }]));
  const terms = [...order, ...ties].flatMap(({ key, direction }) => {
    const depth = across.findIndex((column) => column.key === key);
    const { dataType, order } = across[depth] ?? {};
    const places = order && new Map(order.map((value, place) => [value, place]));
    return depth < 0 ? [] : [{ depth, dataType, places, isDescending: direction === 'desc' }];
  });
  return (left: Group, right: Group): number => {
    for (const { depth, dataType, places, isDescending } of terms) {
      const [a = null, b = null] = [left.values[depth], right.values[depth]];
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1;
        continue;
      }
      const isNumber = dataType === 'integer' || dataType === 'decimal' || dataType === 'float';
      const [first, second] = [places?.get(String(a)), places?.get(String(b))];
      const order =
        first !== undefined && second !== undefined
          ? first - second
          : isNumber
            ? numberOrder(String(a), String(b))
            : textOrder(String(a), String(b));
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  };
}

/** Compares numbers. They come as text where they are too large for a double; two of these may round to one double. */
function numberOrder(left: string, right: string): number {
  const difference = Number(left) - Number(right);
  return difference === 0 ? exactOrder(left, right) : difference;
}

function exactOrder(left: string, right: string): number {
  const [a, b] = [DECIMAL.exec(left), DECIMAL.exec(right)];
  if (a === null || b === null) return 0; // A number written with a power of ten is a double, with exactly that value.
  const scale = Math.max(a[2]?.length ?? 0, b[2]?.length ?? 0);
  const [first, second] = [a, b].map(([, whole = '', fraction = '']) => BigInt(whole + fraction.padEnd(scale, '0')));
  return first === undefined || second === undefined || first === second ? 0 : first < second ? -1 : 1;
}

const DECIMAL = /^(-?\d+)(?:\.(\d*))?$/;

function textOrder(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function header(value: string | null): HeaderCell {
  return { value, type: 'COLUMN_HEADER' };
}

/** Returns the header of a group. A grain has its label, with its value as `raw`. */
function headerOf(
  value: AnswerRecord[string] | undefined,
  column: AnswerColumn | undefined,
  type: HeaderCell['type'],
): HeaderCell {
  const text = cellKey(value);
  const label = text === null ? undefined : column?.labels?.[text];
  if (label === undefined || (typeof value !== 'string' && typeof value !== 'number')) return { value: text, type };
  return { value: label, type, raw: value };
}

function cellKey(value: AnswerRecord[string] | undefined): string | null {
  return value === null || value === undefined || typeof value === 'object' ? null : String(value);
}

function dataCell(cell: AnswerRecord[string] | undefined): DataCell {
  // No record: the two groups do not occur together.
  if (typeof cell !== 'object' || cell === null) return { value: null, type: 'DATA_CELL', raw: null };
  return {
    value: cell.formatted,
    type: 'DATA_CELL',
    raw: cell.value,
    ...(cell.suppressed === true ? { suppressed: true } : {}),
  };
}
