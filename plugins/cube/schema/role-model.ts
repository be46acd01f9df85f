/** The part of the meta-model for roles. */
import type { Located } from './located.ts';

/** The access of a role. Names are as the schema writes them (MDX), and refer to elements of the cube. */
export type Role =
  | {
      readonly kind: 'grants';
      readonly name: string;
      readonly annotations: ReadonlyMap<string, string>;
      readonly line: number;
      readonly schemaGrants: readonly SchemaGrant[];
    }
  | {
      /** Sees what any of these roles sees. */
      readonly kind: 'union';
      readonly name: string;
      readonly annotations: ReadonlyMap<string, string>;
      readonly line: number;
      readonly roles: readonly string[];
    };

export interface SchemaGrant extends Located {
  /** `all_dimensions`: all dimensions, but only the granted cubes. */
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
  /** The name of the highest visible level. */
  readonly topLevel: string | undefined;
  /** The name of the lowest visible level. */
  readonly bottomLevel: string | undefined;
  /** The total of a member with hidden children: over all children, over the visible ones, or hidden. */
  readonly rollupPolicy: 'full' | 'partial' | 'hidden';
  /** The grants in their order. A later one overrides earlier ones for the members below its own. */
  readonly members: readonly MemberGrant[];
}

export interface MemberGrant extends Located {
  readonly member: string;
  readonly access: 'all' | 'none';
}
