import { describe, it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import {
  ALL_ENGINES,
  type AnyEngineName,
  engineMissing,
  WAREHOUSE_ENGINES,
  type WarehouseEngineName,
} from './engines.ts';

interface SuiteOptions {
  readonly timeout?: number;
}

/**
 * Describes a suite of a surface once for each engine, by default for all. Where an engine cannot run here, the suite says why.
 *
 * @param title names the engine as `$engine`
 */
export function describeEngines(
  title: string,
  suite: (engine: AnyEngineName) => void,
  { engines = ALL_ENGINES, ...options }: SuiteOptions & { readonly engines?: readonly AnyEngineName[] } = {},
): void {
  describeEach(engines, title, suite, options);
}

/** Describes a suite of warehouses once for each engine that such suites run on. */
export function describeWarehouses(
  title: string,
  suite: (engine: WarehouseEngineName) => void,
  options: SuiteOptions = {},
): void {
  describeEach(WAREHOUSE_ENGINES, title, suite, options);
}

function describeEach<Name extends WarehouseEngineName>(
  engines: readonly Name[],
  title: string,
  suite: (engine: Name) => void,
  options: SuiteOptions,
): void {
  const runs = engines.map((engine) => ({ engine, missing: engineMissing(engine) }));
  describe.each(runs)(title, options, ({ engine, missing }) => {
    if (missing === undefined) suite(engine);
    else it.skip(titleNeeding('its tests', missing));
  });
}
