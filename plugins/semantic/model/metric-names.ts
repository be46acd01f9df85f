import { match, nearestFirst } from '../../query-surface/index.ts';
import { type BoundDataset, findColumn } from './bound-dataset.ts';
import type { DescribedKind } from './metric-kinds.ts';
import type { Dataset, Metric } from './model.ts';
import { candidates, mayBeMoment } from './moments.ts';
import { ExpressionError } from './parse-sql-expression.ts';
import type { DraftMetric } from './read-draft.ts';
import {
  type AggregateCall,
  type Bound,
  type ColumnLeaf,
  fill,
  leavesOf,
  mapAggregates,
  type NameLeaf,
  type Parsed,
  type ScopeDate,
} from './template.ts';

/**
 * Resolves the names in a metric: `dataset.field` first, then `dataset.column`. A bare name belongs to the one dataset that
 * has it. The dataset that the metric's extension names is searched first, then the datasets that the metric names
 * elsewhere, then all.
 */
export class MetricNames {
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

  /** Replaces a metric's name outside of aggregates by the expression of that metric. */
  #metric(leaf: NameLeaf): Bound {
    const { expression, countedDataset } = this.#used(leaf);
    const whole = mapAggregates(expression, (call) => ({
      ...call,
      countedDataset: call.countedDataset ?? countedDataset,
    }));
    return whole.length === 1 ? whole : ['(', ...whole, ')'];
  }

  #used(leaf: NameLeaf): Metric {
    const metric = this.#metricNamed(leaf);
    this.kindsUsed.push(...metric.kinds, ...metric.kindsOfParts);
    this.metricsUsed.push(metric.name, ...metric.uses);
    this.fieldsRead.push(...metric.reads);
    return metric;
  }

  /** Returns a metric that the data of a kind name. */
  metricNamed(name: string): Metric {
    return this.#used({ kind: 'name', qualifier: undefined, name });
  }

  /** Returns a date or a timestamp that the data of a kind name as `dataset.field`; it may also be a column. */
  moment(name: string, datasets: ReadonlyMap<string, Dataset>): ScopeDate {
    const readsBefore = this.fieldsRead.length;
    const expression = this.field(name, 'by');
    const read = this.fieldsRead[readsBefore];
    const dot = name.indexOf('.');
    const fieldName = name.slice(dot + 1);
    const bound = this.#datasetOf({ kind: 'name', qualifier: name.slice(0, dot), name: fieldName });
    const dataset = datasets.get(bound.draft.name);
    const field = read === undefined ? undefined : dataset?.fields.get(read.field);
    const [part] = expression;
    const column = typeof part === 'object' && part.kind === 'column' ? part.column : undefined;
    const type = field ?? bound.columns.find((each) => each.name === column);
    if (dataset === undefined || type === undefined || !mayBeMoment(type)) {
      throw new ExpressionError(`is by ${name}, which is neither a date nor a timestamp${candidates(dataset)}`);
    }
    const { type: scalar, nativeType } = type;
    const { isLocalTime = false } = field ?? {};
    return Object.freeze({
      dataset: dataset.name,
      name: field?.name ?? fieldName,
      expression,
      type: scalar,
      nativeType,
      isLocalTime,
    });
  }

  /** Binds the condition on the rows of the metric. */
  condition(template: Parsed): Bound {
    return fill(template, (leaf: NameLeaf) => this.#leaf(leaf));
  }

  /** Returns a field that the data of a kind name as `dataset.field`. */
  field(name: string, what: string): Bound {
    const dot = name.indexOf('.');
    if (dot < 0) throw new ExpressionError(`is ${what} ${name}, which is not written dataset.field`);
    return this.#leaf({ kind: 'name', qualifier: name.slice(0, dot), name: name.slice(dot + 1) });
  }

  /** Returns whether the expression is only the name of a metric that counts. */
  isNameOfCount(template: Parsed): boolean {
    const [only, more] = template;
    return more === undefined && typeof only === 'object' && only.kind === 'name' && this.#metricNamed(only).isCount;
  }

  /** Returns whether a sum counts: `SUM(orders.order_flag)` does when the field is a 1-or-0 expression. */
  sumsIndicator(call: AggregateCall<NameLeaf>): boolean {
    const [leaf] = call.argument ?? [];
    if (call.aggregation !== 'sum' || call.argument?.length !== 1) return false;
    if (typeof leaf !== 'object' || leaf.kind !== 'name') return false;
    return this.#datasetOf(leaf).fields.get(leaf.name)?.draft.expression?.indicator ?? false;
  }

  #leaf(leaf: NameLeaf): Bound {
    const meant = leaf.qualifier === undefined ? this.#ofEntity(leaf.name) : undefined;
    if (meant !== undefined) return this.#leaf(meant);
    const dataset = this.#datasetOf(leaf);
    const field = dataset.fields.get(leaf.name) ?? this.#foldedField(leaf, dataset);
    if (field !== undefined) {
      if (field.personal) this.#refusePersonal(leaf, dataset);
      this.fieldsRead.push({ dataset: dataset.draft.name, field: field.draft.name });
      this.#checkColumns(field.expression, leaf, dataset);
      return field.expression.length === 1 ? field.expression : ['(', ...field.expression, ')'];
    }
    const column = findColumn(leaf.name, dataset.columns);
    if (column === undefined) {
      const legal = [...dataset.fields].flatMap(([name, { personal }]) => (personal ? [] : [name]));
      const near = suggestion(leaf.name, legal);
      throw new ExpressionError(`names ${written(leaf)}, which is neither a field nor a column${near}`);
    }
    const bound: Bound = [{ kind: 'column', dataset: dataset.draft.name, column: column.name }];
    this.#checkColumns(bound, leaf, dataset);
    // Some roles may not see a field that shows this column. They may then not see the metric either.
    for (const [name, candidate] of dataset.fields) {
      const [part, more] = candidate.expression;
      const same =
        more === undefined && typeof part === 'object' && part.kind === 'column' && part.column === column.name;
      if (same) this.fieldsRead.push({ dataset: dataset.draft.name, field: name });
    }
    return bound;
  }

  /**
   * Finds names in the form `entity__dimension`, which dbt's export writes in filters: the field of the one dataset with
   * the entity as its key. A field or a column with exactly this name is preferred.
   */
  #ofEntity(text: string): NameLeaf | undefined {
    const parts = text.split('__');
    const [entity, name] = parts.slice(-2);
    if (entity === undefined || name === undefined || entity === '' || name === '') return undefined;
    if (this.#bound.some(({ fields, columns }) => fields.has(text) || findColumn(text, columns))) return undefined;
    const [only, ...others] = this.#bound.filter(
      (one) => isKey(one, entity) && (one.fields.has(name) || findColumn(name, one.columns)),
    );
    return only === undefined || others.length > 0 ? undefined : { kind: 'name', qualifier: only.draft.name, name };
  }

  #foldedField(leaf: NameLeaf, dataset: BoundDataset) {
    if (findColumn(leaf.name, dataset.columns)?.name === leaf.name) return undefined;
    const fieldMatch = match(
      leaf.name,
      [...dataset.fields.keys()].map((name) => ({ name })),
    );
    return fieldMatch.kind === 'one' ? dataset.fields.get(fieldMatch.item.name) : undefined;
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
      const datasetMatch = match(leaf.qualifier, named);
      if (datasetMatch.kind === 'one') return datasetMatch.item.one;
      const near = suggestion(
        leaf.qualifier,
        named.map(({ name }) => name),
      );
      throw new ExpressionError(`names ${written(leaf)}, but there is no dataset ${leaf.qualifier}${near}`);
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
    if (having.length === 0) throw new ExpressionError(`names ${leaf.name}, which is neither a field nor a column`);
    const candidates = having.map(({ draft }) => `${draft.name}.${leaf.name}`).join(', ');
    throw new ExpressionError(`names ${leaf.name}, which may be ${candidates}; write one of these`);
  }
}

/** Returns whether a field is a key of its dataset. */
function isKey({ draft, fields }: BoundDataset, name: string): boolean {
  const [part, more] = fields.get(name)?.expression ?? [];
  if (more !== undefined || typeof part !== 'object' || part.kind !== 'column') return false;
  const keys = [draft.primaryKey, ...draft.uniqueKeys];
  return keys.some((key) => key.length === 1 && key[0]?.toLowerCase() === part.column.toLowerCase());
}

function written({ qualifier, name }: NameLeaf): string {
  return qualifier === undefined ? name : `${qualifier}.${name}`;
}

/** Suggests legal names for an unknown one, nearest first. */
function suggestion(name: string, legal: readonly string[]): string {
  const nearest = nearestFirst(name, legal).slice(0, MAX_SUGGESTED);
  return nearest.length === 0 ? '' : ` (there is ${nearest.join(', ')})`;
}

const MAX_SUGGESTED = 5;
