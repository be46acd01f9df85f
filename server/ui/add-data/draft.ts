/** The proposed model while it is being changed. Every change gives a new draft. */
import { isObject, type JsonObject, list, object, text, textOrDefault } from '../api-client/json.ts';

export const AGGREGATORS = ['sum', 'count', 'min', 'max', 'avg', 'distinct-count'] as const;

/** A guess that one takes or leaves. */
interface Guess {
  readonly name: string;
  /** Why it was proposed; empty where nothing was said. */
  readonly reason: string;
  readonly isKept: boolean;
  /** What the server sent: whatever this page does not show goes back as it came. */
  readonly raw: JsonObject;
}

export interface DraftMeasure extends Guess {
  readonly column: string;
  readonly aggregator: string;
}

export interface DraftDimension extends Guess {
  readonly table: string;
  readonly levels: readonly DraftLevel[];
  /** Whether it shows nothing but the key of its table: numbers that nobody reads. */
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
  /** What the facts have and the cube leaves out. */
  readonly notes?: readonly string[];
  readonly raw: JsonObject;
}

export interface Draft {
  readonly cubes: readonly DraftCube[];
  /** Tables that are in no cube, with the reason. */
  readonly leftOut: readonly { readonly table: string; readonly reason: string }[];
  readonly raw: JsonObject;
}

/** Reads a proposal. @throws UnexpectedAnswerError */
export function parseDraft(json: unknown): Draft {
  const raw = object(json, 'the proposal');
  const leftOut = list(raw.leftOut ?? [], 'leftOut', (each) => {
    const table = object(each, 'a table');
    return { table: text(table, 'tableName'), reason: text(table, 'reason') };
  });
  return { raw, cubes: list(raw.cubes, 'cubes', parseCube), leftOut };
}

function parseCube(json: unknown): DraftCube {
  const raw = object(json, 'a cube');
  return {
    raw,
    name: text(raw, 'name'),
    factTable: text(raw, 'factTableName'),
    isKept: true,
    notes: list(raw.notes ?? [], 'notes', String),
    measures: list(raw.measures, 'measures', (each) => {
      const measure = object(each, 'a measure');
      return { ...guess(measure), column: text(measure, 'column'), aggregator: text(measure, 'aggregator') };
    }),
    dimensions: list(raw.dimensions, 'dimensions', (each) => {
      const dimension = object(each, 'a dimension');
      const columns = list(dimension.levels, 'levels', (level) => text(object(level, 'a level'), 'column'));
      return {
        ...guess(dimension),
        table: text(dimension, 'tableName'),
        isOfKeysOnly: columns.every((column) => column === textOrDefault(dimension, 'primaryKey', '')),
        levels: list(dimension.levels, 'levels', parseLevel),
      };
    }),
  };
}

function guess(raw: JsonObject): Guess {
  return { raw, name: text(raw, 'name'), reason: textOrDefault(raw, 'reason', ''), isKept: true };
}

function parseLevel(json: unknown): DraftLevel {
  const level = object(json, 'a level');
  return { name: text(level, 'name'), datePart: textOrDefault(level, 'datePart', '') };
}

/** Returns a draft with one cube replaced. */
export function withCube(draft: Draft, place: number, cube: DraftCube): Draft {
  return { ...draft, cubes: draft.cubes.map((each, at) => (at === place ? cube : each)) };
}

export function withMeasure(cube: DraftCube, place: number, change: Partial<DraftMeasure>): DraftCube {
  return { ...cube, measures: cube.measures.map((each, at) => (at === place ? { ...each, ...change } : each)) };
}

export function withDimension(cube: DraftCube, place: number, change: Partial<DraftDimension>): DraftCube {
  return { ...cube, dimensions: cube.dimensions.map((each, at) => (at === place ? { ...each, ...change } : each)) };
}

/** Returns what is wrong with a draft, in words; nothing where it can be published. */
export function draftProblems({ cubes }: Draft): readonly string[] {
  const kept = cubes.filter(({ isKept }) => isKept);
  if (kept.length === 0) return ['Keep at least one cube.'];
  return kept.flatMap((cube) => [
    ...(cube.measures.some(({ isKept }) => isKept) ? [] : [`${cube.name}: keep at least one measure.`]),
    ...named(cube.name, 'measure', cube.measures),
    ...named(cube.name, 'dimension', cube.dimensions),
  ]);
}

function named(cube: string, what: string, guesses: readonly Guess[]): readonly string[] {
  const seen = new Set<string>();
  return guesses
    .filter(({ isKept }) => isKept)
    .flatMap(({ name }) => {
      const key = name.trim().toLowerCase();
      if (key === '') return [`${cube}: a ${what} has no name.`];
      if (seen.has(key)) return [`${cube}: two ${what}s are called “${name.trim()}”.`];
      seen.add(key);
      return [];
    });
}

/** Returns the proposal that a draft stands for: what is kept, under its new names. */
export function toProposal({ raw, cubes }: Draft): JsonObject {
  return {
    ...raw,
    cubes: cubes
      .filter(({ isKept }) => isKept)
      .map((cube) => ({
        ...cube.raw,
        measures: cube.measures
          .filter(({ isKept }) => isKept)
          .map((measure) => ({ ...measure.raw, name: measure.name.trim(), aggregator: measure.aggregator })),
        dimensions: cube.dimensions
          .filter(({ isKept }) => isKept)
          .map((dimension) => ({ ...dimension.raw, name: dimension.name.trim() })),
      })),
  };
}

/** Columns that a finding speaks of, by table and column: `orders.email`. */
export type ColumnReasons = ReadonlyMap<string, string>;

/** Reads why columns are not in the model: personal data, and those of no use. */
export function parseLeftOut(json: unknown): ColumnReasons {
  const findings = isObject(json) ? json : {};
  const reasons = new Map<string, string>();
  for (const [member, words] of [
    ['unusedColumns', 'Not of use: '],
    ['personalData', 'Personal data: '],
  ] as const) {
    for (const each of list(findings[member] ?? [], member, (one) => object(one, member)))
      reasons.set(`${text(each, 'table')}.${text(each, 'column')}`, words + lowerFirst(text(each, 'reason')));
  }
  return reasons;
}

function lowerFirst(words: string): string {
  return words.slice(0, 1).toLowerCase() + words.slice(1);
}
