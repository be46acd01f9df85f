import { expect, test } from 'vitest';
import { JOB_LIMITS } from '../jobs/limits.ts';
import { jobSettings } from './job-settings.ts';
import { readConfig } from './read-config.ts';

const settings = (properties: string) => jobSettings(readConfig({ properties, environment: {} }).config);

test('without settings the product’s default limits apply', () => {
  expect({ ...JOB_LIMITS, ...settings('') }).toEqual(JOB_LIMITS);
});

test('each setting changes its limit', () => {
  const properties = `service.jobs.maxRunning=9
service.jobs.maxRunningPerUser=3
service.jobs.maxInFlight=700
service.jobs.maxInFlightPerTenant=300
service.jobs.maxInFlightPerUser=70
service.jobs.maxResultMegabytes=2
service.jobs.keepMinutes=5`;
  expect(settings(properties)).toEqual({
    running: 9,
    runningOfUser: 3,
    inFlight: 700,
    inFlightOfTenant: 300,
    inFlightOfUser: 70,
    resultSize: 2_097_152,
    resultsOfUser: 8_388_608,
    keepMs: 300_000,
  });
});
