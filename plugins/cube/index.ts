export type { ServableSchema } from './catalog/servable-schema.ts';
export { type CubeSurface, cube } from './cube-surface.ts';
export type { EngineMessage } from './engine/engine-threads.ts';
export {
  cellSetJson,
  cellSetTable,
  type DrillthroughResult,
  type Formula,
  MdxError,
  parseExpressionText as parseFormula,
  resultText,
} from './mdx/index.ts';
export { answerOffline, checkSchema, type MdxOutcome, rolesNamed, runMdx } from './offline/commands.ts';
export { deleteRecentQueriesOf, recentQueryMigrations } from './recent-queries.ts';
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
} from './schema/model.ts';
export { readSchema } from './schema/read-schema.ts';
export { isSameTable, type LeafRelation, leavesOf } from './schema/relation-leaves.ts';
export type { ScriptOutcome, ScriptTask } from './scripts/script.ts';
