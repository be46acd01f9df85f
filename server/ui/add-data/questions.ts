/** The first questions to a drafted cube, as MDX, and what their answers show. */
import { list, object, text } from '../api-client/json.ts';
import type { DraftCube, DraftDimension } from './draft.ts';

export interface Question {
  readonly title: string;
  readonly kind: 'figures' | 'course' | 'bars';
  readonly mdx: string;
}

/** What a question gave: a label and a number for each row, with the number as it is written. */
export interface Answer {
  readonly question: Question;
  readonly rows: readonly { readonly label: string; readonly value: number; readonly written: string }[];
}

const MAX_FIGURES = 4;
const MAX_BARS = 6;
const MAX_DIMENSIONS = 3;
/** Measures of which parts add up to the whole. */
const ADDED_UP: ReadonlySet<string> = new Set(['sum', 'count']);
/** What is left of the whole after the bars. */
const REST = 'Others, or none';

/** Returns the key figures of a cube, its first measure over time, and by its first dimensions. */
export function questionsOf(cube: DraftCube): readonly Question[] {
  const measures = cube.measures.filter(({ isKept }) => isKept);
  const dimensions = cube.dimensions.filter(({ isKept }) => isKept);
  const [first] = measures;
  if (first === undefined) return [];
  const from = `FROM ${quoted(cube.name)}`;
  const measure = `[Measures].${quoted(first.name.trim())}`;
  const figures = measures.slice(0, MAX_FIGURES).map(({ name }) => `[Measures].${quoted(name.trim())}`);
  const time = dimensions.find((dimension) => monthOf(dimension) !== undefined);
  const others = dimensions
    .filter((dimension) => monthOf(dimension) === undefined && !dimension.isOfKeysOnly)
    .slice(0, MAX_DIMENSIONS);
  return [
    { title: 'Key figures', kind: 'figures', mdx: `SELECT {${figures.join(', ')}} ON COLUMNS ${from}` },
    ...(time === undefined
      ? []
      : [
          {
            title: `${first.name} by month`,
            kind: 'course',
            mdx: `SELECT {${measure}} ON COLUMNS, NON EMPTY ${place(time, monthOf(time) ?? '')}.Members ON ROWS ${from}`,
          } as const,
        ]),
    ...others.map((dimension) => {
      const level = dimension.levels[0]?.name ?? '';
      const title = `${first.name} by ${(dimension.levels.length === 1 ? dimension.name : level).toLowerCase()}`;
      const top = `TopCount(${place(dimension, level)}.Members, ${MAX_BARS}, ${measure})`;
      if (!ADDED_UP.has(first.aggregator))
        return {
          title,
          kind: 'bars',
          mdx: `SELECT {${measure}} ON COLUMNS, NON EMPTY ${top} ON ROWS ${from}`,
        } as const;
      // Members below the first ones, and rows whose key leads to none: the bars add up to the key figure.
      const hierarchy = quoted(dimension.name.trim());
      const sum = `Sum([First members], ${measure})`;
      const whole = `(${measure}, ${hierarchy}.DefaultMember)`;
      const rest = `IIf(${whole} - ${sum} = 0, NULL, ${whole} - ${sum})`;
      return {
        title,
        kind: 'bars',
        mdx: `WITH SET [First members] AS ${top} MEMBER ${hierarchy}.${quoted(REST)} AS ${rest} SELECT {${measure}} ON COLUMNS, NON EMPTY {[First members], ${hierarchy}.${quoted(REST)}} ON ROWS ${from}`,
      } as const;
    }),
  ];
}

function monthOf({ levels }: DraftDimension): string | undefined {
  return levels.find(({ datePart, name }) => datePart === 'month' || /month/i.test(name))?.name;
}

function place({ name }: DraftDimension, level: string): string {
  return `${quoted(name.trim())}.${quoted(level)}`;
}

function quoted(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

/** Reads an answer. @throws UnexpectedAnswerError */
export function parseAnswer(question: Question, json: unknown): Answer {
  const body = object(json, 'the answer');
  const columns = list(body.columns, 'columns', String);
  const rows = list(body.rows, 'rows', (row) => list(row, 'a row', String));
  if (question.kind === 'figures')
    return { question, rows: columns.map((label, at) => numbered(label, rows[0]?.[at] ?? '')) };
  return { question, rows: rows.map((row) => numbered(row.slice(0, -1).join(' '), row.at(-1) ?? '')) };
}

function numbered(label: string, written: string) {
  const value = Number(written.replaceAll(/[^0-9.eE-]/g, ''));
  return { label, written, value: Number.isFinite(value) ? value : 0 };
}

/** Reads what an upload or a saved connection is called. */
export function parseConnection(json: unknown): { readonly id: string; readonly name: string; readonly type: string } {
  const connection = object(json, 'a connection');
  return { id: text(connection, 'id'), name: text(connection, 'name'), type: text(connection, 'type') };
}
