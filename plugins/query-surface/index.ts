/** The shared parts of the query surfaces: names, masking, SQL, asynchronous queries. */
export { nearestFirst } from '../../router/nearest-names.ts';
export {
  MAX_PERIODS,
  RELATIVE_PERIOD_NAMES,
  RELATIVE_PERIODS,
  type RelativeDays,
  type RelativePeriod,
  relativePeriodsWith,
} from '../../router/relative-periods.ts';
export { analysisTools } from './analysis-tools.ts';
export { answerBasis, countsMoments } from './answer-basis.ts';
export { AskQuestion } from './ask-question.ts';
export {
  asyncQueryBounds,
  asyncQueryOperations,
  orNotFound,
  QueryIdInput,
  QueryStatus,
} from './async-query-operations.ts';
export {
  containsWords,
  DetailAsked,
  firstFitting,
  MAX_SAMPLED_IN_INDEX,
  namedParts,
  PartsSought,
  partsNamed,
  VALUES_IN_INDEX,
} from './describe-parts.ts';
export { isSmall, type KAnonymity, type Mask, maskedCell, suppressionReason } from './k-anonymity.ts';
export * from './limits.ts';
export { match, type Named } from './match-name.ts';
export { type NameCheck, withNameProblems } from './name-problems.ts';
export { valuesOfAnswer } from './offered-values.ts';
export type { CheckReport, OfflineAnalytics, OfflineRequest, Unusable } from './offline-request.ts';
export { type Operations, pinnedRequests, readTarget, targetOf } from './pinned-requests.ts';
export { ProblemList, refuseDuplicates } from './problem-list.ts';
export { REPAIR_HINT } from './repair-hint.ts';
export { DESCRIBE_DEFAULTS, RequestSchemaAsked, requestSchemaOf, SamplesAsked } from './request-schema.ts';
export { isStoredTable, MAX_CHECK_MS, rowsThatDiffer } from './rollup-agreement.ts';
export { canBeGrouped, EXTREME_TYPES, groupAlike, SUMMED_TYPES } from './rollup-columns.ts';
export { compareUses, isRead, noRollupStep, type RollupUse, rollupStep } from './rollup-use.ts';
export { Limit } from './row-limit.ts';
export { wordsOf } from './source-columns.ts';
export {
  bind,
  bindList,
  bindUnlessWhole,
  joinSql,
  Sql,
  type SqlPart,
  sql,
  writeSql,
} from './sql.ts';
export { loadSqlLibrary, sqlLibrary } from './sql-library.ts';
export {
  columnsBehind,
  inlineSqlTexts,
  type ResultColumns,
  type SqlTextPool,
  type SqlTextResult,
  type SqlTextTask,
  type TextToTranslate,
  translateTexts,
} from './sql-texts.ts';
export { READABLE_DIALECTS } from './translate-sql.ts';
export { executeAsyncMeta, queryResultMeta, typedQueries } from './typed-queries.ts';
export { type ShapeIssue, validParts } from './valid-parts.ts';
