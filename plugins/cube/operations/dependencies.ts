import type { Jobs } from '../../../router/capabilities/jobs.ts';
import type { AnalyticsPool } from '../../analytics/index.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import type { SampleMembers } from '../describe/sample-members.ts';
import type { Engine } from '../query/pipeline.ts';
import type { RecentQueries } from '../recent-queries.ts';

/** Root path of the operations. */
export const ROOT = '/rest/service/api/ai';

/** The name of the surface in jobs and saved queries. */
export const SURFACE = 'cube';

export interface Dependencies extends Engine {
  readonly catalogs: Catalogs;
  readonly samples: SampleMembers;
  readonly recentQueries: RecentQueries;
  readonly jobs: Jobs;
  /** Fits models. */
  readonly analytics: AnalyticsPool;
}
