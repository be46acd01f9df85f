/** The care of data: overview, replacing, removing with an undo, uploads. */
export { type DataCare, dataCare } from './plugin.ts';
export { dataMigrations } from './tables.ts';
