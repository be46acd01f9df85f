export type { NamedMember } from './compile/named-member.ts';
export { matchesWhole } from './functions/regex/matches-whole.ts';
export { PatternError } from './functions/regex/pattern-error.ts';
export type { EngineWarehouse } from './loading/engine-warehouse.ts';
export {
  type AccessOptions,
  type CatalogOptions,
  type DrillthroughOptions,
  type EngineLimits,
  type MdxCatalog,
  openCatalog,
  type QueryOptions,
} from './mdx-catalog.ts';
export { ExactDecimal } from './metadata/exact-numbers.ts';
export { type Member, NAME_OF_NULL, type Tuple } from './metadata/member.ts';
export type { Value } from './metadata/value.ts';
export type { Cell, CellSet } from './query/cell-set.ts';
export { cellSetJson, cellSetTable, yieldsRows } from './query/cell-set-table.ts';
export { resultText, tupleText } from './query/cell-set-text.ts';
export type { CheckResult } from './query/check-cube.ts';
export type {
  CubeDescription,
  DescribedHierarchy,
  DescribedMeasure,
} from './query/describe.ts';
export type { DrillthroughResult } from './query/drillthrough/result.ts';
export type { ShownCells } from './query/explain-cells.ts';
export type { MemberNames } from './query/find-members-by-name.ts';
export { ALLOCATIONS, type Change, type Scenario } from './query/scenario/scenario.ts';
export type { FoundMember, MemberSearch } from './query/search-members-by-text.ts';
export type { MemberRestriction } from './security/member-restriction.ts';
export { hasMeasure } from './security/role-access.ts';
export type { Expression as Formula } from './syntax/ast.ts';
export { MdxError, MdxEvaluationError, MdxLimitError, MdxSchemaError } from './syntax/errors.ts';
export { parseExpressionText } from './syntax/parse-statement.ts';
