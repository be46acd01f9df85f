/** Finds the base value of each compared value of an answer, row by row. */

import { DAY_MS, dateText, readMoment } from '../../../../router/calendar.ts';
import type { ColumnarResult, Scalar } from '../../../../router/capabilities/warehouse.ts';
import { type Comparison, describeTarget } from '../nodes/comparison.ts';
import { collatedColumn } from '../nodes/field-key.ts';
import type { Plan } from '../nodes/plan.ts';
import { type PeriodShift, periodAway, type Shift, shifted } from '../nodes/shift.ts';
import { isZeroBase, zeroBasesOf } from './filled-bases.ts';
import { groupCell } from './grain-labels.ts';

/** The result of a comparison's query. */
export interface BaseAnswer {
  readonly comparison: Comparison;
  readonly plan: Plan;
  readonly result: ColumnarResult;
  readonly masked: readonly boolean[];
}

/** Values of one metric at the other time, by the rows of the answer. */
export interface BaseValues {
  /** The name of the base values: `previous year`. */
  readonly target: string;
  readonly at: (row: number) => { readonly value: Scalar; readonly isMasked: boolean };
}

const ROWS_BETWEEN_YIELDS = 1_000;

/** Returns the base value of each compared value of the request, by its index. */
export async function baseValuesOf(
  plan: Plan,
  result: ColumnarResult,
  bases: readonly BaseAnswer[],
  yieldTurn: () => Promise<void>,
): Promise<ReadonlyMap<number, BaseValues>> {
  const baseValues = new Map<number, BaseValues>();
  for (const { comparison, plan: basePlan, result: base, masked } of bases) {
    const rowsByKey = new Map<string, number>();
    const [baseTexts, texts] = [collatedTexts(basePlan, base), collatedTexts(plan, result)];
    for (let row = 0; row < base.rowCount; row += 1) {
      if (row % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
      rowsByKey.set(keyAt(basePlan, base, row, baseTexts), row);
    }
    const rows: (number | undefined)[] = [];
    for (let row = 0; row < result.rowCount; row += 1) {
      if (row % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
      rows.push(
        isOfNoPeriod(result, row, comparison) ? undefined : rowsByKey.get(keyAt(plan, result, row, texts, comparison)),
      );
    }
    const isFilled = zeroBasesOf(plan, result, base, comparison);
    for (const [column, index] of comparison.values.entries()) {
      const values = base.values[plan.groups.length + column] ?? [];
      const isZero = isZeroBase(basePlan.metrics[column]);
      baseValues.set(index, {
        target: describeTarget(comparison.compare.to),
        at: (row) => {
          const other = rows[row];
          if (other === undefined) return { value: isZero && isFilled(row) ? 0 : null, isMasked: false };
          return { value: values[other] ?? null, isMasked: masked[other] === true };
        },
      });
    }
  }
  return baseValues;
}

/** For each group, the text that its values share with values that are equal by their collation. */
type CollatedTexts = readonly (ReadonlyMap<Scalar, Scalar> | undefined)[];

/** Returns the texts of the hidden columns. An added row has a value of another row, but nothing in the hidden columns. */
function collatedTexts({ groups }: Plan, { columns, values, rowCount }: ColumnarResult): CollatedTexts {
  return groups.map((_, index) => {
    const collated = values[columns.findIndex(({ name }) => name === collatedColumn(index))];
    if (collated === undefined) return undefined;
    const texts = new Map<Scalar, Scalar>();
    for (let row = 0; row < rowCount; row += 1) {
      const text = collated[row] ?? null;
      if (text !== null) texts.set(values[index]?.[row] ?? null, text);
    }
    return texts;
  });
}

/** Returns the groups of a row as a text; with a comparison, the groups of its base row. */
function keyAt(
  { groups }: Plan,
  { values }: ColumnarResult,
  row: number,
  texts: CollatedTexts,
  comparison?: Comparison,
): string {
  const cells = groups.map((group, index) => {
    const value = values[index]?.[row] ?? null;
    if (comparison?.axis === index && comparison.shift.unit === 'period') {
      return periodOfTable(String(value), comparison.shift);
    }
    const cell = texts[index]?.get(value) ?? groupCell(value, group);
    if (group.grain === undefined) return cell === null ? null : `${typeof cell} ${cell}`;
    const text = cell === null ? null : String(cell);
    if (text === null || comparison?.axis !== index || comparison.shift.unit === 'period') return text;
    return periodBefore(text, comparison.shift);
  });
  return JSON.stringify(cells);
}

/** Returns whether a row has no period. Such a row has no base. */
function isOfNoPeriod({ values }: ColumnarResult, row: number, { axis }: Comparison): boolean {
  return axis !== undefined && (values[axis]?.[row] ?? null) === null;
}

/** Returns the key of the base period of a table's period; `false`, which no row has as its key, where there is none. */
function periodOfTable(first: string, shift: PeriodShift): string | false {
  const day = readMoment(first);
  const other = day === undefined ? undefined : periodAway(day / DAY_MS, shift);
  return other === undefined ? false : String(other.key);
}

function periodBefore(text: string, shift: Shift): string {
  const day = readMoment(text);
  return day === undefined ? text : dateText(shifted(day, shift) / DAY_MS);
}
