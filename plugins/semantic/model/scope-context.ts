/** What the kinds of a metric are bound by. */
import type { JoinGraph } from '../query/paths.ts';
import type { MetricNames } from './metric-names.ts';
import type { Dataset } from './model.ts';

export interface ScopeContext {
  readonly names: MetricNames;
  /** The dataset whose rows calls without columns count. */
  readonly countedDataset: string;
  readonly graph: JoinGraph;
  readonly datasets: ReadonlyMap<string, Dataset>;
}
