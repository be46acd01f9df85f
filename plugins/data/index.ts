/** The care of data: overview, replacing, removing with an undo, uploads. */
export { type DataCare, dataCare } from './plugin.ts';
export { type ScheduledRefreshes, scheduledRefreshes } from './refresh/offline.ts';
export { compareTables } from './replace/compare-tables.ts';
export type { Comparison as DataComparison } from './schemas.ts';
export { dataMigrations } from './tables.ts';
