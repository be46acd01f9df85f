/** What the kinds of a metric are bound by. */

import { type FiscalYear, type NamedPeriod, periodNamed, periodNames } from './fiscal-year.ts';
import type { JoinGraph } from './join-graph.ts';
import type { MetricNames } from './metric-names.ts';
import type { Dataset } from './model.ts';
import { ExpressionError } from './sql.ts';

export interface ScopeContext {
  readonly names: MetricNames;
  /** The dataset whose rows calls without columns count. */
  readonly countedDataset: string;
  readonly graph: JoinGraph;
  readonly datasets: ReadonlyMap<string, Dataset>;
  /** Of the model; their periods are grains. */
  readonly calendars: readonly FiscalYear[];
}

/** Returns the period that data of a kind name. */
export function periodOf(name: string, what: string, { calendars }: ScopeContext): NamedPeriod {
  const found = periodNamed(name, calendars);
  if (found !== undefined) return found;
  throw new ExpressionError(`has ${what} ${name}, which is no period (there is ${periodNames(calendars).join(', ')})`);
}
