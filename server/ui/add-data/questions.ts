/** The first queries to a drafted cube, as MDX, and their results. */
import { readList, readObject, readText } from '../api-client/json.ts';
import type { DataLanguage, DraftCube, DraftDimension } from './draft.ts';

export interface Question {
  readonly title: string;
  readonly kind: 'figures' | 'course' | 'bars';
  readonly mdx: string;
  /** For bars that add up: the measure, the group, and the labels of the rows without one and of all other groups. */
  readonly parts?: { readonly measure: string; readonly group: string; readonly none: string; readonly others: string };
}

/** Contains the result of a query: for each row a label, a number, and the server's text of the number. */
export interface Answer {
  readonly question: Question;
  readonly rows: readonly { readonly label: string; readonly value: number; readonly written: string }[];
  /** The share of the measure that is in no group; `undefined` where all of it is in one. */
  readonly without: { readonly share: number; readonly measure: string; readonly group: string } | undefined;
}

const MAX_FIGURES = 4;
const MAX_BARS = 6;
const MAX_DIMENSIONS = 3;
/** A difference below it is the rounding of a sum. */
const ROUNDING = 0.000001;
/** Aggregators with which the parts add up to the whole. */
const ADDITIVE_AGGREGATORS: ReadonlySet<string> = new Set(['sum', 'count']);
/** The words of titles, in the language of the data. */
const TITLES: Readonly<
  Record<
    DataLanguage,
    {
      readonly figures: string;
      readonly month: string;
      readonly by: (measure: string, group: string) => string;
      /** The rows without a value of the group. */
      readonly none: (group: string) => string;
      readonly others: string;
      readonly group: (caption: string) => string;
    }
  >
> = {
  en: {
    figures: 'Key figures',
    month: 'month',
    by: (measure, group) => `${measure} by ${group}`,
    none: (group) => `No ${group}`,
    others: 'Others',
    group: (caption) => caption.toLowerCase(),
  },
  // Nouns have a capital letter.
  de: {
    figures: 'Kennzahlen',
    month: 'Monat',
    by: (measure, group) => `${measure} nach ${group}`,
    none: (group) => `Ohne ${group}`,
    others: 'Übrige',
    group: (caption) => caption,
  },
};

/** The name of a member without a value in the cube, and as all pages show it. */
const NULL_MEMBER = '#null';
const NULL_LABEL = '–';
/** Name of the member that completes the whole. */
const REMAINDER = 'All other members';

/** Chooses the first queries: the key figures of a cube, its first measure over time, and by its first dimensions. */
export function chooseQuestions(cube: DraftCube, language: DataLanguage = 'en'): readonly Question[] {
  const { by, group, none, others: otherGroups, month, figures: keyFigures } = TITLES[language];
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
    { title: keyFigures, kind: 'figures', mdx: `SELECT {${figures.join(', ')}} ON COLUMNS ${from}` },
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
      const members = `${writeLevel(dimension, level)}.Members`;
      if (!ADDITIVE_AGGREGATORS.has(first.aggregator))
        return {
          title,
          kind: 'bars',
          mdx: `SELECT {${measure}} ON COLUMNS, NON EMPTY TopCount(${members}, ${MAX_BARS}, ${measure}) ON ROWS ${from}`,
        } as const;
      // Two more bars contain all other members and the rows without a member, so that the bars add up to the key
      // figure.
      const hierarchy = quoteName(dimension.name.trim());
      const [shown, without] = ['[First members]', '[No member]'];
      const rest = `(${measure}, ${hierarchy}.DefaultMember) - Sum({${shown}, ${without}}, ${measure})`;
      return {
        title,
        kind: 'bars',
        parts: { measure: first.name, group: caption, none: none(caption), others: otherGroups },
        mdx: [
          `WITH SET ${without} AS Filter(${members}, ${hierarchy}.CurrentMember.Name = "${NULL_MEMBER}")`,
          `SET ${shown} AS TopCount(Except(${members}, ${without}), ${MAX_BARS}, ${measure})`,
          `MEMBER ${hierarchy}.${quoteName(REMAINDER)} AS IIf(Abs(${rest}) < ${ROUNDING}, NULL, ${rest})`,
          `SELECT {${measure}} ON COLUMNS, NON EMPTY {${shown}, ${hierarchy}.${quoteName(REMAINDER)}, ${without}} ON ROWS ${from}`,
        ].join(' '),
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
    return { question, rows: columns.map((label, at) => parseRow(label, rows[0]?.[at] ?? '')), without: undefined };
  const { parts } = question;
  const labelled = (name: string): string =>
    name === REMAINDER ? (parts?.others ?? name) : name === NULL_MEMBER ? (parts?.none ?? NULL_LABEL) : name;
  const parsed = rows.map((row) => parseRow(row.slice(0, -1).map(labelled).join(' '), row.at(-1) ?? ''));
  const without = parsed[rows.findIndex(([name]) => name === NULL_MEMBER)];
  if (parts === undefined || without === undefined) return { question, rows: parsed, without: undefined };
  const whole = parsed.reduce((sum, { value }) => sum + value, 0);
  const share = whole === 0 ? 0 : without.value / whole;
  return { question, rows: parsed, without: { share, measure: parts.measure, group: parts.group } };
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
