/** Compares two result sets: the rows as sets, texts exactly, numbers with a tolerance, columns in any order. */
export type Cell = string | number | boolean | null;
export type Rows = readonly (readonly Cell[])[];

export interface Comparison {
  readonly tolerance: number;
  /** Whether the order of the rows counts. */
  readonly isOrdered: boolean;
}

/** The likeness of two result sets: equal, the same figures in another shape, or different. */
export type Likeness = 'same' | 'other shape' | 'different';

export function compareRows(right: Rows, answered: Rows, { tolerance, isOrdered }: Comparison): Likeness {
  const expected = rowParts(right, isOrdered);
  const actual = rowParts(answered, isOrdered);
  const isSame =
    expected.length === actual.length &&
    expected.every((row, at) => {
      const other = actual[at];
      return other !== undefined && row.texts === other.texts && areNear(row.numbers, other.numbers, tolerance);
    });
  if (isSame) return 'same';
  const figures = sortedNumbers(expected);
  return figures.length > 0 && containsAll(sortedNumbers(actual), figures, tolerance) ? 'other shape' : 'different';
}

interface RowParts {
  readonly texts: string;
  readonly numbers: readonly number[];
}

function rowParts(rows: Rows, isOrdered: boolean): readonly RowParts[] {
  const parts = rows.map(partsOf);
  return isOrdered ? parts : parts.toSorted(inOrder);
}

/** Splits a row into its texts and its numbers, each sorted: the order of columns does not count. */
function partsOf(row: readonly Cell[]): RowParts {
  const numbers = row.flatMap((cell) => numberOf(cell) ?? []);
  const texts = row.filter((cell) => numberOf(cell) === undefined).map((cell) => JSON.stringify(cell));
  return { texts: texts.toSorted().join(), numbers: numbers.toSorted((left, right) => left - right) };
}

/** Returns the number that a cell is; numbers that no double represents exactly are texts of digits. */
function numberOf(cell: Cell): number | undefined {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : undefined;
}

function inOrder(left: RowParts, right: RowParts): number {
  if (left.texts !== right.texts) return left.texts < right.texts ? -1 : 1;
  const at = left.numbers.findIndex((number, index) => number !== right.numbers[index]);
  return at < 0 ? 0 : (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
}

function areNear(left: readonly number[], right: readonly number[], tolerance: number): boolean {
  return left.length === right.length && left.every((number, at) => isNear(number, right[at] ?? Number.NaN, tolerance));
}

function isNear(left: number, right: number, tolerance: number): boolean {
  return Math.abs(left - right) <= tolerance * Math.max(1, Math.abs(left), Math.abs(right));
}

function sortedNumbers(rows: readonly RowParts[]): readonly number[] {
  return rows.flatMap(({ numbers }) => numbers).toSorted((left, right) => left - right);
}

/** Returns whether each of the wanted numbers is among the numbers; both are sorted. */
function containsAll(numbers: readonly number[], wanted: readonly number[], tolerance: number): boolean {
  let at = 0;
  return wanted.every((number) => {
    while (at < numbers.length && (numbers[at] ?? 0) < number && !isNear(numbers[at] ?? 0, number, tolerance)) at++;
    const isFound = at < numbers.length && isNear(numbers[at] ?? 0, number, tolerance);
    at++;
    return isFound;
  });
}
