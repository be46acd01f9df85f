/** The semantic-model surface: typed queries over models of OSI documents, answered by the warehouse that they describe. */
export type { EditResult, EditTask } from './edit/edit-documents.ts';
export { modelVersionMigrations } from './edit/versions.ts';
export { type LintOptions, lintDocument } from './lint/lint-document.ts';
export { rolesNamed } from './lint/roles.ts';
export { WINDOW_TAKES } from './model/metric-kinds.ts';
export { ExpressionError, parserDialect } from './model/parse-sql-expression.ts';
export type { Place } from './model/problems.ts';
export type { SqlResult, SqlTask } from './model/sql-task.ts';
export { lineFinder, readYaml, type YamlResult } from './model/yaml-text.ts';
export { answerOffline } from './offline.ts';
export {
  buildRollups,
  type RollupOutcome,
  type RollupRequest,
  type RollupStatements,
  rollupStatements,
  rollupsOf,
} from './rollups/build-rollups.ts';
export { DemandLog, loggedDemands, rollupDemandMigrations } from './rollups/demand-log.ts';
export { type ModelSuggestions, suggestFor } from './rollups/suggest-rollups.ts';
export { type Semantic, type SemanticSettings, semantic } from './semantic-surface.ts';
export { columnOf, division, identifier, namesIn, qualified, rewrite } from './write/ansi-sql.ts';
export {
  ansi,
  type OsiDataset,
  type OsiExpression,
  type OsiExtension,
  type OsiField,
  type OsiMetric,
  type OsiModel,
  type OsiRelationship,
  serviceExtension,
  writeOsi,
} from './write/osi-document.ts';
