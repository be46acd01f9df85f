import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../../router/errors.ts';
import type * as model from '../../schema/model.ts';
import type { FactGroup } from '../catalog/fact-group.ts';
import type { Member, TupleSet, Value } from '../catalog/member.ts';
import { MdxLimitError } from '../errors.ts';
import { cellStatement } from '../sql/cells.ts';
import type { Grain } from '../sql/fact.ts';
import { keyText, pathKey } from '../sql/key-text.ts';

/** Cells of one grain (levels of some hierarchies) under the same restrictions. */
class Segment {
  readonly group: FactGroup;
  readonly grains: readonly Grain[];
  readonly predicates: readonly TupleSet[];
  readonly cells = new Map<string, Map<model.Measure, Value>>();
  /** Asked for and not in memory. */
  readonly wanted = new Map<string, readonly Member[]>();
  readonly wantedMeasures = new Set<model.Measure>();

  constructor(group: FactGroup, grains: readonly Grain[], predicates: readonly TupleSet[]) {
    this.group = group;
    this.grains = grains;
    this.predicates = predicates;
  }

  want(key: string, coordinate: readonly Member[], measure: model.Measure): void {
    this.wanted.set(key, coordinate);
    this.wantedMeasures.add(measure);
  }

  set(key: string, measure: model.Measure, value: Value): void {
    const cell = this.cells.get(key);
    if (cell === undefined) this.cells.set(key, new Map([[measure, value]]));
    else cell.set(measure, value);
  }
}

const COORDINATES = '\u0002';

/**
 * The stored cells of a cube for a role, kept between queries. Reading never waits: what is not here is noted, and `load`
 * reads all that was noted with one statement for each grain.
 */
export class CellReader {
  readonly #warehouse: Warehouse;
  readonly #groups: ReadonlyMap<string, FactGroup>;
  readonly #maxCells: number;
  readonly #segments = new Map<string, Segment>();
  readonly #incomplete = new Set<Segment>();
  /** Which combinations of members have facts, by what was asked. */
  readonly existing = new Map<string, readonly string[]>();
  readonly #predicateKeys = new WeakMap<TupleSet, string>();
  readonly #loading = new Set<Promise<unknown>>();
  #kept = 0;
  #statements = 0;

  constructor(warehouse: Warehouse, groups: ReadonlyMap<string, FactGroup>, maxCells: number) {
    this.#warehouse = warehouse;
    this.#groups = groups;
    this.#maxCells = maxCells;
  }

  /** Statements run so far. */
  get statements(): number {
    return this.#statements;
  }

  get hasMissing(): boolean {
    return this.#incomplete.size > 0;
  }

  /** The cell's value, `null` when it is empty, `undefined` when it has to be loaded. */
  read(context: readonly Member[], predicates: readonly TupleSet[]): Value | undefined {
    const measure = context[0]?.measure;
    if (measure === undefined) throw new InternalError('The current measure is not stored.');
    const group = this.#groups.get(measure.group);
    if (group === undefined) throw new InternalError(`There is no measure group ${measure.group}.`);
    let grain = group.name;
    let key = '';
    for (let ordinal = 1; ordinal < context.length; ordinal++) {
      const member = context[ordinal];
      if (member === undefined || member.kind === 'all') continue;
      if (group.links[ordinal] === undefined) {
        if (group.model.ignoreUnrelatedDimensions || member === member.hierarchy.defaultMember) continue;
        return null;
      }
      grain += `;${ordinal}.${member.level.depth}${member.kind === 'data' ? 'd' : ''}`;
      key += COORDINATES + member.cellKey;
    }
    for (const tuples of predicates) grain += `|${this.predicateKey(tuples)}`;
    const segment = this.#segment(grain, group, context, predicates);
    const value = segment.cells.get(key)?.get(measure);
    if (value !== undefined) return value;
    segment.want(key, coordinateOf(group, context), measure);
    this.#incomplete.add(segment);
    return undefined;
  }

  predicateKey(tuples: TupleSet): string {
    let key = this.#predicateKeys.get(tuples);
    if (key === undefined) {
      key = tuples.map((tuple) => tuple.map(({ id }) => id).join()).join(' ');
      this.#predicateKeys.set(tuples, key);
    }
    return key;
  }

  #segment(grain: string, group: FactGroup, context: readonly Member[], predicates: readonly TupleSet[]): Segment {
    const known = this.#segments.get(grain);
    if (known !== undefined) return known;
    const grains = coordinateOf(group, context).map(({ level, kind }) => ({ level, data: kind === 'data' }));
    const segment = new Segment(group, grains, [...predicates]);
    this.#segments.set(grain, segment);
    return segment;
  }

  /** Reads what was noted. */
  async load(signal: AbortSignal | undefined): Promise<void> {
    const segments = [...this.#incomplete];
    this.#incomplete.clear();
    if (this.#kept > this.#maxCells) this.#forget(segments);
    // What another query is loading just now may be what this one lacks. If that fails it is asked for again.
    const others = [...this.#loading];
    const own = Promise.all(segments.map((segment) => this.#loadSegment(segment, signal)));
    this.#loading.add(own);
    try {
      await own;
    } finally {
      this.#loading.delete(own);
    }
    await Promise.allSettled(others);
  }

  /** Drops what is wanted: an evaluation that was given up leaves nothing to be loaded by the next. */
  abandon(): void {
    for (const segment of this.#incomplete) {
      segment.wanted.clear();
      segment.wantedMeasures.clear();
    }
    this.#incomplete.clear();
  }

  #forget(but: readonly Segment[]): void {
    for (const [grain, segment] of this.#segments) if (!but.includes(segment)) this.#segments.delete(grain);
    this.#kept = 0;
  }

  async #loadSegment(segment: Segment, signal: AbortSignal | undefined): Promise<void> {
    const wanted = new Map(segment.wanted);
    const measures = [...segment.wantedMeasures];
    segment.wanted.clear();
    segment.wantedMeasures.clear();
    const { group, grains, predicates } = segment;
    const { statement, keyColumns } = cellStatement(this.#warehouse.dialect, {
      group,
      grains,
      measures,
      predicates,
      coordinates: [...wanted.values()],
    });
    this.#statements++;
    const result = await this.#warehouse.query(statement, { signal, maxRows: this.#maxCells });
    if (result.truncated) throw new MdxLimitError(`The query needs more than ${this.#maxCells} stored cells.`);
    const keys = keyColumns.reduce((sum, count) => sum + count, 0);
    for (let row = 0; row < result.rowCount; row++) {
      let key = '';
      let column = 0;
      for (const count of keyColumns) {
        const parts: string[] = [];
        for (let part = 0; part < count; part++) parts.push(keyText(result.values[column++]?.[row] ?? null));
        key += COORDINATES + pathKey(parts);
      }
      for (const [index, measure] of measures.entries()) {
        const value = result.values[keys + index]?.[row] ?? null;
        segment.set(
          key,
          measure,
          value === null || typeof value === 'boolean' ? value : asNumberIfNumeric(value, measure),
        );
      }
    }
    this.#kept += result.rowCount;
    for (const key of wanted.keys()) {
      for (const measure of measures)
        if (segment.cells.get(key)?.get(measure) === undefined) segment.set(key, measure, null);
    }
  }
}

/** The members of a context that say which cell of the group's facts is meant. */
function coordinateOf(group: FactGroup, context: readonly Member[]): readonly Member[] {
  return context.filter(
    (member, ordinal) => (member.kind === 'stored' || member.kind === 'data') && group.links[ordinal] !== undefined,
  );
}

/** Exact decimals arrive as text where no double holds them; the engine computes in doubles. */
function asNumberIfNumeric(value: string | number | bigint, { type }: model.Measure): Value {
  if (typeof value !== 'string') return Number(value);
  const number = Number(value);
  return type === 'String' || Number.isNaN(number) ? value : number;
}
