/** What the conversion uses of the cube surface: its reader of schemas and of formulas. The only file here that does. */
export type { Expression as Formula } from '../../../cube/mdx/syntax/ast.ts';
export { parseExpressionText as parseFormula } from '../../../cube/mdx/syntax/parse.ts';
export type {
  CalculatedMember,
  ColumnExpression,
  Cube,
  Dimension,
  Expression,
  Hierarchy,
  InlineRelation,
  Level,
  Measure,
  MeasureGroup,
  Relation,
  Schema,
  SqlText,
} from '../../../cube/schema/model.ts';
export { readSchema } from '../../../cube/schema/read.ts';
export { isSameTable, type LeafRelation, leavesOf } from '../../../cube/schema/relation.ts';
