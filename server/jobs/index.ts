export { endJobsOf } from './end-jobs-of-user.ts';
export { type OpenJobs, openJobs } from './run-jobs.ts';
export { countJobs } from './store.ts';
export { jobMigrations } from './tables.ts';
