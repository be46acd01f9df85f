import { describe, expect, it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { ALL_ENGINES, type AnyEngineName, engineMissing } from './engines.ts';
import { runsAll } from './tests-on.ts';
import { NOT_IN_SAMPLE, runsSuite } from './trino-sample.ts';

/**
 * Describes a suite once for each engine, by default for all. The suite gives the reason where an engine cannot run here, or where it is not in
 * Trino's sample.
 *
 * @param title names the engine as `$engine`
 */
export function describeEngines(
  title: string,
  suite: (engine: AnyEngineName) => void,
  {
    engines = ALL_ENGINES,
    ...options
  }: { readonly timeout?: number; readonly engines?: readonly AnyEngineName[] } = {},
): void {
  const runs = engines.map((engine) => ({ engine, missing: engineMissing(engine) }));
  describe.each(runs)(title, options, ({ engine, missing }) => {
    const isSampled = runsAll(engine) || runsSuite(expect.getState().testPath ?? '', SEED);
    const lacking = missing ?? (isSampled ? undefined : NOT_IN_SAMPLE);
    if (lacking === undefined) suite(engine);
    else it.skip(titleNeeding('its tests', lacking));
  });
}
