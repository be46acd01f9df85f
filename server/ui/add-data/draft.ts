/** The suggested model while the user changes it. Each change returns a new draft. */

import { msg, str } from '@lit/localize';
import { isObject, type JsonObject, readList, readObject, readText, readTextOrDefault } from '../api-client/json.ts';
import { inWords } from '../words/server-words.ts';

const AGGREGATORS = ['sum', 'count', 'min', 'max', 'avg', 'distinct-count'] as const;

/** A suggestion that the user keeps or leaves out. */
export interface Guess {
  readonly name: string;
  /** Reason of the suggestion; empty where the server gives none. */
  readonly reason: string;
  readonly isKept: boolean;
  /** The server's JSON. Members that this page does not show go back unchanged. */
  readonly raw: JsonObject;
}

export interface DraftMeasure extends Guess {
  readonly column: string;
  readonly aggregator: string;
  /** The column that weights an average; empty for none. */
  readonly weight: string;
}

export interface DraftDimension extends Guess {
  readonly table: string;
  /** Columns of its levels that the user uses otherwise, as `table.column`. */
  readonly leftOutColumns?: readonly string[];
  readonly levels: readonly DraftLevel[];
  /** Whether its only column is the key of its table: numbers that nobody reads. */
  readonly isOfKeysOnly: boolean;
}

export interface DraftLevel {
  readonly name: string;
  readonly datePart: string;
}

export interface DraftCube {
  readonly name: string;
  readonly factTable: string;
  readonly isKept: boolean;
  readonly measures: readonly DraftMeasure[];
  readonly dimensions: readonly DraftDimension[];
  /** Notes on columns of the fact table that the cube leaves out. */
  readonly notes?: readonly string[];
  readonly raw: JsonObject;
}

/** Uses of a column in a model. A number that is not added up is averaged. */
export type ColumnUse = 'measure' | 'average' | 'dimension' | 'attribute' | 'personal' | 'none';

/** A column with its type in the warehouse. */
export interface TypedColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** A use that the user chose for a column. */
export interface ChosenUse extends TypedColumn {
  readonly use: ColumnUse;
}

/** Languages of titles that the server adds to the data. */
const DATA_LANGUAGES = ['en', 'de'] as const;
export type DataLanguage = (typeof DATA_LANGUAGES)[number];

export interface Draft {
  readonly language: DataLanguage;
  readonly cubes: readonly DraftCube[];
  /** Tables that are in no cube, with the reason. */
  readonly leftOut: readonly { readonly table: string; readonly reason: string }[];
  /** The uses that the user chose. */
  readonly uses?: readonly ChosenUse[];
  readonly raw: JsonObject;
}

/**
 * Parses a proposal.
 * @throws UnexpectedAnswerError
 */
export function parseDraft(json: unknown): Draft {
  const raw = readObject(json, 'the proposal');
  const leftOut = readList(raw.leftOut ?? [], 'leftOut', (each) => {
    const table = readObject(each, 'a table');
    return { table: readText(table, 'tableName'), reason: readText(table, 'reason') };
  });
  const language = DATA_LANGUAGES.find((each) => each === raw.language) ?? 'en';
  return { raw, language, cubes: readList(raw.cubes, 'cubes', parseCube), leftOut };
}

function parseCube(json: unknown): DraftCube {
  const raw = readObject(json, 'a cube');
  return {
    raw,
    name: readText(raw, 'name'),
    factTable: readText(raw, 'factTableName'),
    isKept: true,
    notes: readList(raw.notes ?? [], 'notes', String),
    measures: readList(raw.measures, 'measures', (each) => {
      const measure = readObject(each, 'a measure');
      return {
        ...parseGuess(measure),
        column: readText(measure, 'column'),
        aggregator: readText(measure, 'aggregator'),
        weight: readTextOrDefault(measure, 'weight', ''),
      };
    }),
    dimensions: readList(raw.dimensions, 'dimensions', (each) => {
      const dimension = readObject(each, 'a dimension');
      const columns = readList(dimension.levels, 'levels', (level) => readText(readObject(level, 'a level'), 'column'));
      return {
        ...parseGuess(dimension),
        table: readText(dimension, 'tableName'),
        isOfKeysOnly: columns.every((column) => column === readTextOrDefault(dimension, 'primaryKey', '')),
        levels: readList(dimension.levels, 'levels', parseLevel),
      };
    }),
  };
}

function parseGuess(raw: JsonObject): Guess {
  return { raw, name: readText(raw, 'name'), reason: readTextOrDefault(raw, 'reason', ''), isKept: true };
}

export function parseLevel(json: unknown): DraftLevel {
  const level = readObject(json, 'a level');
  return { name: readText(level, 'name'), datePart: readTextOrDefault(level, 'datePart', '') };
}

/** Returns whether a kept dimension has several levels that are no parts of a date. */
export function hasHierarchies({ cubes }: Draft): boolean {
  const dimensions = cubes.filter(({ isKept }) => isKept).flatMap((cube) => cube.dimensions);
  return dimensions.some(
    ({ isKept, levels }) => isKept && levels.length > 1 && levels.every(({ datePart }) => datePart === ''),
  );
}

/** Returns a draft with one cube replaced. */
export function replaceCube(draft: Draft, place: number, cube: DraftCube): Draft {
  return { ...draft, cubes: draft.cubes.map((each, at) => (at === place ? cube : each)) };
}

export function changeMeasure(cube: DraftCube, place: number, change: Partial<DraftMeasure>): DraftCube {
  return { ...cube, measures: cube.measures.map((each, at) => (at === place ? { ...each, ...change } : each)) };
}

export function changeDimension(cube: DraftCube, place: number, change: Partial<DraftDimension>): DraftCube {
  return { ...cube, dimensions: cube.dimensions.map((each, at) => (at === place ? { ...each, ...change } : each)) };
}

export interface LevelColumn {
  readonly raw: JsonObject;
  readonly table: string;
  readonly column: string;
}

/** Returns the levels of a dimension with their tables and columns. */
export function allLevels({ raw, table }: DraftDimension): readonly LevelColumn[] {
  return readList(raw.levels, 'levels', (each) => {
    const level = readObject(each, 'a level');
    const column = readTextOrDefault(level, 'nameColumn', readText(level, 'column'));
    return { raw: level, table: readTextOrDefault(level, 'tableName', table), column };
  });
}

/** Returns the levels of a dimension but those of columns that the user uses otherwise. */
export function keptLevels(dimension: DraftDimension): readonly LevelColumn[] {
  const leftOut = new Set(dimension.leftOutColumns);
  return allLevels(dimension).filter(({ table, column }) => !leftOut.has(`${table}.${column}`));
}

/** Returns the proposal of a draft: the kept suggestions, under their new names. */
export function toProposal({ raw, cubes }: Draft): JsonObject {
  return {
    ...raw,
    cubes: cubes
      .filter(({ isKept }) => isKept)
      .map((cube) => ({
        ...cube.raw,
        measures: cube.measures.filter(({ isKept }) => isKept).map(toMeasure),
        dimensions: cube.dimensions
          .filter(({ isKept }) => isKept)
          .map((dimension) => ({
            ...dimension.raw,
            name: dimension.name.trim(),
            levels: keptLevels(dimension).map(({ raw: level }) => level),
          })),
      })),
  };
}

/** Returns a measure under its new name. Only averages have a weight. */
function toMeasure({ raw, name, aggregator, weight }: DraftMeasure): JsonObject {
  const { weight: _, ...others } = raw;
  return { ...others, name: name.trim(), aggregator, ...(aggregator === 'avg' && weight !== '' ? { weight } : {}) };
}

/** Returns the aggregations that a measure is offered: a number whose sum means nothing is not offered to be added up. */
export function offeredAggregators({ raw, aggregator }: DraftMeasure): readonly string[] {
  return AGGREGATORS.filter((each) => each !== 'sum' || raw.aggregator !== 'avg' || aggregator === 'sum');
}

/** Returns the columns that may weight the average of a column: numbers of its cube that are added up. */
export function offeredWeights({ measures }: DraftCube, { column, weight, raw }: DraftMeasure): readonly string[] {
  const suggested = readTextOrDefault(raw, 'weight', '');
  const added = measures.filter((each) => each.raw.aggregator === 'sum').map((each) => each.column);
  return [...new Set([suggested, weight, ...added])].filter((each) => each !== '' && each !== column);
}

/** Reasons by table and column: `orders.email`. */
export type ColumnReasons = ReadonlyMap<string, string>;

/** Reads the reasons of columns that are not in the model: personal data, and columns that are not useful. */
export function parseLeftOut(json: unknown): ColumnReasons {
  const findings = isObject(json) ? json : {};
  const reasons = new Map<string, string>();
  for (const [member, words] of [
    ['unusedColumns', (reason: string) => msg(str`Not useful: ${reason}`)],
    ['personalData', (reason: string) => msg(str`Personal data: ${reason}`)],
  ] as const) {
    for (const each of readList(findings[member] ?? [], member, (one) => readObject(one, member)))
      reasons.set(
        `${readText(each, 'table')}.${readText(each, 'column')}`,
        words(lowercaseFirst(inWords(readText(each, 'reason')))),
      );
  }
  return reasons;
}

function lowercaseFirst(words: string): string {
  return words.slice(0, 1).toLowerCase() + words.slice(1);
}
