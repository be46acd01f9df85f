/** The first queries to a drafted cube, as MDX, and their results. */
import { readList, readObject, readText } from '../api-client/json.ts';
import type { DataLanguage, DraftCube, DraftDimension } from './draft.ts';

export interface Question {
  readonly title: string;
  readonly kind: 'figures' | 'course' | 'bars';
  readonly mdx: string;
  /** For bars that add up: the measure, and the group with the label of the rows without one. */
  readonly parts?: { readonly measure: string; readonly group: string; readonly none: string };
}

/** Contains the result of a query: for each row a label, a number, and the server's text of the number. */
export interface Answer {
  readonly question: Question;
  readonly rows: readonly { readonly label: string; readonly value: number; readonly written: string }[];
  /** The share of the measure that is in no group; empty where all of it is in one, or where not all groups are shown. */
  readonly note: string;
}

const MAX_FIGURES = 4;
const MAX_BARS = 6;
const MAX_DIMENSIONS = 3;
/** Aggregators with which the parts add up to the whole. */
const ADDITIVE_AGGREGATORS: ReadonlySet<string> = new Set(['sum', 'count']);
/** The words of titles, in the language of the data. */
const TITLES: Readonly<
  Record<
    DataLanguage,
    {
      readonly month: string;
      readonly by: (measure: string, group: string) => string;
      /** The rows without a value of the group. */
      readonly none: (group: string) => string;
      readonly group: (caption: string) => string;
    }
  >
> = {
  en: {
    month: 'month',
    by: (measure, group) => `${measure} by ${group}`,
    none: (group) => `No ${group}`,
    group: (caption) => caption.toLowerCase(),
  },
  // Nouns have a capital letter.
  de: {
    month: 'Monat',
    by: (measure, group) => `${measure} nach ${group}`,
    none: (group) => `Ohne ${group}`,
    group: (caption) => caption,
  },
};

/** The name of a member without a value in the cube, and as all pages show it. */
const NULL_MEMBER = '#null';
const NULL_LABEL = '–';
/** Label of the bar that completes the whole. */
const REMAINDER_LABEL = 'Others or no value';

/** Chooses the first queries: the key figures of a cube, its first measure over time, and by its first dimensions. */
export function chooseQuestions(cube: DraftCube, language: DataLanguage = 'en'): readonly Question[] {
  const { by, group, none, month } = TITLES[language];
  const measures = cube.measures.filter(({ isKept }) => isKept);
  const dimensions = cube.dimensions.filter(({ isKept }) => isKept);
  const [first] = measures;
  if (first === undefined) return [];
  const from = `FROM ${quoteName(cube.name)}`;
  const measure = `[Measures].${quoteName(first.name.trim())}`;
  const figures = measures.slice(0, MAX_FIGURES).map(({ name }) => `[Measures].${quoteName(name.trim())}`);
  const time = dimensions.find((dimension) => findMonthLevel(dimension) !== undefined);
  const others = dimensions
    .filter((dimension) => findMonthLevel(dimension) === undefined && !dimension.isOfKeysOnly)
    .slice(0, MAX_DIMENSIONS);
  return [
    { title: 'Key figures', kind: 'figures', mdx: `SELECT {${figures.join(', ')}} ON COLUMNS ${from}` },
    ...(time === undefined
      ? []
      : [
          {
            title: by(first.name, month),
            kind: 'course',
            mdx: `SELECT {${measure}} ON COLUMNS, NON EMPTY ${writeLevel(time, findMonthLevel(time) ?? '')}.Members ON ROWS ${from}`,
          } as const,
        ]),
    ...others.map((dimension) => {
      const level = dimension.levels[0]?.name ?? '';
      const caption = group(dimension.levels.length === 1 ? dimension.name : level);
      const title = by(first.name, caption);
      const top = `TopCount(${writeLevel(dimension, level)}.Members, ${MAX_BARS}, ${measure})`;
      if (!ADDITIVE_AGGREGATORS.has(first.aggregator))
        return {
          title,
          kind: 'bars',
          mdx: `SELECT {${measure}} ON COLUMNS, NON EMPTY ${top} ON ROWS ${from}`,
        } as const;
      // The last bar contains all other members and the rows without a member, so that the bars add up to the key
      // figure.
      const hierarchy = quoteName(dimension.name.trim());
      const sum = `Sum([First members], ${measure})`;
      const whole = `(${measure}, ${hierarchy}.DefaultMember)`;
      const rest = `IIf(${whole} - ${sum} = 0, NULL, ${whole} - ${sum})`;
      return {
        title,
        kind: 'bars',
        parts: { measure: first.name, group: caption, none: none(caption) },
        mdx: `WITH SET [First members] AS ${top} MEMBER ${hierarchy}.${quoteName(REMAINDER_LABEL)} AS ${rest} SELECT {${measure}} ON COLUMNS, NON EMPTY {[First members], ${hierarchy}.${quoteName(REMAINDER_LABEL)}} ON ROWS ${from}`,
      } as const;
    }),
  ];
}

function findMonthLevel({ levels }: DraftDimension): string | undefined {
  return levels.find(({ datePart, name }) => datePart === 'month' || /month/i.test(name))?.name;
}

function writeLevel({ name }: DraftDimension, level: string): string {
  return `${quoteName(name.trim())}.${quoteName(level)}`;
}

function quoteName(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

/**
 * Parses a result.
 * @throws UnexpectedAnswerError
 */
export function parseAnswer(question: Question, json: unknown): Answer {
  const body = readObject(json, 'the answer');
  const columns = readList(body.columns, 'columns', String);
  const rows = readList(body.rows, 'rows', (row) => readList(row, 'a row', String));
  if (question.kind === 'figures')
    return { question, rows: columns.map((label, at) => parseRow(label, rows[0]?.[at] ?? '')), note: '' };
  const parsed = rows.map((row) => parseRow(row.slice(0, -1).map(writeMember).join(' '), row.at(-1) ?? ''));
  const rest = parsed.at(-1);
  const { parts } = question;
  // Where there is room for more bars, all groups are shown, and only the rows without one are left.
  if (parts === undefined || rest?.label !== REMAINDER_LABEL || parsed.length > MAX_BARS)
    return { question, rows: parsed, note: '' };
  const whole = parsed.reduce((sum, { value }) => sum + value, 0);
  const share = shareFormat.format(whole === 0 ? 0 : rest.value / whole);
  return {
    question,
    rows: [...parsed.slice(0, -1), { ...rest, label: parts.none }],
    note: `${share} of ${parts.measure} has no ${parts.group}.`,
  };
}

const shareFormat = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

function writeMember(name: string): string {
  return name === NULL_MEMBER ? NULL_LABEL : name;
}

function parseRow(label: string, written: string) {
  const value = Number(written.replaceAll(/[^0-9.eE-]/g, ''));
  return { label, written, value: Number.isFinite(value) ? value : 0 };
}

/** Parses an upload or a saved connection. */
export function parseConnection(json: unknown): { readonly id: string; readonly name: string; readonly type: string } {
  const connection = readObject(json, 'a connection');
  return { id: readText(connection, 'id'), name: readText(connection, 'name'), type: readText(connection, 'type') };
}
