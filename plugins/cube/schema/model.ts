/**
 * The meta-model of a cube schema: what the engine, the surface and the checks know about a schema, whichever of the
 * two schema languages (Mondrian 3 or Mondrian 4) it was written in. Read by `readSchema`; frozen data, no behaviour.
 *
 * What the reader has already settled, so that nobody after it must know the difference:
 * - A dimension usage is expanded: `Cube.dimensions` are whole dimensions under the names they have in that cube.
 * - A virtual cube is a cube with a measure group for each of its base cubes.
 * - Attributes, physical tables and links of Mondrian 4 are hierarchies with levels over a join tree.
 * - Defaults of the schema language are filled in; a member that is `undefined` has no default in the language.
 *
 * Texts of MDX (formulas, default members, grants) are kept as they stand; the engine parses them. `line` is the line
 * of the element in the schema's text (1-based).
 */

import type { Script } from '../scripts/script.ts';
import type { Aggregator } from './aggregators.ts';
import type { Located } from './located.ts';
import type { Role } from './role-model.ts';

export type { Located } from './located.ts';
export type * from './role-model.ts';

/** Properties for people that every named element may have. */
export interface Described extends Located {
  readonly name: string;
  /** Shown instead of the name. */
  readonly caption: string | undefined;
  readonly description: string | undefined;
  /** `false` hides it from people who choose; it stays usable in MDX. */
  readonly visible: boolean;
  /** Free name and value pairs; also translations such as `caption.de_DE`. */
  readonly annotations: ReadonlyMap<string, string>;
}

export interface Schema extends Described {
  readonly language: 'mondrian3' | 'mondrian4';
  /** Caption of the dimension `[Measures]` in all cubes. */
  readonly measuresCaption: string | undefined;
  /** Role of callers that have none. */
  readonly defaultRole: string | undefined;
  /** In the order of the document, ordinary and virtual cubes together. */
  readonly cubes: readonly Cube[];
  readonly roles: readonly Role[];
  readonly parameters: readonly Parameter[];
  readonly functions: readonly ScriptFunction[];
}

// ── cubes ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Cube extends Described {
  /** `true` for a virtual cube of Mondrian 3; every difference that matters is already in the members below. */
  readonly virtual: boolean;
  /** `false` asks not to keep cells of this cube between queries. */
  readonly cache: boolean;
  readonly enabled: boolean;
  /** Without `[Measures]`, which is made of `measures` and `calculatedMembers`. */
  readonly dimensions: readonly Dimension[];
  readonly measureGroups: readonly MeasureGroup[];
  /** Stored measures of all measure groups, in the order in which the cube lists them. */
  readonly measures: readonly Measure[];
  /** Members of the cube itself; in a virtual cube also the members from its base cubes (`fromCube`). */
  readonly calculatedMembers: readonly CalculatedMember[];
  /** Sets of the cube, then sets of the schema, which every cube has. */
  readonly namedSets: readonly NamedSet[];
  /** Name of the default stored measure; without it the first one is the default. */
  readonly defaultMeasure: string | undefined;
  /** In a virtual cube: name of the calculated measure that is the default instead. */
  readonly defaultCalculation: string | undefined;
}

/** Facts of one table: rows at one grain. */
export interface MeasureGroup extends Located {
  /** Unique in the cube. In a virtual cube the base cube's name. */
  readonly name: string;
  readonly fact: Relation;
  /** How the facts reach each dimension. A dimension that is not here is unrelated to this measure group. */
  readonly links: readonly DimensionLink[];
  /**
   * What a measure of this group is at a member (other than the default one) of an unrelated dimension:
   * `true` the same as without that dimension, `false` empty.
   */
  readonly ignoreUnrelatedDimensions: boolean;
}

/** `dimension` is the name in the cube. */
export type DimensionLink =
  | {
      /** Joined: `column` of the fact is the primary key of each of the dimension's hierarchies. */
      readonly kind: 'key';
      readonly dimension: string;
      readonly column: ColumnExpression;
      /**
       * The facts know the dimension only down to this level (name): `column` equals the key of that level, which
       * may be on many rows of the hierarchy's relation. `undefined`: down to the leaves.
       */
      readonly level: string | undefined;
      /**
       * Where several rows of the relation have the key of that level: `true` a fact counts for each of them, as the language
       * of Mondrian 3 has it, `false` once.
       */
      readonly countsPerRow: boolean;
    }
  | {
      /** Degenerate: the levels are columns of the fact itself, under the fact's alias. */
      readonly kind: 'fact';
      readonly dimension: string;
    }
  | {
      /** Joined through another dimension of this group: `column` belongs to a table of the hierarchies of `via`. */
      readonly kind: 'reference';
      readonly dimension: string;
      readonly via: string;
      readonly column: ColumnExpression;
    };

// ── dimensions ─────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Dimension extends Described {
  /** Name of the shared dimension that it is a usage of: usages of one source have the same members. */
  readonly source: string | undefined;
  readonly type: 'standard' | 'time';
  /** A hint: members of this dimension are never to be read all at once. */
  readonly highCardinality: boolean;
  /** At least one. Explicit hierarchies first, in their order. */
  readonly hierarchies: readonly [Hierarchy, ...Hierarchy[]];
}

export interface Hierarchy extends Described {
  /** `Weekly`; of a hierarchy without a name the dimension's name in the cube. */
  readonly name: string;
  /** `[Time]` or `[Time.Weekly]` (Mondrian 3), `[Time].[Weekly]` (Mondrian 4). */
  readonly uniqueName: string;
  readonly hasAll: boolean;
  readonly allMemberName: string;
  readonly allMemberCaption: string | undefined;
  readonly allLevelName: string;
  /** MDX of a member, as written: `All Media`, `[All Promotions]`, `[Time].[1997]`. */
  readonly defaultMember: string | undefined;
  /** Where members are read from. Of a degenerate dimension the fact relation itself, which then needs no join. */
  readonly relation: Relation;
  /** The column that facts join; `undefined` in a degenerate dimension (link of kind `fact`). */
  readonly primaryKey: ColumnExpression | undefined;
  /** Topmost first, without the all level. At least one. */
  readonly levels: readonly [Level, ...Level[]];
  /** Made for an attribute of Mondrian 4, not written by anyone. */
  readonly ofAttribute: boolean;
}

export interface Level extends Described {
  /** Identifies a member: in the whole level where `uniqueMembers`, else among the children of one parent. */
  readonly key: Expression;
  /** The member's name; `undefined`: the key, written as text. */
  readonly nameExpression: Expression | undefined;
  /** `undefined`: the name. */
  readonly captionExpression: Expression | undefined;
  /** Columns that order members among their siblings, first column first. Empty: ordered by the key. */
  readonly ordinals: readonly Ordinal[];
  readonly uniqueMembers: boolean;
  /** Type of the key. */
  readonly type: DataType;
  readonly levelType: LevelType;
  readonly hideMemberIf: 'never' | 'ifBlankName' | 'ifParentsName';
  /** Present for a parent-child level. */
  readonly parent: ParentChild | undefined;
  readonly properties: readonly MemberProperty[];
  /** Approximate number of members, where the schema declares it. */
  readonly approxRowCount: number | undefined;
  /** Makes the members' captions. */
  readonly formatter?: Script | undefined;
}

export interface Ordinal {
  readonly expression: Expression;
  readonly descending: boolean;
}

/** Members of one level that are parents of each other. */
export interface ParentChild {
  /** The parent's key, in the row of the child. */
  readonly expression: Expression;
  /** The value of `expression` that stands for no parent, besides null. As written, `0`; compare by the level's type. */
  readonly nullParentValue: string | undefined;
  readonly closure: Closure | undefined;
}

/** A table with a row for each member and each of its ancestors, itself included. */
export interface Closure extends Located {
  readonly table: Relation;
  readonly parentColumn: ColumnExpression;
  readonly childColumn: ColumnExpression;
}

export interface MemberProperty extends Described {
  readonly expression: Expression;
  readonly type: DataType;
  /** `true`: the property is the same for all rows of one member, so it need not be grouped by. */
  readonly dependsOnLevelValue: boolean;
  /** Makes what is shown of the value. */
  readonly formatter?: Script | undefined;
}

export type DataType = 'String' | 'Numeric' | 'Integer' | 'Boolean' | 'Date' | 'Time' | 'Timestamp';

export type LevelType =
  | 'Regular'
  | 'TimeYears'
  | 'TimeHalfYears'
  | 'TimeQuarters'
  | 'TimeMonths'
  | 'TimeWeeks'
  | 'TimeDays'
  | 'TimeHours'
  | 'TimeMinutes'
  | 'TimeSeconds'
  | 'TimeUndefined';

// ── measures, calculated members, sets ─────────────────────────────────────────────────────────────────────────────

export interface Measure extends Described {
  /** Name of its measure group. */
  readonly group: string;
  readonly aggregator: Aggregator;
  /** Aggregated expression; `undefined`: rows are counted. */
  readonly expression: Expression | undefined;
  /** Type of the aggregated value. */
  readonly type: DataType;
  /** In the format language of `plugins/cube/format`; a name such as `Standard` or a pattern. */
  readonly formatString: string | undefined;
  /** Cell and member properties such as `MEMBER_ORDINAL`. */
  readonly properties: readonly CalculatedProperty[];
  /**
   * In a virtual cube: `true` when the cube does not list it and only a calculated member needs it. Such a measure can
   * be named, and is not in `[Measures].Members`.
   */
  readonly implied: boolean;
  /** `true` for the count of facts that a cube of one measure group has of itself where its author counts nothing. */
  readonly isFactCount: boolean;
}

export interface CalculatedMember extends Described {
  /** MDX name of its hierarchy: `[Measures]`, `[Time]`, `[Time.Weekly]`. */
  readonly hierarchy: string;
  /** MDX name of its parent member; `undefined`: a root. */
  readonly parent: string | undefined;
  /** MDX. */
  readonly formula: string;
  /** Line at which the formula's text begins. */
  readonly formulaLine: number;
  /** The attribute `formatString`, or the value of the property FORMAT_STRING. An expression is in `properties`. */
  readonly formatString: string | undefined;
  /** The property SOLVE_ORDER where it is a number. */
  readonly solveOrder: number | undefined;
  /** All properties as written, FORMAT_STRING and SOLVE_ORDER included. */
  readonly properties: readonly CalculatedProperty[];
  /** In a virtual cube: the base cube that it was taken from. */
  readonly fromCube: string | undefined;
  /** As with `Measure.implied`. */
  readonly implied: boolean;
}

/** A property of a calculated member or a measure: either a literal value or an MDX expression. */
export interface CalculatedProperty extends Located {
  /** As written; names are compared regardless of letter case. */
  readonly name: string;
  readonly caption: string | undefined;
  readonly content:
    | { readonly kind: 'value'; readonly value: string }
    | { readonly kind: 'expression'; readonly mdx: string };
}

export interface NamedSet extends Described {
  /** MDX. */
  readonly formula: string;
  readonly formulaLine: number;
}

export interface Parameter extends Located {
  readonly name: string;
  readonly description: string | undefined;
  readonly type: DataType | 'Member';
  /** `false`: a query may not set it. */
  readonly modifiable: boolean;
  /** MDX. */
  readonly defaultValue: string | undefined;
}

/** A function of the schema that its author wrote as a script. */
export interface ScriptFunction extends Described {
  readonly script: Script;
}

// ── relations and expressions ──────────────────────────────────────────────────────────────────────────────────────

/**
 * Rows to read from. Every leaf has an `alias`, by which columns and the SQL texts of the schema name it: a statement
 * that holds such a text must use the alias unchanged.
 */
export type Relation = TableRelation | ViewRelation | InlineRelation | JoinRelation;

export interface TableRelation extends Located {
  readonly kind: 'table';
  readonly schema: string | undefined;
  readonly name: string;
  readonly alias: string;
  /** A condition on the rows: joined to the others with AND. */
  readonly filter: SqlText | undefined;
}

/** A query in the schema. */
export interface ViewRelation extends Located {
  readonly kind: 'view';
  readonly alias: string;
  readonly sql: SqlText;
}

/** Type of a column's values in rows of the schema. */
export type InlineType = 'text' | 'integer' | 'float' | 'boolean' | 'date' | 'time' | 'timestamp' | 'binary';

/** Rows in the schema. */
export interface InlineRelation extends Located {
  readonly kind: 'inline';
  readonly alias: string;
  readonly columns: readonly { readonly name: string; readonly type: InlineType }[];
  /** Values in the order of `columns`, as text that can be read by the column's type; binary ones in base64. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** `left` JOIN `right` ON `left.key = right.key`. */
export interface JoinRelation extends Located {
  readonly kind: 'join';
  readonly left: Relation;
  readonly right: Relation;
  /** Its table is a leaf of `left`. */
  readonly leftKey: ColumnExpression;
  /** Its table is a leaf of `right`. */
  readonly rightKey: ColumnExpression;
}

export type Expression = ColumnExpression | SqlExpression;

/**
 * A column of the relation with the alias `table`, which may be the fact (measures, degenerate dimensions, links). `line` is
 * that of the element that names it.
 */
export interface ColumnExpression extends Located {
  readonly kind: 'column';
  readonly table: string;
  readonly name: string;
}

/** An expression that the schema's author wrote; `table` is the relation whose columns it names. */
export interface SqlExpression {
  readonly kind: 'sql';
  readonly table: string;
  readonly sql: SqlText;
}

/** SQL by dialect: `sqlFor` chooses. */
export interface SqlText extends Located {
  readonly variants: readonly SqlVariant[];
}

export interface SqlVariant extends Located {
  /** Lower case: `postgres`, `mysql`, `generic`. */
  readonly dialect: string;
  /** SQL text, and columns that must be written in the dialect's quoting. */
  readonly parts: readonly (string | ColumnExpression)[];
}
