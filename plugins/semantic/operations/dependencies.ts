import type { Clock } from '../../../router/capabilities/clock.ts';
import type { Jobs } from '../../../router/capabilities/jobs.ts';
import type { AnalyticsPool } from '../../analytics/index.ts';
import type { Catalogs } from '../catalog.ts';
import type { Engine } from '../prepare.ts';
import type { Samples } from '../schema-api/samples.ts';

/** Base path of the surface's operations. */
export const ROOT = '/rest/service/api/ai/semantic';

/** The name of the surface in jobs and saved queries. */
export const SURFACE = 'semantic';

export interface Dependencies extends Engine {
  readonly catalogs: Catalogs;
  readonly samples: Samples;
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** The most rows of an answer that is sent while it comes. */
  readonly maxStreamedRows: number;
  /** Fits models. */
  readonly analytics: AnalyticsPool;
}
