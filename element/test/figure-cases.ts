import type { ChartMode } from '../src/chart-modes.ts';
import type { ChartSettings } from '../src/generated/chart-settings.ts';
import { answer, dimension, metric } from './answers.ts';

export type Json = Readonly<Record<string, unknown>>;
export type Row = Readonly<Record<string, string | number | null>>;

/** Returns the same numbers between 0 and 1 every time (Park and Miller 1988). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const dataOf = ({ data, links }: Json): readonly unknown[] =>
  Array.isArray(links) ? links : Array.isArray(data) ? data : [];
const readValue = (datum: unknown): unknown =>
  typeof datum === 'object' && datum !== null && 'value' in datum ? datum.value : datum;
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
export const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

/** Lists numbers behind the marks of all series: a number each, or the one in this place of a pair. */
function figures(series: readonly Json[], place?: number): readonly number[] {
  return series.flatMap((each) =>
    dataOf(each)
      .map(readValue)
      .map((value) => (Array.isArray(value) ? value[place ?? value.length - 1] : value))
      .filter(isNumber),
  );
}

function leaves(nodes: readonly unknown[]): readonly number[] {
  return nodes.flatMap((node) => {
    const { children, value }: { readonly children?: unknown; readonly value?: unknown } = Object(node);
    return Array.isArray(children) && children.length > 0 ? leaves(children) : isNumber(value) ? [value] : [];
  });
}

/** Names of the query surfaces, whose answers differ in the types of their columns. */
export const SURFACES = ['semantic', 'cube'] as const;
export type SurfaceName = (typeof SURFACES)[number];

/**
 * Creates the body of an answer. A metric cell is the number and its text. The dimensions of a cube are texts, and the last
 * of several is on the columns.
 */
export function answerBody(columns: readonly Json[], rows: readonly Row[], surface: SurfaceName = 'semantic'): Json {
  const metrics = new Set(columns.filter(({ type }) => type === 'metric').map(({ key }) => key));
  const dimensions = columns.filter(({ type }) => type === 'dimension');
  return answer(
    surface === 'semantic'
      ? columns
      : columns.map((column) =>
          column.type === 'metric'
            ? column
            : {
                ...column,
                dataType: 'text',
                ...(dimensions.length > 1 && column === dimensions.at(-1) ? { axis: 'columns' } : {}),
              },
        ),
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [
          key,
          metrics.has(key)
            ? { value, formatted: value === null ? null : `${value} €` }
            : surface === 'cube' && value !== null
              ? String(value)
              : value,
        ]),
      ),
    ),
  );
}

/** Returns whether a surface has answers of these columns: the levels of a cube are no dates. */
export function hasColumns(surface: SurfaceName, columns: readonly Json[]): boolean {
  return surface === 'semantic' || columns.every(({ dataType }) => dataType !== 'date');
}

const day = (index: number): string => new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10);

/** A random number, negative or missing in one of ten cases each. */
function someNumber(random: () => number): number | null {
  const kind = random();
  const size = Math.round(random() * 100_000) / 100;
  return kind < 0.1 ? null : kind < 0.2 ? -size : size;
}

const numbersOf = (rows: readonly Row[], key: string): readonly number[] =>
  rows.map((row) => row[key]).filter(isNumber);
const positive = (numbers: readonly number[]) => numbers.filter((each) => each > 0);
const nonZero = (numbers: readonly number[]) => numbers.filter((each) => each !== 0);

export interface Case {
  readonly columns: readonly Json[];
  readonly settings?: ChartSettings;
  readonly row: (index: number, random: () => number) => Row;
  /** Combinations of members, for crossed answers: the number of rows follows from them. */
  readonly sizes: readonly number[];
  readonly drawn: (series: readonly Json[]) => readonly number[];
  readonly expected: (rows: readonly Row[]) => readonly number[];
}

const one = [dimension('c', 'Category'), metric('m', 'Sales')];
const two = [dimension('c', 'Category'), dimension('s', 'Series'), metric('m', 'Sales')];
const three = [dimension('c', 'Category'), dimension('s', 'Series'), dimension('f', 'Facet'), metric('m', 'Sales')];
const dated = [dimension('c', 'Day', 'date'), metric('m', 'Sales')];
export const datedTwo = [dimension('c', 'Day', 'date'), dimension('s', 'Series'), metric('m', 'Sales')];

const simple = (index: number, random: () => number): Row => ({ c: `c${index}`, m: someNumber(random) });
const overDays = (index: number, random: () => number): Row => ({ c: day(index), m: someNumber(random) });
const crossing = (index: number, random: () => number): Row => ({
  c: `c${Math.floor(index / 4)}`,
  s: `s${index % 4}`,
  m: someNumber(random),
});
const crossingDays = (index: number, random: () => number): Row => ({
  c: day(Math.floor(index / 4)),
  s: `s${index % 4}`,
  m: someNumber(random),
});
const crossingThree = (index: number, random: () => number): Row => ({
  c: `c${Math.floor(index / 6)}`,
  s: `s${Math.floor(index / 2) % 3}`,
  f: `f${index % 2}`,
  m: someNumber(random),
});
const all = (rows: readonly Row[]) => numbersOf(rows, 'm');

const metrics = (names: readonly string[]) => names.map((name) => metric(name, name));
const several =
  (names: readonly string[]) =>
  (index: number, random: () => number): Row => ({
    c: day(index),
    ...Object.fromEntries(names.map((name) => [name, Math.round(random() * 1_000)])),
  });
const allOf = (names: readonly string[]) => (rows: readonly Row[]) => names.flatMap((name) => numbersOf(rows, name));
const quads = ['open', 'close', 'low', 'high'] as const;
const five = ['a', 'b', 'c1', 'd', 'e'] as const;
const arrays = (series: readonly Json[]): readonly number[] =>
  series.flatMap((each) => dataOf(each).flatMap(readValue).filter(isNumber));

const overAxes: readonly Case[] = [
  { columns: one, row: simple, sizes: [1, 7, 60], drawn: figures, expected: all },
  { columns: dated, row: overDays, sizes: [1, 9, 90], drawn: figures, expected: all },
  {
    columns: two,
    row: crossing,
    sizes: [4, 24],
    drawn: (series) => nonZero(figures(series)),
    expected: (rows) => nonZero(all(rows)),
  },
  {
    columns: datedTwo,
    row: crossingDays,
    sizes: [4, 40],
    drawn: (series) => nonZero(figures(series)),
    expected: (rows) => nonZero(all(rows)),
  },
  {
    columns: three,
    row: crossingThree,
    sizes: [12, 36],
    drawn: (series) => nonZero(figures(series)),
    expected: (rows) => nonZero(all(rows)),
  },
];

/** A mode that is missing here does not compile. */
export const CASES: Readonly<Record<ChartMode, readonly Case[]>> = {
  bar: overAxes,
  line: [...overAxes, { columns: dated, row: overDays, sizes: [10_000], drawn: figures, expected: all }],
  area: overAxes,
  'stacked-bar': overAxes,
  combo: overAxes,
  pie: [
    { columns: one, row: simple, sizes: [2, 20], drawn: figures, expected: (rows) => positive(all(rows)) },
    { columns: two, row: crossing, sizes: [12], drawn: figures, expected: (rows) => positive(all(rows)) },
  ],
  scatter: [
    {
      columns: [dimension('c', 'C'), ...metrics(['x', 'y'])],
      row: several(['x', 'y']),
      sizes: [1, 30],
      drawn: arrays,
      expected: allOf(['x', 'y']),
    },
  ],
  bubble: [
    {
      columns: [dimension('c', 'C'), ...metrics(['x', 'y', 'z'])],
      row: several(['x', 'y', 'z']),
      sizes: [1, 30],
      drawn: arrays,
      expected: allOf(['x', 'y']),
    },
  ],
  histogram: [
    // Bars count values: their sum is the number of values.
    {
      columns: one,
      row: simple,
      sizes: [2, 50, 10_000],
      drawn: (series) => [figures(series).reduce((a, b) => a + b, 0)],
      expected: (rows) => [all(rows).length],
    },
  ],
  boxplot: [
    {
      columns: [dimension('c', 'C'), ...metrics(five)],
      row: several(five),
      sizes: [1, 12],
      drawn: arrays,
      expected: allOf(five),
    },
    {
      columns: two,
      row: crossing,
      sizes: [40],
      // The lowest and the highest value of each category.
      drawn: (series) => arrays(series).filter((_, index) => index % 5 === 0 || index % 5 === 4),
      expected: (rows) =>
        [...new Set(rows.map(({ c }) => c))].flatMap((c) => {
          const numbers = numbersOf(
            rows.filter((row) => row.c === c),
            'm',
          );
          return numbers.length === 0 ? [] : [Math.min(...numbers), Math.max(...numbers)];
        }),
    },
  ],
  heatmap: [{ columns: two, row: crossing, sizes: [4, 40], drawn: (series) => figures(series, 2), expected: all }],
  calendar: [{ columns: dated, row: overDays, sizes: [1, 200], drawn: (series) => figures(series, 1), expected: all }],
  treemap: [
    {
      columns: two,
      row: crossing,
      sizes: [4, 40],
      drawn: (series) => leaves(series.flatMap(dataOf)),
      expected: (rows) => positive(all(rows)),
    },
  ],
  sunburst: [
    {
      columns: two,
      row: crossing,
      sizes: [4, 40],
      drawn: (series) => leaves(series.flatMap(dataOf)),
      expected: (rows) => positive(all(rows)),
    },
  ],
  funnel: [
    {
      columns: one,
      row: simple,
      sizes: [1, 9],
      drawn: figures,
      expected: (rows) => all(rows).filter((each) => each >= 0),
    },
  ],
  waterfall: [
    {
      columns: one,
      row: simple,
      sizes: [1, 12],
      // A bar across zero is painted in two, above and below; each has the whole figure.
      drawn: (series) =>
        series
          .filter(({ id }) => /1$/.test(String(id)) && !/-1$/.test(String(id)))
          .flatMap((each) =>
            dataOf(each).flatMap((datum) => {
              const { figure }: { readonly figure?: unknown } = Object(datum);
              return isNumber(figure) ? [Math.round(figure * 100) / 100] : [];
            }),
          ),
      expected: all,
    },
  ],
  sankey: [{ columns: two, row: crossing, sizes: [4, 40], drawn: figures, expected: (rows) => positive(all(rows)) }],
  radar: [
    { columns: one, row: simple, sizes: [3, 8], drawn: arrays, expected: all },
    {
      columns: [dimension('c', 'C'), ...metrics(five)],
      row: several(five),
      sizes: [1, 4],
      drawn: arrays,
      expected: allOf(five),
    },
  ],
  gauge: [{ columns: one, row: simple, sizes: [1, 5], drawn: figures, expected: all }],
  bullet: [
    {
      columns: [dimension('c', 'C'), ...metrics(['m', 'plan'])],
      settings: { targetColumn: 'plan' },
      row: several(['m', 'plan']),
      sizes: [1, 8],
      drawn: (series) => [
        ...figures(series.filter(({ id }) => id === '0')),
        ...figures(
          series.filter(({ id }) => id === 'target'),
          0,
        ),
      ],
      expected: allOf(['m', 'plan']),
    },
  ],
  candlestick: [
    {
      columns: [dimension('c', 'Day', 'date'), ...metrics(quads)],
      row: several(quads),
      sizes: [1, 30],
      drawn: arrays,
      expected: allOf(quads),
    },
  ],
  map: [
    {
      columns: [
        dimension('c', 'C'),
        dimension('lat', 'Latitude', 'decimal'),
        dimension('lon', 'Longitude', 'decimal'),
        metric('m', 'M'),
      ],
      settings: { latitude: 'lat', longitude: 'lon' },
      row: (index, random) => ({ c: `c${index}`, lat: index, lon: 2 * index, m: someNumber(random) }),
      sizes: [1, 20],
      drawn: (series) => figures(series, 2),
      expected: all,
    },
  ],
};
