/**
 * The meta-model of a cube schema, for the engine, the surface and the checks. It is the same for both schema
 * languages, Mondrian 3 and Mondrian 4. `readSchema` makes it. It is frozen data without behaviour.
 *
 * The reader removes the differences between the languages:
 * - A dimension usage is expanded: `Cube.dimensions` are whole dimensions under their names in the cube.
 * - A virtual cube is a cube with a measure group for each of its base cubes.
 * - Attributes, physical tables and links of Mondrian 4 are hierarchies with levels over a join tree.
 * - Defaults of the schema language are filled in. A property that is `undefined` has no default in the language.
 *
 * Texts of MDX (formulas, default members, grants) are unchanged; the engine parses them. `line` is the line of the
 * element in the schema's text, from 1.
 */

import type { Script } from '../scripts/script.ts';
import type { AggregateTable, DeclaredAggregate } from './aggregate-model.ts';
import type { Aggregator } from './aggregators.ts';
import type { Located } from './located.ts';
import type { ColumnExpression, Expression, Relation } from './relation-model.ts';
import type { Role } from './role-model.ts';

export type * from './aggregate-model.ts';
export type { Located } from './located.ts';
export type * from './relation-model.ts';
export type * from './role-model.ts';

/** Properties for people that every named element may have. */
export interface Described extends Located {
  readonly name: string;
  /** Shown instead of the name. */
  readonly caption: string | undefined;
  readonly description: string | undefined;
  /** `false` hides the element in lists for people. MDX can still use it. */
  readonly visible: boolean;
  /** Pairs of names and values, also translations such as `caption.de_DE`. */
  readonly annotations: ReadonlyMap<string, string>;
}

export interface Schema extends Described {
  readonly language: 'mondrian3' | 'mondrian4';
  /** The caption of the dimension `[Measures]` in all cubes. */
  readonly measuresCaption: string | undefined;
  /** The role of callers without a role of the schema. */
  readonly defaultRole: string | undefined;
  /** Ordinary and virtual cubes in the order of the document. */
  readonly cubes: readonly Cube[];
  readonly roles: readonly Role[];
  readonly parameters: readonly Parameter[];
  readonly functions: readonly ScriptFunction[];
}

// ── cubes ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Cube extends Described {
  /** `true` for a virtual cube of Mondrian 3. The properties below already contain every difference that matters. */
  readonly virtual: boolean;
  /** `false` requests that cells of this cube are not kept between queries. */
  readonly cache: boolean;
  readonly enabled: boolean;
  /** The dimensions without `[Measures]`, which consists of `measures` and `calculatedMembers`. */
  readonly dimensions: readonly Dimension[];
  readonly measureGroups: readonly MeasureGroup[];
  /** The stored measures of all measure groups, in the order of the cube. */
  readonly measures: readonly Measure[];
  /** The members of the cube itself. A virtual cube also has members of its base cubes (`fromCube`). */
  readonly calculatedMembers: readonly CalculatedMember[];
  /** The sets of the cube, then the sets of the schema. */
  readonly namedSets: readonly NamedSet[];
  /** The name of the default stored measure. Without it, the first one is the default. */
  readonly defaultMeasure: string | undefined;
  /** In a virtual cube: the name of the calculated measure that is the default instead. */
  readonly defaultCalculation: string | undefined;
}

/** The facts of one table. Rows have one grain. */
export interface MeasureGroup extends Located {
  /** Unique in the cube. In a virtual cube, it is the base cube's name. */
  readonly name: string;
  readonly fact: Relation;
  /** How the facts join each dimension. A dimension without a link is unrelated to this measure group. */
  readonly links: readonly DimensionLink[];
  /**
   * The value of this group's measures at a member of an unrelated dimension other than the default member: `true` for
   * the value without that dimension, `false` for empty.
   */
  readonly ignoreUnrelatedDimensions: boolean;
  /** The aggregate tables that the schema declares. */
  readonly declaredAggregates: readonly DeclaredAggregate[];
  /** The aggregate tables that statements may read, once they were found in the warehouse. */
  readonly aggregates?: readonly AggregateTable[] | undefined;
}

/** `dimension` is the name in the cube. */
export type DimensionLink =
  | {
      /** Joined: `column` of the fact is the primary key of each of the dimension's hierarchies. */
      readonly kind: 'key';
      readonly dimension: string;
      readonly column: ColumnExpression;
      /**
       * The level (by name) at which facts join the dimension: `column` equals the key of that level, which may be on
       * several rows of the hierarchy's relation. `undefined` for the leaves.
       */
      readonly level: string | undefined;
      /** Whether a fact counts for each row of the relation with the key of that level, as Mondrian 3 does, or once. */
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
  /** The name of the shared dimension, if this is a usage of one. Usages of one dimension have the same members. */
  readonly source: string | undefined;
  readonly type: 'standard' | 'time';
  /** A hint that members of this dimension must not all be read at once. */
  readonly highCardinality: boolean;
  /** The hierarchies of the schema in their order, then the hierarchies of attributes. There is at least one. */
  readonly hierarchies: readonly [Hierarchy, ...Hierarchy[]];
}

export interface Hierarchy extends Described {
  /** The name, such as `Weekly`. A hierarchy without a name has the dimension's name in the cube. */
  readonly name: string;
  /** `[Time]` or `[Time.Weekly]` (Mondrian 3), `[Time].[Weekly]` (Mondrian 4). */
  readonly uniqueName: string;
  readonly hasAll: boolean;
  readonly allMemberName: string;
  readonly allMemberCaption: string | undefined;
  readonly allLevelName: string;
  /** MDX of a member, as the schema writes it: `All Media`, `[All Promotions]`, `[Time].[1997]`. */
  readonly defaultMember: string | undefined;
  /** The relation of the members. A degenerate dimension has the fact relation, and needs no join. */
  readonly relation: Relation;
  /** The column that facts join; `undefined` in a degenerate dimension (a link of kind `fact`). */
  readonly primaryKey: ColumnExpression | undefined;
  /**
   * The facts that keep rows without a row in `relation`: they belong to the member without a key (`#null`). Absent
   * where such rows are in no member.
   */
  readonly unmatched?: UnmatchedFacts | undefined;
  /** The levels from the topmost, without the all level. There is at least one. */
  readonly levels: readonly [Level, ...Level[]];
  /** `true` for the hierarchy of an attribute of Mondrian 4, which the schema does not write. */
  readonly ofAttribute: boolean;
}

/** The facts of a hierarchy, and their column that joins its primary key. */
export interface UnmatchedFacts {
  readonly fact: Relation;
  readonly column: ColumnExpression;
}

export interface Level extends Described {
  /** Identifies a member: in the whole level if `uniqueMembers`, otherwise among the children of one parent. */
  readonly key: Expression;
  /** The member's name. Without it, the name is the key as text. */
  readonly nameExpression: Expression | undefined;
  /** The member's caption. Without it, the caption is the name. */
  readonly captionExpression: Expression | undefined;
  /**
   * The columns that order members among their siblings, first column first. Without them, members are ordered by the
   * key.
   */
  readonly ordinals: readonly Ordinal[];
  readonly uniqueMembers: boolean;
  /** The type of the key. */
  readonly type: DataType;
  readonly levelType: LevelType;
  readonly hideMemberIf: 'never' | 'ifBlankName' | 'ifParentsName';
  /** Present for a parent-child level. */
  readonly parent: ParentChild | undefined;
  readonly properties: readonly MemberProperty[];
  /** The approximate number of members, if the schema declares it. */
  readonly approxRowCount: number | undefined;
  /** Formats the members' captions. */
  readonly formatter?: Script | undefined;
}

export interface Ordinal {
  readonly expression: Expression;
  readonly descending: boolean;
}

/** Members of one level that are parents of each other. */
export interface ParentChild {
  /** The parent's key in the row of the child. */
  readonly expression: Expression;
  /**
   * The value of `expression` for members without a parent, besides null. Written as in the schema, such as `0`;
   * compare it by the level's type.
   */
  readonly nullParentValue: string | undefined;
  readonly closure: Closure | undefined;
}

/** A table with a row for each pair of a member and an ancestor. A member is an ancestor of itself. */
export interface Closure extends Located {
  readonly table: Relation;
  readonly parentColumn: ColumnExpression;
  readonly childColumn: ColumnExpression;
}

export interface MemberProperty extends Described {
  readonly expression: Expression;
  readonly type: DataType;
  /** `true` if the property is equal in all rows of a member, so that it need not be grouped by. */
  readonly dependsOnLevelValue: boolean;
  /** Formats the value. */
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
  /** The name of its measure group. */
  readonly group: string;
  readonly aggregator: Aggregator;
  /** The aggregated expression. Without it, rows are counted. */
  readonly expression: Expression | undefined;
  /** The type of the aggregated value. */
  readonly type: DataType;
  /** A name such as `Standard`, or a pattern, in the format language of `plugins/cube/format`. */
  readonly formatString: string | undefined;
  /** Cell and member properties such as `MEMBER_ORDINAL`. */
  readonly properties: readonly CalculatedProperty[];
  /**
   * In a virtual cube: `true` if the cube does not list the measure and only a calculated member needs it. Such a
   * measure can be named, but is not in `[Measures].Members`.
   */
  readonly implied: boolean;
  /** `true` for the implicit count of facts, which a cube of one measure group has if its author counts nothing. */
  readonly isFactCount: boolean;
}

export interface CalculatedMember extends Described {
  /** The MDX name of its hierarchy: `[Measures]`, `[Time]`, `[Time.Weekly]`. */
  readonly hierarchy: string;
  /** The MDX name of its parent member; `undefined` for a root. */
  readonly parent: string | undefined;
  /** MDX. */
  readonly formula: string;
  /** The line at which the formula's text begins. */
  readonly formulaLine: number;
  /**
   * The attribute `formatString`, or the literal value of the property FORMAT_STRING. An expression is in `properties`.
   */
  readonly formatString: string | undefined;
  /** The property SOLVE_ORDER if it is a number. */
  readonly solveOrder: number | undefined;
  /** All properties as the schema writes them, including FORMAT_STRING and SOLVE_ORDER. */
  readonly properties: readonly CalculatedProperty[];
  /** In a virtual cube: the base cube of the member. */
  readonly fromCube: string | undefined;
  /** See `Measure.implied`. */
  readonly implied: boolean;
}

/** A property of a calculated member or a measure: either a literal value or an MDX expression. */
export interface CalculatedProperty extends Located {
  /** The name as the schema writes it. Names are compared in any letter case. */
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
  /** `false` if a query may not set it. */
  readonly modifiable: boolean;
  /** MDX. */
  readonly defaultValue: string | undefined;
}

/** A function that the schema's author wrote as a script. */
export interface ScriptFunction extends Described {
  readonly script: Script;
}
