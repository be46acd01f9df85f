import type { Position } from './errors.ts';

/** The parsed query: what was written, before any name is looked up. All nodes are frozen. */

/** A part of a compound name: `Time`, `[1997]`, `&[key]` (a composite key has several parts: `&[1997]&[Q1]`). */
export type Segment =
  | { readonly kind: 'name'; readonly name: string; readonly quoted: boolean; readonly position: Position }
  | { readonly kind: 'key'; readonly parts: readonly string[]; readonly position: Position };

export interface Identifier {
  readonly kind: 'identifier';
  readonly segments: readonly [Segment, ...Segment[]];
  readonly position: Position;
}

/** How a function was written, which is part of which function it is: `Children` as property, `Levels` as method. */
export type CallSyntax = 'function' | 'method' | 'property' | 'infix' | 'prefix' | 'postfix' | 'braces' | 'parentheses';

/** `args` of methods and properties begin with what stands before the dot. `quoted`: `set.[name]`. */
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
/** An argument left out: `Descendants(x,, LEAVES)`. */
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
/** `set AS name`: the set can be called by that name from there on. */
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
  /** 0 columns, 1 rows, 2 pages, 3 sections, 4 chapters. */
  readonly ordinal: number;
  readonly nonEmpty: boolean;
  readonly value: Expression;
  readonly dimensionProperties: readonly Identifier[];
  readonly position: Position;
}

/** A query in the place of a cube's name: what its axes and its slicer hold is all that the query around it sees. */
export interface Subselect {
  readonly axes: readonly Axis[];
  readonly slicer: Expression | undefined;
}

export interface Select {
  readonly kind: 'select';
  /** Innermost first. */
  readonly subselects: readonly Subselect[];
  readonly formulas: readonly Formula[];
  readonly axes: readonly Axis[];
  readonly cube: string;
  readonly cubePosition: Position;
  readonly slicer: Expression | undefined;
  readonly cellProperties: readonly Identifier[];
}

/** A column of a drill-through: a level, a measure, a property; `fn` as in `KEY([Store].[Name])`. */
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

/** `column = value` of a WHERE over a rowset; all of them have to hold. */
export interface RowsetCondition {
  readonly column: string;
  readonly operator: '=' | '<>';
  readonly value: string | number | boolean;
  readonly position: Position;
}

/** `SELECT … FROM $system.MDSCHEMA_CUBES`: rows about cubes instead of their cells. */
export interface Rowset {
  readonly kind: 'rowset';
  readonly name: string;
  readonly position: Position;
  /** `undefined`: all of them. */
  readonly columns: readonly { readonly name: string; readonly position: Position }[] | undefined;
  readonly conditions: readonly RowsetCondition[];
}

export type Statement = Select | DrillThrough | Rowset;
