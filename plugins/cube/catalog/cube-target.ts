import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import type { CubeMetadata } from '../cube-metadata/cube-metadata.ts';
import type { CubeEngine } from '../engine/cube-engine.ts';
import type { AccessOptions } from '../mdx/index.ts';

/** A cube that a caller may query. */
export interface CubeTarget {
  readonly cubeId: string;
  readonly connection: string;
  readonly catalogName: string;
  readonly schemaName: string;
  readonly view: CubeMetadata;
  readonly engine: CubeEngine;
  readonly warehouse: Warehouse;
  /** What the caller may see of it. */
  readonly access: AccessOptions;
  readonly keyPrefix: readonly string[];
  /** Measure groups with facts that can be counted. */
  readonly countedGroups: ReadonlySet<string>;
}
