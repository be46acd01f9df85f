/** Shapes a columnar result into labelled columns and records. */

import type { AnswerColumn, AnswerRecord, MetricCell } from '../../../../router/capabilities/query-source.ts';
import type { ColumnarResult, Scalar, ScalarType } from '../../../../router/capabilities/warehouse.ts';
import { cooperativeYield, itemCounter } from '../../../../router/cooperative-yield.ts';
import { recordOf } from '../../../../router/record-of.ts';
import { type Mask, maskedCell } from '../../../query-surface/index.ts';
import { COMPARED_PART_NAMES, COMPARED_PARTS, type ComparedPart } from '../../compare/parts.ts';
import { roleLabel } from '../joins/role-labels.ts';
import { numbersOf } from '../nodes/aggregation-override.ts';
import { fieldKey } from '../nodes/field-key.ts';
import { grainName, type ResolvedGrain, tableOf } from '../nodes/grain.ts';
import type { MetricColumn, Plan, PlannedGroup } from '../nodes/plan.ts';
import { maskedRows, suppressionNote } from './apply-mask.ts';
import { type BaseAnswer, baseValuesOf } from './base-values.ts';
import { differenceFormatterFor, type Formatter, formatterFor, isRate } from './format.ts';
import { groupCell, labellerFor, typeOfGrain } from './grain-labels.ts';
import { displayOf, labelOf } from './metric-display.ts';

export interface ShapedAnswer {
  readonly columns: readonly AnswerColumn[];
  readonly records: readonly AnswerRecord[];
  readonly meta: {
    readonly rowCount: number;
    readonly truncated: boolean;
    readonly suppressed?: { readonly count: number; readonly reason: string } | undefined;
  };
  /** For each record the place of its row group, where row groups do not come in their order; see `Crosstab`. */
  readonly rowPlaces?: readonly number[] | undefined;
}

/** Cells between two yields to the event loop. */
const CELLS_BETWEEN_YIELDS = 2_000;

export interface ShapeSettings {
  readonly mask: Mask;
  /** Rows after which the answer is cut and marked as cut; `undefined` where the request's own limit ends it. */
  readonly rowCap: number | undefined;
  /** For each row whether it was added for a period without facts. Such a row is not masked. */
  readonly isFilled?: readonly boolean[] | undefined;
  /** Answers about the times that values are compared with. */
  readonly bases?: readonly BaseAnswer[] | undefined;
}

/** Shapes a result. Yields to the event loop between cells. */
export async function shape(
  plan: Plan,
  result: ColumnarResult,
  { mask, rowCap, isFilled = [], bases = [] }: ShapeSettings,
): Promise<ShapedAnswer> {
  const rowCount = rowCap === undefined ? result.rowCount : Math.min(result.rowCount, rowCap);
  const kept: ColumnarResult = { ...result, rowCount };
  const yieldTurn = cooperativeYield();
  const masked = (await maskedRows(plan, kept, yieldTurn)).map((each, row) => each && isFilled[row] !== true);
  const compared = await baseValuesOf(plan, kept, bases, yieldTurn);
  const cells = columnsOf(plan, result).flatMap((column, index): readonly Cells[] => {
    const values = result.values[index] ?? [];
    const group = plan.groups[index];
    if (group !== undefined || column.type === 'dimension')
      return [{ column, at: (row) => groupValue(values[row] ?? null, group) }];
    const metric = plan.metrics[index - plan.groups.length];
    const display = metric === undefined ? { hidden: false } : displayOf(metric, column.dataType);
    const format = formatterFor(display, column.dataType);
    const formats = { base: format, difference: differenceFormatterFor(display, column.dataType), ratio: RATIO };
    const exact = exactOf(metric);
    const valueAt = (row: number) => exact(values[row] ?? null);
    const base = compared.get(index - plan.groups.length);
    const metricCells = {
      column,
      at: (row: number) => (masked[row] ? maskedCell(mask) : metricCell(valueAt(row), format)),
    };
    if (base === undefined) return [metricCells];
    const added = COMPARED_PART_NAMES.map((part): Cells => {
      return {
        column: comparedColumn(column, part, base.target),
        at: (row) => {
          const { value, isMasked } = base.at(row);
          const hides = isMasked || (part !== 'base' && masked[row] === true);
          if (hides) return maskedCell(mask);
          return metricCell(COMPARED_PARTS[part].of(valueAt(row), exact(value)), formats[part]);
        },
      };
    });
    return [metricCells, ...added];
  });
  const columns = cells.map(({ column }) => column);
  const keys = columns.map(({ key }) => key);
  const records: AnswerRecord[] = [];
  const isDue = itemCounter(CELLS_BETWEEN_YIELDS);
  for (let row = 0; row < rowCount; row++) {
    if (isDue(columns.length)) await yieldTurn();
    records.push(
      recordOf(
        keys,
        cells.map(({ at }) => at(row)),
      ),
    );
  }
  const suppressed = suppressionNote(plan, masked);
  const truncated = rowCap !== undefined && (result.truncated || result.rowCount > rowCap);
  const rowPlaces =
    plan.crosstab?.isInterleaved === true
      ? (result.values.at(-1) ?? []).slice(0, rowCount).map((place) => Number(place))
      : undefined;
  return {
    columns: columns.map((column, index) => withLabels(column, records, plan.groups[index]?.grain)),
    records,
    meta: { rowCount, truncated, ...(suppressed === undefined ? {} : { suppressed }) },
    rowPlaces,
  };
}

/** A column and its contents. */
interface Cells {
  readonly column: AnswerColumn;
  readonly at: (row: number) => AnswerRecord[string];
}

const RATIO = formatterFor({ hidden: false, format: '#,##0.0%' }, 'float');

function comparedColumn(column: AnswerColumn, part: ComparedPart, target: string): AnswerColumn {
  const { key, label, type, dataType, aggregationKind, change } = column;
  return {
    key: `${key}.${part}`,
    label: COMPARED_PARTS[part].label(label, target),
    type,
    dataType: part === 'ratio' ? 'float' : dataType,
    aggregationKind: part === 'ratio' ? 'ratio' : aggregationKind,
    ...(change === undefined || part === 'ratio' ? {} : { change }),
    compare: { metric: key, part },
  };
}

/** Writes the label of a group: `Order date (month)`, `Order date (month, Shipped on)`. */
export function labelOfGroup({ field: { label }, roles, grain }: PlannedGroup): string {
  const details = [
    ...(grain === undefined || grain.isImplied === true ? [] : [grainName(grain).replaceAll('_', ' ')]),
    ...(roles.length === 0 ? [] : [roleLabel(roles)]),
  ];
  return details.length === 0 ? label : `${label} (${details.join(', ')})`;
}

/** Adds labels to each value in a column of periods or parts. */
function withLabels(
  column: AnswerColumn,
  records: readonly AnswerRecord[],
  grain: ResolvedGrain | undefined,
): AnswerColumn {
  if (grain === undefined) return column;
  const label = labellerFor(grain);
  const labels = new Map<string, string>();
  for (const record of records) {
    const cell = record[column.key];
    if (cell === null || cell === undefined || typeof cell === 'object' || labels.has(String(cell))) continue;
    labels.set(String(cell), label(cell) ?? String(cell));
  }
  const periods = tableOf(grain)?.periods;
  const shown = periods?.all.map(({ key }) => String(key)).filter((key) => labels.has(key));
  return { ...column, labels: Object.fromEntries(labels), ...(shown === undefined ? {} : { order: shown }) };
}

/** Returns the columns of an answer, without the ones that comparisons add and without labels. */
export function columnsOf(plan: Plan, result: Pick<ColumnarResult, 'columns'>): readonly AnswerColumn[] {
  const groups = plan.groups.map(
    (group, index): AnswerColumn => ({
      key: fieldKey(group),
      label: labelOfGroup(group),
      type: 'dimension',
      dataType: group.grain === undefined ? typeOfGroup(group, result.columns[index]?.type) : typeOfGrain(group.grain),
      ...(group.grain === undefined ? {} : { grain: grainName(group.grain) }),
    }),
  );
  const metrics = plan.metrics.map((column, index): AnswerColumn => {
    const dataType = metricType(column, result.columns[plan.groups.length + index]?.type ?? 'other');
    return {
      key: column.metric.name,
      label: labelOf(column),
      type: 'metric',
      dataType,
      aggregationKind: column.aggregation ?? column.metric.aggregationKind,
      ...(isRate(displayOf(column, dataType)) ? { change: 'points' } : {}),
    };
  });
  return [...groups, ...metrics];
}

/** Returns the engine's type of a group, except for truth values, which MariaDB turns into numbers in a union. */
function typeOfGroup({ field }: PlannedGroup, type: ScalarType = field.type): ScalarType {
  return field.type === 'boolean' ? field.type : type;
}

/** Returns the model's type of a metric; the engine's type where the model has none. */
function metricType(column: MetricColumn, type: ScalarType): ScalarType {
  const kind = numbersOf(column);
  if (kind === 'whole') return 'integer';
  return kind === 'fractional' && (type === 'integer' || type === 'other') ? 'float' : type;
}

/** Returns the cell of a dimension. */
export function groupValue(value: Scalar, group: PlannedGroup | undefined): Exclude<Scalar, bigint> {
  return plain(group === undefined ? value : groupCell(value, group));
}

/** Returns the function that gives a metric's values the type of the metric. */
function exactOf(metric: MetricColumn | undefined): (value: Scalar) => Scalar {
  return metric !== undefined && numbersOf(metric) === 'whole' ? wholeNumber : unchanged;
}

/** Returns the function that makes the number of a cell of a metric, which is text where no double holds it. */
export function metricValueOf(metric: MetricColumn | undefined): (value: Scalar) => string | number | null {
  const exact = exactOf(metric);
  return (value) => {
    const number = plain(exact(value));
    return typeof number === 'boolean' ? String(number) : number;
  };
}

function wholeNumber(value: Scalar): Scalar {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : value;
}

function unchanged(value: Scalar): Scalar {
  return value;
}

function metricCell(value: Scalar, format: Formatter): MetricCell {
  // JSON has no NaN and no infinities.
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return { value: null, formatted: null };
  const shown = plain(value);
  return { value: typeof shown === 'boolean' ? String(shown) : shown, formatted: format(value) };
}

/** Converts a value for JSON: whole numbers too large for a double become text. */
function plain(value: Scalar): Exclude<Scalar, bigint> {
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value !== 'bigint') return value;
  const isSafe = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return isSafe ? Number(value) : String(value);
}
