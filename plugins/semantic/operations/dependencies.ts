import type { Cache } from '../../../router/capabilities/cache.ts';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { Jobs } from '../../../router/capabilities/jobs.ts';
import type { AnalyticsPool } from '../../analytics/index.ts';
import type { Catalogs } from '../catalog.ts';
import type { QueryContext } from '../query/pipeline.ts';
import type { Samples } from '../schema-api/samples.ts';

/** Where the operations of the surface begin. */
export const ROOT = '/rest/service/api/ai/semantic';

/** The name of the surface in jobs and saved queries. */
export const SURFACE = 'semantic';

export interface Dependencies {
  readonly catalogs: Catalogs;
  readonly samples: Samples;
  readonly cache: Cache;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly settings: QueryContext;
  /** Fits models. */
  readonly analytics: AnalyticsPool;
}
