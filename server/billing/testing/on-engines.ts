import { it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { onEveryEngine } from '../../state/testing/engines.ts';
import { FIXTURES_MISSING } from './stand-in.ts';

/**
 * Declares tests of payments once for each engine of the state, or one that is skipped with its reason where the example
 * objects are not here. CI has them: there, their absence fails.
 */
export const onEnginesWithPayments: typeof onEveryEngine =
  FIXTURES_MISSING === undefined || process.env.CI
    ? onEveryEngine
    : () => it.skip(titleNeeding('payments', FIXTURES_MISSING), () => {});
