/** The part of the meta-model that describes what roles may see. */
import type { Located } from './located.ts';

/** Access of a role. Names are as written (MDX) and refer to elements of the cube. */
export type Role =
  | {
      readonly kind: 'grants';
      readonly name: string;
      readonly annotations: ReadonlyMap<string, string>;
      readonly line: number;
      readonly schemaGrants: readonly SchemaGrant[];
    }
  | {
      /** May see what any of these roles may see. */
      readonly kind: 'union';
      readonly name: string;
      readonly annotations: ReadonlyMap<string, string>;
      readonly line: number;
      readonly roles: readonly string[];
    };

export interface SchemaGrant extends Located {
  /** `all_dimensions`: all dimensions, no cube but those granted. */
  readonly access: 'all' | 'none' | 'custom' | 'all_dimensions';
  readonly cubes: readonly CubeGrant[];
}

export interface CubeGrant extends Located {
  readonly cube: string;
  readonly access: 'all' | 'none' | 'custom';
  readonly dimensions: readonly DimensionGrant[];
  readonly hierarchies: readonly HierarchyGrant[];
}

export interface DimensionGrant extends Located {
  readonly dimension: string;
  readonly access: 'all' | 'none' | 'custom';
}

export interface HierarchyGrant extends Located {
  readonly hierarchy: string;
  readonly access: 'all' | 'none' | 'custom';
  /** Name of the highest level that is seen. */
  readonly topLevel: string | undefined;
  /** Name of the lowest level that is seen. */
  readonly bottomLevel: string | undefined;
  /** Total of a member whose children are not all seen: of all of them, of the seen ones, or no cell at all. */
  readonly rollupPolicy: 'full' | 'partial' | 'hidden';
  /** In their order: a later one overrides an earlier one for the members below it. */
  readonly members: readonly MemberGrant[];
}

export interface MemberGrant extends Located {
  readonly member: string;
  readonly access: 'all' | 'none';
}
