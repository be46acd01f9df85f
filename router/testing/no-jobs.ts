import type { Jobs } from '../capabilities/jobs.ts';
import { InternalError } from '../errors.ts';

function refuse(): never {
  throw new InternalError('no jobs are open here');
}

/** Jobs for tests that submit none; the bounds are the product's defaults. */
export const NO_JOBS: Jobs = {
  bounds: { inFlight: 20, resultBytes: 33_554_432, keepMs: 3_600_000 },
  register: () => undefined,
  submit: refuse,
  status: refuse,
  result: refuse,
  cancel: refuse,
};
