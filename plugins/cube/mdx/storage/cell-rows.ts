import type * as model from '../../schema/model.ts';
import type { Value } from '../metadata/value.ts';
import type { Combinations } from './combinations.ts';

/** Approximate bytes of a value, and of the index of a row. */
const VALUE_BYTES = 8;
const INDEX_BYTES = 32;

/**
 * The cells of many combinations of members, in columns, as one statement returned them. A query over these combinations reads the columns row by
 * row; any other finds a cell by its path.
 */
export class CellRows {
  readonly combinations: Combinations;
  /** The places of a path: a key that all cells share, or the place of the key in the combinations. */
  readonly #places: readonly (string | number)[];
  readonly #columns: ReadonlyMap<model.Measure, readonly Value[]>;
  /** The place in a path of each place of the combinations. */
  readonly #pathPlaces: readonly number[];

  constructor(
    combinations: Combinations,
    places: readonly (string | number)[],
    columns: ReadonlyMap<model.Measure, readonly Value[]>,
  ) {
    this.combinations = combinations;
    this.#places = places;
    this.#columns = columns;
    this.#pathPlaces = combinations.columns.map((_, place) => places.indexOf(place));
  }

  /** Approximate bytes in memory. */
  get bytes(): number {
    return this.combinations.bytes + this.combinations.length * (this.#columns.size * VALUE_BYTES + INDEX_BYTES);
  }

  /** Returns the cells of a measure, one for each combination, where `path` has the keys that they share. */
  column(path: readonly string[], measure: model.Measure): readonly Value[] | undefined {
    return this.#isAt(path) ? this.#columns.get(measure) : undefined;
  }

  /** Returns a cell's value, or `undefined` where it is not one of these. */
  get(path: readonly string[], measure: model.Measure): Value | undefined {
    const column = this.column(path, measure);
    const row = column && this.combinations.rowOf((place) => path[this.#pathPlaces[place] ?? -1] ?? '');
    return row === undefined ? undefined : column?.[row];
  }

  #isAt(path: readonly string[]): boolean {
    const places = this.#places;
    for (let at = 0; at < places.length; at++)
      if (typeof places[at] === 'string' && places[at] !== path[at]) return false;
    return path.length === places.length;
  }
}
