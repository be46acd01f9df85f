import { match } from '../../query-surface/index.ts';
import { AGGREGATIONS, type OverridingAggregation, overridesFor } from './aggregations.ts';
import { rateOf } from './bind-windows.ts';
import type { BoundDataset } from './bound-dataset.ts';
import { sumsExactly } from './exact-sums.ts';
import { kindsOf } from './metric-kinds.ts';
import { MetricNames } from './metric-names.ts';
import { scopesOf } from './metric-scopes.ts';
import type { Dataset, Metric, Relationship, ValueType } from './model.ts';
import { numberKind } from './number-kind.ts';
import { ExpressionError } from './parse-sql-expression.ts';
import type { Problems } from './problems.ts';
import type { DraftMetric } from './read-draft.ts';
import { RelationshipGraph } from './relationship-graph.ts';
import type { ScopeContext } from './scope-context.ts';
import {
  type AggregateCall,
  aggregatesOf,
  type Bound,
  bareLeavesOf,
  mapAggregates,
  type NameLeaf,
  type Parsed,
} from './template.ts';
import type { TimeSettings } from './time-settings.ts';

/** Binds the metrics of a model; metrics that others use come first. */
export class MetricBinder {
  readonly #drafts: readonly DraftMetric[];
  readonly #bound: readonly BoundDataset[];
  readonly #datasets: ReadonlyMap<string, Dataset>;
  readonly #graph: RelationshipGraph;
  readonly #factDataset: string;
  readonly #time: Pick<TimeSettings, 'calendars' | 'tables'>;
  readonly #problems: Problems;
  readonly #finished = new Map<DraftMetric, Metric | undefined>();
  /** The metrics that are being bound. Each one is used by the one before it. */
  readonly #open: DraftMetric[] = [];

  constructor(
    drafts: readonly DraftMetric[],
    bound: readonly BoundDataset[],
    datasets: ReadonlyMap<string, Dataset>,
    relationships: readonly Relationship[],
    factDataset: string,
    time: Pick<TimeSettings, 'calendars' | 'tables'>,
    problems: Problems,
  ) {
    this.#drafts = drafts;
    this.#bound = bound;
    this.#datasets = datasets;
    this.#graph = new RelationshipGraph({ datasets, relationships });
    this.#factDataset = factDataset;
    this.#time = time;
    this.#problems = problems;
  }

  /** Binds a metric, or leaves it out with a warning that gives the reason. */
  metric(draft: DraftMetric): Metric | undefined {
    if (this.#finished.has(draft)) return this.#finished.get(draft);
    const metric = this.#attempt(draft);
    this.#finished.set(draft, metric);
    return metric;
  }

  #attempt(draft: DraftMetric): Metric | undefined {
    if (draft.facts.pii === true) {
      this.#problems.warn(draft.place, 'left out: it is marked as personal data.');
      return undefined;
    }
    this.#open.push(draft);
    try {
      const names = new MetricNames(draft, this.#bound, (leaf) => this.#named(leaf));
      return finish(draft, names, this.#bound, {
        datasets: this.#datasets,
        graph: this.#graph,
        factDataset: this.#factDataset,
        calendars: this.#time.calendars,
        tables: this.#time.tables,
      });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.#problems.warn(draft.place, `left out: its expression ${error.message}.`);
      return undefined;
    } finally {
      this.#open.pop();
    }
  }

  /** Returns the metric with a name that occurs outside of aggregates. */
  #named(leaf: NameLeaf): Metric {
    const metricMatch = leaf.qualifier === undefined ? match(leaf.name, this.#drafts) : undefined;
    if (metricMatch?.kind !== 'one')
      throw new ExpressionError(`reads ${leaf.name}, which is not a metric, outside an aggregate`);
    const draft = metricMatch.item;
    if (this.#open.includes(draft)) {
      const circle = [...this.#open.slice(this.#open.indexOf(draft)), draft].map(({ name }) => name).join(' → ');
      throw new ExpressionError(`is made of itself: ${circle}`);
    }
    if (this.#open.length > MAX_DERIVED_DEPTH) {
      throw new ExpressionError(`is made of metrics of metrics, more than ${MAX_DERIVED_DEPTH} deep`);
    }
    const metric = this.metric(draft);
    if (metric === undefined) throw new ExpressionError(`is made of ${draft.name}, which is left out`);
    return metric;
  }
}

/** The length of the longest chain of metrics that are computed from each other. */
const MAX_DERIVED_DEPTH = 20;
/** The most aggregate calls of a metric and of all metrics that it uses. */
const MAX_DERIVED_CALLS = 200;

function finish(
  draft: DraftMetric,
  names: MetricNames,
  bound: readonly BoundDataset[],
  {
    datasets,
    graph,
    factDataset,
    calendars,
    tables,
  }: Pick<ScopeContext, 'datasets' | 'graph' | 'calendars' | 'tables'> & { readonly factDataset: string },
): Metric {
  const { template } = draft.expression;
  const calls = aggregatesOf(template);
  const isDerived = bareLeavesOf(template).length > 0;
  if (calls.length === 0 && !isDerived) throw new ExpressionError('has no aggregate such as SUM or COUNT');

  const countedDataset = draft.facts.dataset ?? factDataset;
  if (!datasets.has(countedDataset)) {
    throw new ExpressionError(`counts the dataset ${countedDataset}, which the model does not have`);
  }
  const scopes = scopesOf(draft, { names, countedDataset, graph, datasets, calendars, tables });
  const scoped = mapAggregates(names.bind(template), scopes.changeOfEach);
  const { conversion, cumulative } = draft.facts.kinds;
  const isMean = cumulative?.take === 'average';
  if (isMean && aggregatesOf(scoped).length > 1) {
    throw new ExpressionError('is of several aggregates, of which no mean over days can be taken; make it of one');
  }
  const isRate = conversion?.take === 'rate';
  const unmoved = isRate ? rateOf(scoped, names.metricNamed(conversion.base)) : scoped;
  const expression = mapAggregates(mapAggregates(unmoved, scopes.whole), (one) => {
    return { ...one, sumsExactly: sumsExactly(one, bound) };
  });
  if (isDerived && aggregatesOf(expression).length > MAX_DERIVED_CALLS) {
    throw new ExpressionError(`comes to more than ${MAX_DERIVED_CALLS} aggregates with all that it is made of`);
  }
  const [call] = calls;
  const single = !isRate && template.length === 1 && calls.length === 1 && template[0] === call ? call : undefined;
  const counts =
    single === undefined ? !isRate && names.isNameOfCount(template) : single.counts || names.sumsIndicator(single);
  const isCount = counts && !isMean;
  return Object.freeze({
    name: draft.name,
    label: draft.facts.display.caption ?? draft.label ?? draft.name,
    description: draft.description,
    ...draft.ai,
    text: draft.text,
    expression,
    aggregationKind:
      single?.aggregation ?? (isRate || isRatio(template) ? 'ratio' : isDerived ? 'derived' : 'expression'),
    supportedOverrides: (single === undefined ? [] : overridesOf(single, expression, datasets)).filter(
      (name) => name !== 'sum' || draft.facts.isAdditive,
    ),
    isCount,
    numbers: isCount ? 'whole' : numberKind(expression, bound),
    argumentNumbers: numberKind(aggregatesOf(expression)[0]?.argument ?? [], bound),
    argumentType: single === undefined ? undefined : columnType(aggregatesOf(expression)[0]?.argument, bound),
    countedDataset,
    uses: names.metricsUsed,
    kinds: kindsOf(draft.facts.kinds),
    kindsOfParts: names.kindsUsed,
    reads: names.fieldsRead,
    display: draft.facts.display,
    roles: draft.facts.roles,
    extensions: draft.facts.extensions,
  });
}

/** Returns the type of an expression that is a plain column. */
function columnType(expression: Bound = [], bound: readonly BoundDataset[]): ValueType | undefined {
  const [part, more] = expression;
  if (more !== undefined || typeof part !== 'object' || part.kind !== 'column') return undefined;
  const columns = bound.find(({ draft }) => draft.name === part.dataset)?.columns ?? [];
  const column = columns.find(({ name }) => name === part.column);
  return column === undefined ? undefined : { type: column.type, nativeType: column.nativeType };
}

function isRatio(template: Parsed): boolean {
  const [only] = template;
  return template.length === 1 && typeof only === 'object' && only.kind === 'division';
}

/** Lists the aggregations that may replace the outer call. */
function overridesOf(
  call: AggregateCall<NameLeaf>,
  expression: Bound,
  datasets: ReadonlyMap<string, Dataset>,
): readonly OverridingAggregation[] {
  if (call.argument === undefined) return call.aggregation === 'count' ? ['count'] : [];
  if (AGGREGATIONS[call.aggregation].overridesFor === 'numbers') return overridesFor('numbers');
  const [boundCall] = aggregatesOf(expression);
  return overridesFor(isNumeric(boundCall?.argument, datasets) ? 'numbers' : 'others');
}

function isNumeric(argument: Bound | undefined, datasets: ReadonlyMap<string, Dataset>): boolean {
  const [only] = argument ?? [];
  if (argument?.length !== 1 || typeof only !== 'object' || only.kind !== 'column') return false;
  const fields = [...(datasets.get(only.dataset)?.fields.values() ?? [])];
  const field = fields.find(({ expression: [part, more] }) => {
    return more === undefined && typeof part === 'object' && part.kind === 'column' && part.column === only.column;
  });
  return field !== undefined && ['integer', 'decimal', 'float'].includes(field.type);
}
