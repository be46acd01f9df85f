import { match } from '../../query-surface/index.ts';
import { type BoundDataset, findColumn } from './bound.ts';
import { type DescribedKind, kindsOf, type SemiAdditiveFacts } from './metric-kinds.ts';
import type { Aggregation, Dataset, Metric, ValueType } from './model.ts';
import { numberKind } from './number-kind.ts';
import type { Problems } from './problems.ts';
import type { DraftMetric } from './read.ts';
import { ExpressionError } from './sql.ts';
import {
  type AggregateCall,
  aggregatesOf,
  type Bound,
  type BoundAggregate,
  bareLeavesOf,
  type ColumnLeaf,
  fill,
  leavesOf,
  mapAggregates,
  type NameLeaf,
  type Parsed,
  type Taken,
} from './template.ts';

/** Binds the metrics of a model, those that others are made of before these. */
export class MetricBinder {
  readonly #drafts: readonly DraftMetric[];
  readonly #bound: readonly BoundDataset[];
  readonly #datasets: ReadonlyMap<string, Dataset>;
  readonly #factDataset: string;
  readonly #problems: Problems;
  readonly #finished = new Map<DraftMetric, Metric | undefined>();
  /** Metrics that are being bound, each for the one before it. */
  readonly #open: DraftMetric[] = [];

  constructor(
    drafts: readonly DraftMetric[],
    bound: readonly BoundDataset[],
    datasets: ReadonlyMap<string, Dataset>,
    factDataset: string,
    problems: Problems,
  ) {
    this.#drafts = drafts;
    this.#bound = bound;
    this.#datasets = datasets;
    this.#factDataset = factDataset;
    this.#problems = problems;
  }

  /** Binds a metric, or says in a warning why it is left out. */
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
      return finish(draft, names, this.#bound, this.#datasets, this.#factDataset);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.#problems.warn(draft.place, `left out: its expression ${error.message}.`);
      return undefined;
    } finally {
      this.#open.pop();
    }
  }

  /** The metric that a name outside of aggregates means. */
  #named(leaf: NameLeaf): Metric {
    const found = leaf.qualifier === undefined ? match(leaf.name, this.#drafts) : undefined;
    if (found?.kind !== 'one') throw new ExpressionError(`reads ${leaf.name} outside an aggregate, which is no metric`);
    const draft = found.item;
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

/** How many metrics may be made of each other. */
const MAX_DERIVED_DEPTH = 20;
/** Aggregate calls of a metric with all that it is made of. */
const MAX_DERIVED_CALLS = 200;

function finish(
  draft: DraftMetric,
  names: MetricNames,
  bound: readonly BoundDataset[],
  datasets: ReadonlyMap<string, Dataset>,
  factDataset: string,
): Metric {
  const { template } = draft.expression;
  const calls = aggregatesOf(template);
  const isDerived = bareLeavesOf(template).length > 0;
  if (calls.length === 0 && !isDerived) throw new ExpressionError('holds no aggregate such as SUM or COUNT');

  const countedDataset = draft.facts.dataset ?? factDataset;
  if (!datasets.has(countedDataset)) {
    throw new ExpressionError(`counts the dataset ${countedDataset}, which the model does not have`);
  }
  const { semi_additive: semiAdditive } = draft.facts.kinds;
  const taken = semiAdditive === undefined ? undefined : names.taken(semiAdditive);
  const whole = names.bind(template);
  const expression = taken === undefined ? whole : mapAggregates(whole, (call) => takenAt(call, taken, countedDataset));
  if (isDerived && aggregatesOf(expression).length > MAX_DERIVED_CALLS) {
    throw new ExpressionError(`comes to more than ${MAX_DERIVED_CALLS} aggregates with all that it is made of`);
  }
  const [call] = calls;
  const single = template.length === 1 && calls.length === 1 && template[0] === call ? call : undefined;
  const isCount = single !== undefined && (single.counts || names.sumsIndicator(single));
  return Object.freeze({
    name: draft.name,
    label: draft.facts.display.caption ?? draft.label ?? draft.name,
    description: draft.description,
    ...draft.ai,
    text: draft.text,
    expression,
    aggregationKind: single?.aggregation ?? (isRatio(template) ? 'ratio' : isDerived ? 'derived' : 'expression'),
    supportedOverrides: single === undefined ? [] : overridesOf(single, expression, datasets),
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

/** The type of an expression that is a plain column. */
function columnType(expression: Bound = [], bound: readonly BoundDataset[]): ValueType | undefined {
  const [part, more] = expression;
  if (more !== undefined || typeof part !== 'object' || part.kind !== 'column') return undefined;
  const columns = bound.find(({ draft }) => draft.name === part.dataset)?.columns ?? [];
  const column = columns.find(({ name }) => name === part.column);
  return column === undefined ? undefined : { type: column.type, nativeType: column.nativeType };
}

/** Rows of one date are those of one dataset. */
function takenAt(call: BoundAggregate, taken: Taken, countedDataset: string): BoundAggregate {
  if (call.scope?.taken !== undefined)
    throw new ExpressionError('is made of a metric that is taken at a date of its own');
  const leaves = leavesOf(call.call).map(({ dataset }) => dataset);
  const read = leaves.length === 0 ? [call.countedDataset ?? countedDataset] : leaves;
  const dates = [taken.by, ...taken.per].flatMap((each) => leavesOf(each)).map(({ dataset }) => dataset);
  const [dataset, other] = new Set([...read, ...dates]);
  if (other !== undefined) throw new ExpressionError(`is of ${dataset}, and what it is taken by is of ${other}`);
  return { ...call, scope: { ...call.scope, taken } };
}

function isRatio(template: Parsed): boolean {
  const [only] = template;
  return template.length === 1 && typeof only === 'object' && only.kind === 'division';
}

const NUMERIC: readonly Aggregation[] = ['SUM', 'AVG', 'MIN', 'MAX', 'COUNT'];
const ORDERED: readonly Aggregation[] = ['MIN', 'MAX', 'COUNT'];

/** What may replace the outer call: everything for numbers, what needs only an order for others. */
function overridesOf(
  call: AggregateCall<NameLeaf>,
  expression: Bound,
  datasets: ReadonlyMap<string, Dataset>,
): readonly Aggregation[] {
  if (call.argument === undefined) return call.aggregation === 'count' ? ['COUNT'] : [];
  if (call.aggregation === 'sum' || call.aggregation === 'avg') return NUMERIC;
  const [boundCall] = aggregatesOf(expression);
  return isNumeric(boundCall?.argument, datasets) ? NUMERIC : ORDERED;
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

/**
 * What a metric's names stand for: `dataset.field` first, then `dataset.column`. A bare name belongs to the one
 * dataset that has it: among the dataset the metric's extension names, then those it names elsewhere, then all.
 */
class MetricNames {
  readonly #draft: DraftMetric;
  readonly #bound: readonly BoundDataset[];
  readonly #metricNamed: (leaf: NameLeaf) => Metric;
  readonly fieldsRead: { readonly dataset: string; readonly field: string }[] = [];
  readonly metricsUsed: string[] = [];
  readonly kindsUsed: DescribedKind[] = [];

  constructor(draft: DraftMetric, bound: readonly BoundDataset[], metricNamed: (leaf: NameLeaf) => Metric) {
    this.#metricNamed = metricNamed;
    this.#draft = draft;
    this.#bound = bound;
  }

  bind(template: Parsed): Bound {
    return template.flatMap((part): Bound => {
      if (typeof part === 'string') return [part];
      if (part.kind === 'name') return this.#metric(part);
      if (part.kind === 'aggregate') return fill([part], (leaf: NameLeaf) => this.#leaf(leaf));
      return [{ kind: 'division', left: this.bind(part.left), right: this.bind(part.right) }];
    });
  }

  /** Outside of aggregates a name is a metric's, which stands there as it is computed. */
  #metric(leaf: NameLeaf): Bound {
    const { name, expression, countedDataset, uses, kinds, kindsOfParts, reads } = this.#metricNamed(leaf);
    this.kindsUsed.push(...kinds, ...kindsOfParts);
    this.metricsUsed.push(name, ...uses);
    this.fieldsRead.push(...reads);
    const whole = mapAggregates(expression, (call) => ({
      ...call,
      countedDataset: call.countedDataset ?? countedDataset,
    }));
    return whole.length === 1 ? whole : ['(', ...whole, ')'];
  }

  /** The date at which the metric is taken. */
  taken({ take, by, per }: SemiAdditiveFacts): Taken {
    const bound = (name: string) => {
      const dot = name.indexOf('.');
      if (dot < 0) throw new ExpressionError(`is taken by ${name}, which is not written dataset.field`);
      return this.#leaf({ kind: 'name', qualifier: name.slice(0, dot), name: name.slice(dot + 1) });
    };
    return Object.freeze({ take, by: bound(by), per: per.map(bound), name: [by, ...per].join(', ') });
  }

  /** `SUM(orders.order_flag)` counts when the field is a 1-or-0 expression. */
  sumsIndicator(call: AggregateCall<NameLeaf>): boolean {
    const [leaf] = call.argument ?? [];
    if (call.aggregation !== 'sum' || call.argument?.length !== 1) return false;
    if (typeof leaf !== 'object' || leaf.kind !== 'name') return false;
    return this.#datasetOf(leaf).fields.get(leaf.name)?.draft.expression?.indicator ?? false;
  }

  #leaf(leaf: NameLeaf): Bound {
    const dataset = this.#datasetOf(leaf);
    const field = dataset.fields.get(leaf.name) ?? this.#foldedField(leaf, dataset);
    if (field !== undefined) {
      if (field.personal) this.#refusePersonal(leaf, dataset);
      this.fieldsRead.push({ dataset: dataset.draft.name, field: field.draft.name });
      this.#checkColumns(field.expression, leaf, dataset);
      return field.expression.length === 1 ? field.expression : ['(', ...field.expression, ')'];
    }
    const column = findColumn(leaf.name, dataset.columns);
    if (column === undefined) throw new ExpressionError(`names ${written(leaf)}, which is no field and no column`);
    const bound: Bound = [{ kind: 'column', dataset: dataset.draft.name, column: column.name }];
    this.#checkColumns(bound, leaf, dataset);
    // A field that shows this very column may be refused to some roles; the metric then is, too.
    for (const [name, candidate] of dataset.fields) {
      const [part, more] = candidate.expression;
      const same =
        more === undefined && typeof part === 'object' && part.kind === 'column' && part.column === column.name;
      if (same) this.fieldsRead.push({ dataset: dataset.draft.name, field: name });
    }
    return bound;
  }

  #foldedField(leaf: NameLeaf, dataset: BoundDataset) {
    if (findColumn(leaf.name, dataset.columns)?.name === leaf.name) return undefined;
    const found = match(
      leaf.name,
      [...dataset.fields.keys()].map((name) => ({ name })),
    );
    return found.kind === 'one' ? dataset.fields.get(found.item.name) : undefined;
  }

  #checkColumns(expression: Bound, leaf: NameLeaf, dataset: BoundDataset): void {
    if (this.#draft.facts.pii === false) return;
    const columns: readonly ColumnLeaf[] = leavesOf(expression);
    if (columns.some(({ column }) => dataset.personalColumns.has(column))) this.#refusePersonal(leaf, dataset);
  }

  #refusePersonal(leaf: NameLeaf, dataset: BoundDataset): void {
    if (this.#draft.facts.pii === false) return;
    throw new ExpressionError(`reads ${dataset.draft.name}.${leaf.name}, which is personal data`);
  }

  #datasetOf(leaf: NameLeaf): BoundDataset {
    if (leaf.qualifier !== undefined) {
      const named = this.#bound.map((one) => ({ name: one.draft.name, one }));
      const found = match(leaf.qualifier, named);
      if (found.kind === 'one') return found.item.one;
      throw new ExpressionError(`names ${written(leaf)}, but there is no dataset ${leaf.qualifier}`);
    }
    const having = this.#bound.filter(({ fields, columns }) => fields.has(leaf.name) || findColumn(leaf.name, columns));
    const named = new Set(leavesOf(this.#draft.expression.template).flatMap(({ qualifier }) => qualifier ?? []));
    const tries: readonly ((one: BoundDataset) => boolean)[] = [
      ({ draft }) => draft.name === this.#draft.facts.dataset,
      ({ draft }) => named.has(draft.name),
      () => true,
    ];
    for (const test of tries) {
      const [only, ...others] = having.filter(test);
      if (only !== undefined && others.length === 0) return only;
    }
    if (having.length === 0) throw new ExpressionError(`names ${leaf.name}, which is no field and no column`);
    const candidates = having.map(({ draft }) => `${draft.name}.${leaf.name}`).join(', ');
    throw new ExpressionError(`names ${leaf.name}, which may be ${candidates}; write one of these`);
  }
}

function written({ qualifier, name }: NameLeaf): string {
  return qualifier === undefined ? name : `${qualifier}.${name}`;
}
