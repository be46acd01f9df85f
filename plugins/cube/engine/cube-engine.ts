/** Queries of the cubes of one schema. Results are plain data, so that the MDX engine may run in another thread. */
import type { Scalar } from '../../../router/capabilities/scalar.ts';
import type {
  AccessOptions,
  CheckResult,
  CubeDescription,
  DrillthroughOptions,
  DrillthroughResult,
  FoundMember,
  MemberNames,
  MemberSearch,
  QueryOptions,
  ShownCells,
} from '../mdx/index.ts';
import type { LevelType } from '../schema/model.ts';
import type { Grid } from './grid.ts';

/** A query whose cells become a grid. */
export interface GridQuery {
  readonly mdx: string;
  /** Unique names of the innermost measures on the column axis, in the order of the query. */
  readonly measures: readonly string[];
}

/** A member of an axis, with the members above it. */
export interface AxisMember {
  readonly uniqueName: string;
  readonly caption: string;
  readonly name: string;
  readonly key: Scalar;
  readonly level: { readonly type: LevelType };
  readonly treeParent: AxisMember | undefined;
}

/** A member with the unique names of its hierarchy and level. */
export interface PlacedMember extends FoundMember {
  readonly hierarchy: string;
  readonly level: string;
}

/** The meaning of a name. `several`: the name stands for several members, which differ in their unique names. */
export type NamedMembers =
  | { readonly kind: 'one'; readonly member: PlacedMember }
  | { readonly kind: 'several'; readonly members: readonly PlacedMember[] }
  | { readonly kind: 'none' };

export type LookUpOptions = AccessOptions & Pick<QueryOptions, 'signal'>;

export interface CheckOptions {
  readonly hasData: boolean;
  readonly timeMs: number;
}

/** The cubes of a schema over a warehouse. `MdxCatalog` describes the methods that have the same names. */
export interface CubeEngine {
  /**
   * Runs an MDX query.
   *
   * @throws MdxError for a mistake in the text
   */
  grid(query: GridQuery, options: QueryOptions): Promise<Grid>;
  /** Runs an MDX query, and returns the first member of each tuple of its second axis. */
  members(mdx: string, options: QueryOptions): Promise<readonly AxisMember[]>;
  drillthrough(mdx: string, options: DrillthroughOptions): Promise<DrillthroughResult>;
  searchMembers(search: MemberSearch, options: LookUpOptions): Promise<readonly FoundMember[]>;
  findMembers(names: MemberNames, options: LookUpOptions): Promise<readonly NamedMembers[]>;
  explainCells(cells: ShownCells, options: LookUpOptions): Promise<readonly string[]>;
  describe(cube: string, options: AccessOptions): CubeDescription;
  check(options: CheckOptions): Promise<CheckResult>;
  close(): Promise<void>;
}

/** The methods that a thread computes. The calling thread describes and checks cubes, because both need the objects of its schema. */
export type ComputedByThread = Pick<
  CubeEngine,
  'grid' | 'members' | 'drillthrough' | 'searchMembers' | 'findMembers' | 'explainCells'
>;
