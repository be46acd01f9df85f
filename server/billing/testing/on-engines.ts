import { it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { onEveryEngine } from '../../state/testing/engines.ts';
import { FIXTURES_MISSING } from './stand-in.ts';

/**
 * Declares tests of payments once for each engine of the state. Without the example objects it declares one skipped test with the reason; in CI their
 * absence fails.
 */
export const onEnginesWithPayments: typeof onEveryEngine =
  FIXTURES_MISSING === undefined || process.env.CI
    ? onEveryEngine
    : () => it.skip(titleNeeding('payments', FIXTURES_MISSING), () => {});
