import { BINARY_MEGABYTE, type JobLimits, RESULTS_OF_USER } from '../jobs/limits.ts';
import type { Config } from './settings.ts';

/** Reads the settings of jobs from the configuration. */
export function jobSettings(config: Config): Partial<JobLimits> {
  const resultSize = config['service.jobs.maxResultMegabytes'] * BINARY_MEGABYTE;
  return {
    running: config['service.jobs.maxRunning'],
    runningOfUser: config['service.jobs.maxRunningPerUser'],
    inFlight: config['service.jobs.maxInFlight'],
    inFlightOfTenant: config['service.jobs.maxInFlightPerTenant'],
    inFlightOfUser: config['service.jobs.maxInFlightPerUser'],
    keepMs: config['service.jobs.keepMinutes'] * 60_000,
    resultSize,
    resultsOfUser: RESULTS_OF_USER * resultSize,
  };
}
