import type { Position } from './errors.ts';

/** The parsed query, before any name is resolved. All nodes are frozen. */

/** A part of a compound name: `Time`, `[1997]`, `&[key]` (a composite key has several parts: `&[1997]&[Q1]`). */
export type Segment =
  | { readonly kind: 'name'; readonly name: string; readonly quoted: boolean; readonly position: Position }
  | { readonly kind: 'key'; readonly parts: readonly string[]; readonly position: Position };

export interface Identifier {
  readonly kind: 'identifier';
  readonly segments: readonly [Segment, ...Segment[]];
  readonly position: Position;
}

/** How a call is written, which is part of the function's identity: `Children` is a property, `Levels` a method. */
export type CallSyntax = 'function' | 'method' | 'property' | 'infix' | 'prefix' | 'postfix' | 'braces' | 'parentheses';

/** The first argument of a method or property is the expression before the dot. */
export interface Call {
  readonly kind: 'call';
  readonly syntax: CallSyntax;
  readonly name: string;
  readonly args: readonly Expression[];
  readonly position: Position;
}

export interface NumberLiteral {
  readonly kind: 'number';
  readonly value: number;
  readonly position: Position;
}
export interface StringLiteral {
  readonly kind: 'string';
  readonly value: string;
  readonly position: Position;
}
export interface NullLiteral {
  readonly kind: 'null';
  readonly position: Position;
}
/** An omitted argument: `Descendants(x,, LEAVES)`. */
export interface EmptyArgument {
  readonly kind: 'empty';
  readonly position: Position;
}
export interface CaseExpression {
  readonly kind: 'case';
  readonly value: Expression | undefined;
  readonly branches: readonly { readonly when: Expression; readonly result: Expression }[];
  readonly otherwise: Expression | undefined;
  readonly position: Position;
}
export interface CastExpression {
  readonly kind: 'cast';
  readonly value: Expression;
  readonly type: string;
  readonly position: Position;
}
/** `set AS name` names a set for the rest of the query. */
export interface SetAlias {
  readonly kind: 'alias';
  readonly value: Expression;
  readonly name: string;
  readonly position: Position;
}

export type Expression =
  | Identifier
  | Call
  | NumberLiteral
  | StringLiteral
  | NullLiteral
  | EmptyArgument
  | CaseExpression
  | CastExpression
  | SetAlias;

export interface MemberProperty {
  readonly name: string;
  readonly value: Expression;
}

export interface MemberFormula {
  readonly kind: 'member';
  readonly name: Identifier;
  readonly value: Expression;
  readonly properties: readonly MemberProperty[];
  readonly position: Position;
}
export interface SetFormula {
  readonly kind: 'set';
  readonly name: Identifier;
  readonly value: Expression;
  readonly position: Position;
}
export type Formula = MemberFormula | SetFormula;

export interface Axis {
  /** The index of the axis: 0 columns, 1 rows, 2 pages, 3 sections, 4 chapters. */
  readonly ordinal: number;
  readonly nonEmpty: boolean;
  readonly value: Expression;
  readonly dimensionProperties: readonly Identifier[];
  readonly position: Position;
}

/** A query in FROM. The outer query sees only what the axes and the slicer of this query select. */
export interface Subselect {
  readonly axes: readonly Axis[];
  readonly slicer: Expression | undefined;
}

export interface Select {
  readonly kind: 'select';
  /** The innermost query comes first. */
  readonly subselects: readonly Subselect[];
  readonly formulas: readonly Formula[];
  readonly axes: readonly Axis[];
  readonly cube: string;
  readonly cubePosition: Position;
  readonly slicer: Expression | undefined;
  readonly cellProperties: readonly Identifier[];
}

/**
 * A column of a drill-through: a level, a measure or a property. `fn` is a function of it, as in `KEY([Store].[Name])`.
 */
export interface ReturnItem {
  readonly fn: string | undefined;
  readonly of: Identifier;
  readonly position: Position;
}

export interface DrillThrough {
  readonly kind: 'drillthrough';
  readonly maxRows: number | undefined;
  readonly firstRowset: number | undefined;
  readonly query: Select;
  readonly returns: readonly ReturnItem[];
}

/** A condition `column = value` of a rowset's WHERE. All conditions must be true. */
export interface RowsetCondition {
  readonly column: string;
  readonly operator: '=' | '<>';
  readonly value: string | number | boolean;
  readonly position: Position;
}

/** `SELECT … FROM $system.MDSCHEMA_CUBES` returns rows about cubes. */
export interface Rowset {
  readonly kind: 'rowset';
  readonly name: string;
  readonly position: Position;
  /** The requested columns; `undefined` for all. */
  readonly columns: readonly { readonly name: string; readonly position: Position }[] | undefined;
  readonly conditions: readonly RowsetCondition[];
}

export type Statement = Select | DrillThrough | Rowset;
