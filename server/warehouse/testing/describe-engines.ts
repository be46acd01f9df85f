import { describe, it } from 'vitest';
import { ALL_ENGINES, type AnyEngineName, engineMissing } from './engines.ts';

/**
 * Describes a suite once for each engine; of one that cannot be had here it says why.
 *
 * @param title names the engine as `$engine`
 */
export function describeEngines(
  title: string,
  suite: (engine: AnyEngineName) => void,
  options: { readonly timeout?: number } = {},
): void {
  const engines = ALL_ENGINES.map((engine) => ({ engine, missing: engineMissing(engine) }));
  describe.each(engines)(title, options, ({ engine, missing }) => {
    if (missing === undefined) suite(engine);
    else it.skip(`not run: ${missing}`);
  });
}
