import { InternalError } from '../../../../router/errors.ts';
import { sameName } from '../../schema/mdx-name.ts';
import type * as model from '../../schema/model.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { Grain, Hierarchy, Level, TupleSet } from '../metadata/member.ts';
import { isOutside } from './outside-facts.ts';
import { isColumn } from './same-column.ts';

/** What a statement reads of the facts. */
export interface FactsRead {
  readonly grains: readonly Grain[];
  readonly measures: readonly model.Measure[];
  /** Restricts the rows: each row must be in at least one tuple of every set. */
  readonly predicates: readonly TupleSet[];
}

/** An aggregate table as a source of the facts of a measure group: what it has of them, and where. */
export class AggregateSource {
  readonly table: model.AggregateTable;
  readonly #group: FactGroup;

  constructor(table: model.AggregateTable, group: FactGroup) {
    this.table = table;
    this.#group = group;
  }

  /** Returns whether the table has everything that a statement reads, so that its answer is that of the facts. */
  answers({ grains, measures, predicates }: FactsRead): boolean {
    const stored = measures.map(({ name }) => this.table.measures.find(({ measure }) => measure === name));
    if (stored.includes(undefined)) return false;
    if (!grains.every((grain) => this.#has(grain))) return false;
    if (stored.some((each) => each?.rollUp === 'facts') && !this.#isOwnGrain(grains)) return false;
    const restricting = new Map<Level, Set<boolean>>();
    for (const set of predicates)
      for (const tuple of set)
        for (const member of tuple) {
          if (member.kind === 'all' || !this.#group.reaches(member.hierarchy) || isOutside(member, this.#group))
            continue;
          const data = restricting.get(member.level);
          if (data === undefined) restricting.set(member.level, new Set([member.kind === 'data']));
          else data.add(member.kind === 'data');
        }
    return [...restricting].every(([level, kinds]) => [...kinds].every((data) => this.#has({ level, data })));
  }

  /** Returns the column with the values of a measure. */
  storedMeasure({ name }: model.Measure): model.AggregateMeasure {
    const stored = this.table.measures.find(({ measure }) => measure === name);
    if (stored === undefined) throw new InternalError(`The aggregate table ${this.table.table.name} has no ${name}.`);
    return stored;
  }

  /** Returns the table's own columns with the values of a hierarchy's expressions; `undefined` if it lacks one. */
  columnsOf(
    hierarchy: Hierarchy,
    expressions: readonly model.Expression[],
  ): readonly model.ColumnExpression[] | undefined {
    const link = this.#group.links[hierarchy.ordinal];
    // The facts count once for each row that they join.
    if (link === undefined || (link.kind === 'key' && link.level !== undefined)) return undefined;
    const levels = this.#levelsOf(hierarchy);
    const columns = expressions.flatMap((expression) => {
      const level = levels.find(({ key }) => key.kind === 'column' && isColumn(expression, key));
      return level === undefined ? [] : [level.column];
    });
    return columns.length === expressions.length && columns.length > 0 ? columns : undefined;
  }

  /** Returns how the table joins a hierarchy's own tables; `undefined` if it has no key of theirs. */
  linkTo(hierarchy: Hierarchy): Exclude<model.DimensionLink, { readonly kind: 'fact' }> | undefined {
    const link = this.#group.links[hierarchy.ordinal];
    if (link === undefined || link.kind === 'fact') return undefined;
    if (link.kind === 'reference') {
      const via = this.#group.hierarchies.find(({ dimension }) => dimension.name === link.via);
      const viaLink = via === undefined ? undefined : this.linkTo(via);
      return viaLink?.kind === 'key' && viaLink.level === undefined ? link : undefined;
    }
    const key = this.table.keys.find(({ factColumn }) => sameName(factColumn, link.column.name));
    if (key !== undefined) return { ...link, column: key.column };
    const alone = this.#levelsOf(hierarchy).find(({ isKeyAlone }) => isKeyAlone);
    if (alone === undefined || link.level !== undefined || hierarchy.model?.unmatched !== undefined) return undefined;
    return { ...link, column: alone.column, level: alone.level, countsPerRow: false };
  }

  #levelsOf({ uniqueName }: Hierarchy): readonly model.AggregateLevel[] {
    return this.table.levels.filter((level) => level.hierarchy === uniqueName);
  }

  /** Returns whether the table's rows can be grouped by a grain. */
  #has({ level }: Grain): boolean {
    const { hierarchy } = level;
    if (this.columnsOf(hierarchy, keysOf(level)) !== undefined) return true;
    const link = this.linkTo(hierarchy);
    if (link === undefined) return false;
    if (link.kind === 'reference' || link.level === undefined) return true;
    const lowest = hierarchy.levels.find(({ name }) => name === link.level);
    return lowest !== undefined && level.depth <= lowest.depth;
  }

  /** Returns whether each group of the grains is one row of the table. */
  #isOwnGrain(grains: readonly Grain[]): boolean {
    const grouped = new Set(grains.flatMap(({ level, data }) => (data ? [] : this.#ownColumns(level))));
    return [...this.table.levels, ...this.table.keys].every(({ column }) => grouped.has(column.name));
  }

  /** Returns the names of the table's columns that a level groups by. */
  #ownColumns(level: Level): readonly string[] {
    const { hierarchy } = level;
    const parent = level.model?.parent;
    if (parent?.closure !== undefined) return [];
    const columns = this.columnsOf(hierarchy, keysOf(level));
    if (columns !== undefined) return columns.map(({ name }) => name);
    const { primaryKey, unmatched } = hierarchy.model ?? {};
    const link = this.linkTo(hierarchy);
    const isKey = primaryKey !== undefined && keysOf(level).every((key) => isColumn(key, primaryKey));
    if (!isKey || unmatched !== undefined || link?.kind !== 'key' || link.level !== undefined) return [];
    return [link.column.name];
  }
}

function keysOf(level: Level): readonly model.Expression[] {
  return level.keyLevels.flatMap(({ model: of }) => of?.key ?? []);
}
