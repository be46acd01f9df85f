/**
 * Converts the tables of a cube to datasets and relationships. A table that is reached in two roles becomes two datasets.
 */

import {
  type ColumnExpression,
  type Cube,
  type Dimension,
  type Hierarchy,
  isSameTable,
  type LeafRelation,
  leavesOf,
  type MeasureGroup,
  type Relation,
} from '../../cube/index.ts';
import type { OsiDataset, OsiField, OsiRelationship } from '../../semantic/index.ts';
import { present } from '../conversion.ts';
import { freeName, slug } from './names.ts';
import type { SchemaSql } from './schema-sql.ts';

export interface StarDataset {
  readonly name: string;
  readonly leaf: LeafRelation;
  readonly fields: OsiField[];
  /** Columns that identify its rows: other tables join by one of these. */
  readonly keys: string[];
  /** The datasets that join it: their names and columns, by the joined column of this dataset. */
  readonly reached: { readonly from: string; readonly column: string; readonly key: string }[];
}

/** The datasets by their aliases in expressions. */
export type Aliases = ReadonlyMap<string, StarDataset>;

type Warn = (line: number, message: string) => void;

export class Star {
  readonly #sql: SchemaSql;
  readonly #warn: Warn;
  readonly #datasets: StarDataset[] = [];
  readonly #facts = new Map<string, Aliases>();
  readonly #dimensions = new Map<string, Aliases>();
  readonly #hierarchies = new Map<Hierarchy, Aliases>();

  constructor({ measureGroups, dimensions }: Cube, sql: SchemaSql, warn: Warn) {
    this.#sql = sql;
    this.#warn = warn;
    for (const group of measureGroups) this.#facts.set(group.name, this.#fact(group));
    // A dimension that is reached through another one comes after it.
    const waiting = [...dimensions];
    const isReady = (dimension: Dimension) =>
      linksTo(dimension, measureGroups).every(
        ({ link }) => link.kind !== 'reference' || this.#dimensions.has(link.via),
      );
    while (waiting.length > 0) {
      const next = Math.max(0, waiting.findIndex(isReady));
      for (const dimension of waiting.splice(next, 1)) this.#dimension(dimension, measureGroups);
    }
  }

  /** Returns the datasets of a measure group's facts. */
  fact(group: string): Aliases {
    return this.#facts.get(group) ?? new Map();
  }

  /** Returns the datasets that a hierarchy's levels are read from; `undefined` where no facts reach it. */
  hierarchy(hierarchy: Hierarchy): Aliases | undefined {
    return this.#hierarchies.get(hierarchy);
  }

  datasets(): readonly OsiDataset[] {
    return this.#datasets.map(({ name, leaf, keys, fields }) => {
      const source = this.#sql.source(leaf);
      if (source === undefined)
        this.#warn(leaf.line, `the SQL of ${leaf.alias} is given for no dialect that is read here.`);
      const [primary, ...others] = keys;
      return present({
        name,
        source: source ?? leaf.alias,
        primary_key: primary === undefined ? undefined : [primary],
        unique_keys: others.map((key) => [key]),
        fields,
      });
    });
  }

  relationships(): readonly OsiRelationship[] {
    const names = new Set<string>();
    return this.#datasets.flatMap(({ name: to, reached }) =>
      reached.map(({ from, column, key }) => {
        const name = freeName([`${from}_to_${to}`], (one) => names.has(one));
        names.add(name);
        return { name, from, to, from_columns: [column], to_columns: [key] };
      }),
    );
  }

  #fact({ fact }: MeasureGroup): Aliases {
    const [first] = leavesOf(fact);
    // Base cubes of a virtual cube may have the same facts.
    const existing = this.#datasets.find(({ leaf, reached }) => reached.length === 0 && isSameTable(leaf, first));
    const base = existing ?? this.#add(first, [first.alias]);
    return this.#joined(fact, base, first.alias, first.alias);
  }

  #dimension(dimension: Dimension, groups: readonly MeasureGroup[]): void {
    const aliases = new Map<string, StarDataset>();
    for (const hierarchy of dimension.hierarchies) {
      const datasets = this.#hierarchy(dimension, hierarchy, groups);
      if (datasets === undefined) continue;
      this.#hierarchies.set(hierarchy, datasets);
      for (const [alias, dataset] of datasets) aliases.set(alias, dataset);
    }
    this.#dimensions.set(dimension.name, aliases);
  }

  #hierarchy(
    dimension: Dimension,
    { relation, primaryKey }: Hierarchy,
    groups: readonly MeasureGroup[],
  ): Aliases | undefined {
    const ways: { readonly from: StarDataset; readonly column: string }[] = [];
    for (const { group, link } of linksTo(dimension, groups)) {
      const facts = this.fact(group.name);
      if (link.kind === 'fact') return facts;
      if (link.kind === 'key' && link.level !== undefined) {
        this.#warn(
          dimension.line,
          `dimension ${dimension.name}: left out for ${group.name}: its facts are joined to the level ${link.level}, which is not the key of a table.`,
        );
        continue;
      }
      const from =
        link.kind === 'key' ? facts.get(link.column.table) : this.#dimensions.get(link.via)?.get(link.column.table);
      if (from !== undefined) ways.push({ from, column: link.column.name });
    }
    if (ways.length === 0 || primaryKey === undefined) return undefined;
    const root = this.#reach(leafOf(relation, primaryKey.table), primaryKey.name, ways, dimension.name);
    return this.#joined(relation, root, primaryKey.table, dimension.name);
  }

  /** Returns the dataset of a table that is reached along these joins: an existing one, if all its joins are the same. */
  #reach(
    leaf: LeafRelation,
    key: string,
    ways: readonly { readonly from: StarDataset; readonly column: string }[],
    role: string,
  ): StarDataset {
    // A table that one star joins at two places would be ambiguous. The facts of two stars may share it.
    const isShared = (dataset: StarDataset, from: StarDataset) =>
      from.reached.length === 0 &&
      dataset.reached.every((way) => way.from !== from.name && this.#isFact(way.from)) &&
      dataset !== from;
    const alike = this.#datasets.find(
      (dataset) =>
        isSameRows(dataset.leaf, leaf) &&
        dataset.reached.length > 0 &&
        ways.every(
          ({ from, column }) =>
            dataset.reached.some((way) => way.from === from.name && way.column === column && way.key === key) ||
            isShared(dataset, from),
        ),
    );
    const dataset = alike ?? this.#add(leaf, [leaf.alias, slug(role), slug(`${role} ${leaf.alias}`)]);
    if (!dataset.keys.includes(key)) dataset.keys.push(key);
    for (const { from, column } of ways) {
      const isReached = dataset.reached.some((way) => way.from === from.name && way.column === column);
      if (!isReached) dataset.reached.push({ from: from.name, column, key });
    }
    return dataset;
  }

  /** Follows the joins of a relation outwards from one of its tables. */
  #joined(relation: Relation, root: StarDataset, rootAlias: string, role: string): Aliases {
    const datasetsByAlias = new Map([[rootAlias, root]]);
    const joins = joinsOf(relation);
    for (let grown = true; grown; ) {
      grown = false;
      for (const [one, other] of joins) {
        for (const [near, far] of [
          [one, other],
          [other, one],
        ] as const) {
          const from = datasetsByAlias.get(near.table);
          if (from === undefined || datasetsByAlias.has(far.table)) continue;
          const leaf = leafOf(relation, far.table);
          datasetsByAlias.set(far.table, this.#reach(leaf, far.name, [{ from, column: near.name }], role));
          grown = true;
        }
      }
    }
    return datasetsByAlias;
  }

  #isFact(name: string): boolean {
    return this.#datasets.some((dataset) => dataset.name === name && dataset.reached.length === 0);
  }

  #add(leaf: LeafRelation, candidates: readonly [string, ...string[]]): StarDataset {
    const name = freeName(candidates, (one) => this.#datasets.some((dataset) => dataset.name === one));
    const dataset: StarDataset = { name, leaf, fields: [], keys: [], reached: [] };
    this.#datasets.push(dataset);
    return dataset;
  }
}

function linksTo(dimension: Dimension, groups: readonly MeasureGroup[]) {
  return groups.flatMap((group) =>
    group.links.filter((link) => link.dimension === dimension.name).map((link) => ({ group, link })),
  );
}

function joinsOf(relation: Relation): readonly (readonly [ColumnExpression, ColumnExpression])[] {
  if (relation.kind !== 'join') return [];
  const { left, right, leftKey, rightKey } = relation;
  return [[leftKey, rightKey], ...joinsOf(left), ...joinsOf(right)];
}

function leafOf(relation: Relation, alias: string): LeafRelation {
  const leaves = leavesOf(relation);
  return leaves.find((leaf) => leaf.alias === alias) ?? leaves[0];
}

function isSameRows(one: LeafRelation, other: LeafRelation): boolean {
  // Tables with a filter and views are the same only where the schema defines them once.
  if (one.kind !== 'table' || other.kind !== 'table') return one === other || one.line === other.line;
  return (
    one.name === other.name && one.schema === other.schema && one.filter === undefined && other.filter === undefined
  );
}
