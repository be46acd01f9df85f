import { ExactDecimal } from '../metadata/exact-numbers.ts';
import type { Value } from '../metadata/value.ts';
import { parseStatement } from '../syntax/parse-statement.ts';
import type { CellSet } from './cell-set.ts';

/**
 * Returns whether a statement returns rows instead of cells: a DRILLTHROUGH, or a request for a rowset.
 *
 * @throws MdxError if the text is not a statement
 */
export function yieldsRows(mdx: string): boolean {
  return parseStatement(mdx).kind !== 'select';
}

/**
 * Returns a result as rows for people: the captions of the row, then a column for each tuple of the first axis. Further
 * axes are nested in the rows.
 *
 * @param maxRows the maximum number of rows, from the first; a result may have more than anybody reads
 */
export function cellSetTable(
  { axes, cells }: CellSet,
  maxRows: number = Number.POSITIVE_INFINITY,
): readonly Readonly<Record<string, unknown>>[] {
  const [columns, ...down] = axes;
  const heads = unique((columns?.tuples ?? []).map((tuple) => tuple.map(({ caption }) => caption).join(' / ')));
  const width = Math.max(heads.length, 1);
  const rows = down.reduce((product, { tuples }) => product * tuples.length, 1);
  const rowHeads = unique(
    down.toReversed().flatMap(({ hierarchies }) => hierarchies.map((name) => name.replaceAll(/^\[|\]$/g, ''))),
  );
  return Array.from({ length: Math.min(rows, maxRows) }, (_, row) =>
    Object.fromEntries([
      ...captionsOf(down, row).map((caption, index) => [rowHeads[index] ?? `${index}`, caption]),
      ...(heads.length === 0 ? ['value'] : heads).map((head, column) => [
        rowHeads.includes(head) ? `${head} ` : head,
        cells[row * width + column]?.formatted ?? '',
      ]),
    ]),
  );
}

/** Returns the captions of a row, from the last axis to the first. The first axis changes fastest. */
function captionsOf(axes: CellSet['axes'], row: number): readonly string[] {
  const captions: string[] = [];
  let rest = row;
  for (const { tuples } of axes) {
    const tuple = tuples[rest % tuples.length] ?? [];
    captions.unshift(...tuple.map(({ caption }) => caption));
    rest = Math.floor(rest / tuples.length);
  }
  return captions;
}

function unique(names: readonly string[]): readonly string[] {
  const times = new Map<string, number>();
  return names.map((name) => {
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return time === 1 ? name : `${name} (${time})`;
  });
}

/**
 * Returns a result as plain data. Cells are in the order of their ordinals: the first axis changes fastest. Members and
 * cells have `properties` if DIMENSION PROPERTIES or CELL PROPERTIES requests any.
 */
export function cellSetJson({ slicer, axes, cellProperties, cells }: CellSet) {
  const tuples = (
    of: CellSet['axes'][number]['tuples'],
    names: readonly string[] = [],
    values: CellSet['axes'][number]['memberValues'] = [],
  ) =>
    of.map((tuple, place) =>
      tuple.map(({ uniqueName, caption }, at) => ({
        uniqueName,
        caption,
        ...properties(names, values[place]?.[at] ?? []),
      })),
    );
  return {
    slicer: slicer === undefined ? null : tuples(slicer),
    axes: axes.map(({ hierarchies, tuples: of, memberProperties, memberValues }) => ({
      hierarchies,
      tuples: tuples(of, memberProperties, memberValues),
    })),
    cells: cells.map(({ value, formatted, error, properties: of }, ordinal) => ({
      ordinal,
      value: plain(value),
      formatted,
      ...(error === undefined ? {} : { error }),
      ...properties(cellProperties, of),
    })),
  };
}

function properties(names: readonly string[], values: readonly Value[]) {
  if (names.length === 0) return {};
  return { properties: Object.fromEntries(names.map((name, index) => [name, plain(values[index] ?? null)])) };
}

function plain(value: Value): string | number | boolean | null {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'bigint' || value instanceof ExactDecimal ? String(value) : value;
}
