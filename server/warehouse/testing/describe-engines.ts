import { describe, it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { ALL_ENGINES, type AnyEngineName, engineMissing } from './engines.ts';

/**
 * Describes a suite once for each engine, by default for all. The suite gives the reason where an engine cannot run here.
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
    if (missing === undefined) suite(engine);
    else it.skip(titleNeeding('its tests', missing));
  });
}
