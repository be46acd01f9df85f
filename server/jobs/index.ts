export { endJobsOf } from './endings.ts';
export { type OpenJobs, openJobs } from './jobs.ts';
export { countJobs } from './store.ts';
export { jobMigrations } from './tables.ts';
