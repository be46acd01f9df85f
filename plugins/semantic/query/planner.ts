/** Resolved query -> plan. Throws `ValidationError` where the model does not say how the parts belong together. */
import { InternalError, ValidationError } from '../../../router/errors.ts';
import type { Metric, Model } from '../model/model.ts';
import { aggregatesOf, type BoundAggregate, type ColumnLeaf, leavesOf } from '../model/template.ts';
import { everyOne } from './every-one.ts';
import { lowestOf, marked, onlyPath, rowsOf, withoutUnused, withPaths } from './join-tree.ts';
import { Graph } from './paths.ts';
import type { Block, Join, Leaf, MetricColumn, Order, Plan } from './plan.ts';
import type { ResolvedGroup, ResolvedQuery, ResolvedValue } from './resolved.ts';

/** Most cells of a crosstab whose request limits its row groups. */
export const MOST_CELLS = 100_000;

export interface PlanSettings {
  /** Rows answered when the request names no limit. */
  readonly maxRows: number;
  /** Count below which a row's metrics are masked; 0 masks nothing. */
  readonly threshold: number;
  /** True where a hidden count of rows masks too; see `KAnonymity.shadow`. */
  readonly isShadowed?: boolean | undefined;
  /** True where the data are known to have a match for every row; see `Join.complete`. */
  readonly isComplete?: ((join: Join) => boolean) | undefined;
}

export function plan(query: ResolvedQuery, model: Model, settings: PlanSettings): Plan {
  return new Planner(query, model).plan(settings);
}

/** A block being gathered: everything of one base dataset is computed in one pass over it. */
interface Gathering {
  readonly base: string;
  readonly purpose: string;
  readonly at: string;
  readonly leaves: Leaf[];
}

class Planner {
  readonly #query: ResolvedQuery;
  readonly #model: Model;
  readonly #graph: Graph;
  readonly #groups: readonly ResolvedGroup[];

  constructor(query: ResolvedQuery, model: Model) {
    this.#query = query;
    this.#model = model;
    this.#graph = new Graph(model);
    this.#groups = [...query.rows, ...query.columns];
  }

  plan({ maxRows, threshold, isShadowed = false, isComplete = () => false }: PlanSettings): Plan {
    const gathered: Gathering[] = [];
    const metrics = everyOne(this.#query.values, (value) => this.#metric(value, gathered));
    const made = gathered.length === 0 ? [this.#distinctGroups()] : everyOne(gathered, (one) => this.#block(one));
    // Rows that the caller may not see are gone from a dataset, whatever is known of all of its rows.
    const loses = (join: Join) => this.#model.datasets.get(join.dataset)?.rowFilter !== undefined;
    const keeps = (join: Join) => !loses(join) && isComplete(join);
    const blocks = made.map((block) =>
      Object.freeze({
        ...block,
        tree: marked(block.tree, keeps),
        semiJoins: block.semiJoins.map((semiJoin) => ({ ...semiJoin, tree: marked(semiJoin.tree, keeps) })),
      }),
    );
    const counts = this.#query.values.flatMap((value, index) => (countsThings(value) ? [index] : []));
    const isCounted = counts.length > 0 || (isShadowed && metrics.length > 0);
    const { crosstab, order } = this.#order(blocks);
    // One row more than is answered, so that a cut is noticed.
    const cut = crosstab?.limit === undefined ? maxRows + 1 : MOST_CELLS + 1;
    return Object.freeze({
      groups: this.#groups.map(({ field }) => field),
      rowGroups: this.#query.rows.length,
      metrics,
      blocks,
      suppression: threshold > 0 && isCounted ? Object.freeze({ counts, isShadowed, threshold }) : undefined,
      crosstab,
      order,
      limit: crosstab === undefined ? (this.#query.limit ?? cut) : cut,
    });
  }

  #metric(value: ResolvedValue, gathered: Gathering[]): MetricColumn {
    const { metric, aggregation } = value;
    const leaves = aggregatesOf(metric.expression).map((call) => {
      const base = this.#baseOf(call, metric, value.path);
      let block = gathered.findIndex((one) => one.base === base);
      if (block < 0) {
        block = gathered.length;
        gathered.push({ base, purpose: `The metric ${metric.name}`, at: `${value.path}.metric`, leaves: [] });
      }
      const target = gathered[block];
      if (target === undefined) throw new InternalError('a block that was just made is missing');
      target.leaves.push(Object.freeze({ call, aggregation }));
      return { block, leaf: target.leaves.length - 1 };
    });
    return Object.freeze({ metric, aggregation, leaves });
  }

  /** A call aggregates the rows of the dataset its columns come from; of several, the one that reaches the others. */
  #baseOf(call: BoundAggregate, metric: Metric, path: string): string {
    const read = [...new Set(leavesOf(call.call).map(({ dataset }) => dataset))];
    if (read.length === 0) return metric.countedDataset;
    const base = lowestOf(read, this.#graph);
    if (base !== undefined) return base;
    throw ValidationError.at(
      `${path}.metric`,
      `The metric ${metric.name} reads ${read.join(' and ')} in one aggregate, and no relationship leads from one of them to the others.`,
    );
  }

  #block({ base, purpose, at, leaves }: Gathering): Block {
    const rows = rowsOf(base, purpose, at, this.#groups, this.#query.filters, this.#graph);
    const reads = distinctLeaves(leaves.flatMap(({ call }) => leavesOf(call.call)));
    // What an aggregate reads beside its own dataset is one row for each of it, so it changes neither rows nor grain.
    const paths = reads.map(({ dataset }) => onlyPath(base, dataset, at, this.#graph) ?? []);
    return Object.freeze({
      base,
      tree: withPaths(rows.tree, paths),
      distinct: rows.fansOut ? { key: this.#keyOf(base, purpose, at), reads } : undefined,
      filters: rows.filters,
      semiJoins: rows.semiJoins,
      leaves,
    });
  }

  #keyOf(base: string, purpose: string, at: string): readonly string[] {
    const key = this.#model.datasets.get(base)?.rowKey;
    if (key !== undefined) return key;
    throw ValidationError.at(
      at,
      `${purpose} would count rows of ${base} more than once for this grouping, and ${base} has no primary_key to tell its rows apart. Group by a dataset that ${base} leads to.`,
      [base, ...this.#graph.reachable(base)],
    );
  }

  /** Without metrics: the groups that occur, in the dataset that reaches all of them. */
  #distinctGroups(): Block {
    const needed = [...new Set(this.#groups.map(({ field }) => field.dataset))];
    const root = lowestOf(needed, this.#graph) ?? this.#meetingOf(needed);
    const at = this.#groups[0]?.path ?? '';
    const rows = rowsOf(root, 'The query', at, this.#groups, this.#query.filters, this.#graph);
    return Object.freeze({ base: root, ...rows, distinct: undefined, leaves: [] });
  }

  #meetingOf(needed: readonly string[]): string {
    const [one, ...others] = this.#graph.meetings(needed);
    if (one !== undefined && others.length === 0) return one;
    const about = this.#basesOfDetail();
    const meant = [one, ...others].filter((dataset) => dataset !== undefined && about.has(dataset));
    if (meant.length === 1 && meant[0] !== undefined) return meant[0];
    const at = this.#groups.find(({ field }) => field.dataset !== needed[0])?.path ?? '';
    if (one === undefined) {
      throw ValidationError.at(at, `No relationship brings ${needed.join(' and ')} together.`, [needed[0] ?? '']);
    }
    const candidates = [one, ...others];
    const message = `${needed.join(' and ')} meet in more than one dataset: ${candidates.join(', ')}. Add a metric of one of them to say which is meant.`;
    throw ValidationError.at(at, message, candidates);
  }

  #ofRows(blocks: readonly Block[]): readonly Block[] {
    const rows = this.#query.rows.map(({ field }) => field.dataset);
    return blocks.map((block) => {
      const filtered = block.filters.map(({ field }) => field.dataset);
      const read = block.leaves.flatMap(({ call }) => leavesOf(call.call).map(({ dataset }) => dataset));
      return Object.freeze({ ...block, tree: withoutUnused(block.tree, new Set([...rows, ...filtered, ...read])) });
    });
  }

  /** Datasets whose rows the metrics of a row detail aggregate. */
  #basesOfDetail(): ReadonlySet<string> {
    const calls = (this.#query.about ?? []).flatMap((value) =>
      aggregatesOf(value.metric.expression).map((call) => this.#baseOf(call, value.metric, value.path)),
    );
    return new Set(calls);
  }

  /** The request's sorts, then the groups in their order, so that equal rows always come in one order. */
  #order(blocks: readonly Block[]): Pick<Plan, 'crosstab' | 'order'> {
    const { rows, columns, sorts, limit } = this.#query;
    const wanted = sorts.map(
      ({ by, index, direction }): Order => ({ by: by === 'group' ? 'group' : 'metric', index, direction }),
    );
    const sorted = new Set(wanted.filter(({ by }) => by === 'group').map(({ index }) => index));
    const ties = this.#groups.flatMap((_, index): readonly Order[] =>
      sorted.has(index) ? [] : [{ by: 'group', index, direction: 'asc' }],
    );
    const order = [...wanted, ...ties];
    if (rows.length === 0 || columns.length === 0) return { crosstab: undefined, order };
    const isOfColumns = ({ by, index }: Order) => by === 'group' && index >= rows.length;
    const down = order.filter((each) => !isOfColumns(each));
    const isInterleaved = order.slice(0, down.length).some(isOfColumns);
    if (limit === undefined && !isInterleaved && down.every(({ by }) => by === 'group')) {
      return { crosstab: undefined, order };
    }
    return { crosstab: Object.freeze({ blocks: this.#ofRows(blocks), order: down, isInterleaved, limit }), order };
  }
}

/** Overrides to COUNT count; other overrides of a counting metric do not. */
function countsThings({ metric, aggregation }: ResolvedValue): boolean {
  return aggregation === undefined ? metric.counts : aggregation === 'COUNT';
}

function distinctLeaves(leaves: readonly ColumnLeaf[]): readonly ColumnLeaf[] {
  const byKey = new Map(leaves.map((leaf) => [JSON.stringify([leaf.dataset, leaf.column]), leaf]));
  return [...byKey.values()];
}
