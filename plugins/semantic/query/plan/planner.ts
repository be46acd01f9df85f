/**
 * Turns a resolved query into a plan. Throws `ValidationError` where the model does not define how the parts belong
 * together.
 */

import { InternalError, type Problem, ValidationError } from '../../../../router/errors.ts';
import type { RequestPath } from '../../../../router/path.ts';
import type { RollupUse } from '../../../query-surface/index.ts';
import { AGGREGATIONS } from '../../model/aggregations.ts';
import type { Metric, Model, Rollup } from '../../model/model.ts';
import { aggregatesOf, type BoundAggregate, leavesOf } from '../../model/template.ts';
import { joinPathsTo } from '../joins/join-paths.ts';
import { lowestOf, withTotalJoins } from '../joins/join-tree.ts';
import { roleLabels } from '../joins/role-labels.ts';
import { kindOfWindow } from '../nodes/aggregate-kinds.ts';
import { amongsOf, filtersOf, withSemiJoins } from '../nodes/conditions.ts';
import type { FactSubquery, Join, MetricColumn, Plan, RolledUp } from '../nodes/plan.ts';
import type { DatasetFigures } from '../nodes/query-target.ts';
import type { ResolvedPlace, ResolvedQuery, ResolvedValue } from '../nodes/resolved-query.ts';
import { DEFAULT_REWRITES, type Rewrites } from '../nodes/rewrites.ts';
import { countsRows } from '../nodes/subquery-kinds.ts';
import { collectErrors, ErrorCollector } from './collect-errors.ts';
import { planFactRows } from './fact-rows.ts';
import { finiteDatesOf } from './finite-dates.ts';
import { rootOfGroups } from './group-root.ts';
import { testedMetrics } from './having.ts';
import { canGroupKeysFirst, paysKeysFirst } from './keys-first.ts';
import { fillOf, orderOf } from './order.ts';
import { rolledUp } from './rolled-up.ts';
import { RowsPlanner } from './rows-planner.ts';
import { type Gathering, SubqueryPlanner, WHOLE_GROUP } from './subquery-planner.ts';

/** The most cells of a crosstab with a limit on row groups. */
export const MAX_CELLS = 100_000;

export interface PlanSettings {
  /** The most rows of an answer if the request names no limit. */
  readonly maxRows: number;
  /** Count below which a row's metrics are masked; 0 masks nothing. */
  readonly threshold: number;
  /** True where a hidden count of rows masks too; see `KAnonymity.shadow`. */
  readonly isShadowed?: boolean | undefined;
  /** Returns whether every row has a match in the present data; see `Join.isTotal`. */
  readonly isTotalJoin?: ((join: Join) => boolean) | undefined;
  readonly rewrites?: Partial<Rewrites> | undefined;
  /** Returns the figures of a dataset in the present data; see `CheckedJoins`. */
  readonly figuresOf?: ((dataset: string) => DatasetFigures | undefined) | undefined;
  /** Returns whether a roll-up may be read; without it, none is. */
  readonly useOf?: ((rollup: Rollup) => RollupUse) | undefined;
  /** Explains why the last refresh of a roll-up failed; without it, none did. */
  readonly failureOf?: ((rollup: Rollup) => string | undefined) | undefined;
  /** True where texts that are grouped by their collation may be written differently. */
  readonly hasCollations?: boolean | undefined;
}

export function plan(query: ResolvedQuery, model: Model, settings: PlanSettings): Plan {
  return new Planner(query, model).plan(settings);
}

/**
 * Returns the mistakes that do not depend on the other names of a request: places that its metrics reach by no path, or by
 * several without a `via`. Without metrics, paths lead from the fields to each other.
 *
 * @param query the resolved parts of the request; it has no other values
 */
export function joinPathProblems(query: ResolvedQuery, model: Model): readonly Problem[] {
  return new Planner(query, model).joinPathProblems();
}

class Planner {
  readonly #rows: RowsPlanner;
  readonly #subqueries: SubqueryPlanner;

  constructor(query: ResolvedQuery, model: Model) {
    this.#rows = new RowsPlanner(query, model);
    this.#subqueries = new SubqueryPlanner(this.#rows);
  }

  plan(settings: PlanSettings): Plan {
    const { maxRows, threshold, isShadowed = false, isTotalJoin = () => false } = settings;
    const rewrites = { ...DEFAULT_REWRITES, ...settings.rewrites };
    const gathered: Gathering[] = [];
    const tested = testedMetrics(this.#rows.query);
    const computed = [...this.#rows.query.values, ...tested.hidden];
    const columns = collectErrors(computed, (value) => this.#metric(value, gathered));
    const metrics = columns.slice(0, this.#rows.query.values.length);
    const bases = gathered.map(({ base }) => base);
    const errors = new ErrorCollector();
    for (const among of amongsOf(this.#rows.query.conditions)) {
      const planned = errors.attempt(() => plan(among.query, this.#rows.model, settings));
      if (planned !== undefined) this.#rows.amongs.set(among.query, planned);
    }
    errors.throwAll();
    const attempted = errors.attempt(() =>
      gathered.length === 0
        ? [this.#distinctGroups()]
        : collectErrors(gathered, (one) => this.#subqueries.plan(one, bases)),
    );
    errors.attempt(() => this.#rows.refuseUnusedVia(bases));
    errors.throwAll();
    const made = attempted ?? [];
    // A row filter may remove the match of a row, although each row has a match among all rows.
    const loses = (join: Join) => this.#rows.model.datasets.get(join.node.dataset)?.rowFilter !== undefined;
    const keeps = (join: Join) => !loses(join) && isTotalJoin(join);
    const isGroupedKeysFirst = (subquery: FactSubquery): boolean => {
      const { groupsKeysFirst } = rewrites;
      if (groupsKeysFirst === 'never' || settings.hasCollations === true || !canGroupKeysFirst(subquery)) return false;
      return groupsKeysFirst === 'always' || paysKeysFirst(subquery, settings.figuresOf?.(subquery.base));
    };
    const counts = computed.flatMap((value, index) => (countsThings(value) ? [index] : []));
    const isCounted = counts.length > 0 || (isShadowed && columns.length > 0);
    const suppression = threshold > 0 && isCounted ? Object.freeze({ counts, isShadowed, threshold }) : undefined;
    const { useOf, failureOf, hasCollations = false } = settings;
    const rolledUpOf = (subquery: FactSubquery): RolledUp | undefined => {
      if (useOf === undefined || !rewrites.usesRollups) return undefined;
      return rolledUp(subquery, countsRows(suppression, subquery), this.#rows.model, {
        useOf,
        failureOf,
        hasCollations,
      });
    };
    const subqueries = made.map((subquery) =>
      Object.freeze({
        ...subquery,
        groupsKeysFirst: isGroupedKeysFirst(subquery),
        rolledUp: rolledUpOf(subquery),
        finiteDates: finiteDatesOf(settings.figuresOf?.(subquery.base), rewrites),
        tree: withTotalJoins(subquery.tree, keeps),
        where: withSemiJoins(subquery.where, (semiJoin) => ({
          ...semiJoin,
          tree: withTotalJoins(semiJoin.tree, keeps),
        })),
      }),
    );
    const { crosstab, order } = orderOf(this.#rows.query, subqueries);
    const fill = fillOf(this.#rows.query, order);
    // One row more than the answer may have shows that the answer is cut.
    const cut = crosstab?.limit === undefined ? maxRows + 1 : MAX_CELLS + 1;
    return Object.freeze({
      conditions: this.#rows.query.conditions,
      groups: this.#rows.groups.map(({ field, via, grain, calendar }) => {
        return { field, via, grain, calendar, roles: roleLabels(via, this.#rows.model) };
      }),
      rowGroups: this.#rows.query.rows.length,
      metrics,
      hiddenMetrics: columns.slice(metrics.length),
      subqueries,
      having: tested.having,
      suppression,
      crosstab,
      fill,
      order,
      limit: crosstab === undefined && fill === undefined ? (this.#rows.query.limit ?? cut) : cut,
      rewrites,
    });
  }

  joinPathProblems(): readonly Problem[] {
    const errors = new ErrorCollector();
    const gathered: Gathering[] = [];
    errors.attempt(() => collectErrors(this.#rows.query.values, (value) => this.#metric(value, gathered)));
    const ownGroups = this.#rows.groups.filter(({ calendar }) => calendar === undefined);
    const root = lowestOf([...new Set(ownGroups.map(({ field }) => field.dataset))], this.#rows.graph);
    const alone =
      root === undefined || this.#rows.query.values.length > 0 ? [] : [{ base: root, purpose: 'The query' }];
    const rows = [...gathered, ...alone];
    const bases = rows.map(({ base }) => base);
    for (const { base, purpose } of rows) {
      // All groups together decide where their paths turn, so one group alone does not show a mistake.
      const isSettled = ({ field: { dataset } }: ResolvedPlace) =>
        dataset === base ||
        this.#rows.graph.reachable(base).has(dataset) ||
        joinPathsTo(base, dataset, this.#rows.graph).length === 0;
      errors.attempt(() => {
        const calendar = this.#rows.calendarOf(base, purpose);
        const groups = collectErrors(this.#rows.groups, (group) => calendar.place(group)).filter(isSettled);
        const filters = filtersOf(calendar.conditions(this.#rows.query.conditions)).filter(isSettled);
        const conditions = filters.map((filter) => ({ kind: 'filter' as const, filter }));
        planFactRows({ ...this.#rows.rowsRequest(base, purpose, bases), groups, conditions, reads: [] });
      });
    }
    return errors.problems;
  }

  #metric(value: ResolvedValue, gathered: Gathering[]): MetricColumn {
    const { metric, aggregation } = value;
    const aggregates = aggregatesOf(metric.expression).map((call) => {
      const base = this.#baseOf(call, metric, value.path);
      const { scope = WHOLE_GROUP } = call;
      const windows = scope.window === undefined ? undefined : kindOfWindow({ call, aggregation });
      const key = JSON.stringify(scope);
      let subquery = gathered.findIndex(
        (one) => one.base === base && one.windows === windows && JSON.stringify(one.scope) === key,
      );
      if (subquery < 0) {
        subquery = gathered.length;
        gathered.push({
          base,
          purpose: `The metric ${metric.name}`,
          at: [...value.path, 'metric'],
          aggregates: [],
          scope,
          windows,
        });
      }
      const target = gathered[subquery];
      if (target === undefined) throw new InternalError('a subquery that was just made is missing');
      target.aggregates.push(Object.freeze({ call, aggregation }));
      return { subquery, at: target.aggregates.length - 1 };
    });
    return Object.freeze({ metric, aggregation, aggregates });
  }

  /** Returns the dataset that a call aggregates: the dataset of its columns; of several, the one that reaches the others. */
  #baseOf(call: BoundAggregate, metric: Metric, path: RequestPath): string {
    if (call.scope?.conversion !== undefined) return call.scope.conversion.base.dataset;
    const read = [...new Set(leavesOf(call.call).map(({ dataset }) => dataset))];
    if (read.length === 0) return call.countedDataset ?? metric.countedDataset;
    const base = lowestOf(read, this.#rows.graph);
    if (base !== undefined) return base;
    throw ValidationError.at(
      [...path, 'metric'],
      `The metric ${metric.name} reads ${read.join(' and ')} in one aggregate, and no relationship leads from one of them to the others.`,
    );
  }

  /** Plans the groups that occur, without metrics, in the dataset that reaches all of them. */
  #distinctGroups(): FactSubquery {
    const root = rootOfGroups({
      query: this.#rows.query,
      model: this.#rows.model,
      graph: this.#rows.graph,
      about: this.#basesOfDetail(),
      datasetsAt: (place, bases) => this.#rows.datasetsAt(place, bases),
    });
    const { tree, groups, groupNodes, where } = this.#rows.planRows(root, 'The query', [], [root]);
    return Object.freeze({
      base: root,
      tree,
      groups,
      groupNodes,
      where,
      distinct: undefined,
      reads: [],
      scope: WHOLE_GROUP,
      aggregates: [],
    });
  }

  /** Lists the datasets that the metrics of a row detail aggregate. */
  #basesOfDetail(): ReadonlySet<string> {
    const calls = (this.#rows.query.detailMetrics ?? []).flatMap((value) =>
      aggregatesOf(value.metric.expression).map((call) => this.#baseOf(call, value.metric, value.path)),
    );
    return new Set(calls);
  }
}

/** Returns whether a value is a count. An override decides regardless of the metric. */
function countsThings({ metric, aggregation }: ResolvedValue): boolean {
  return aggregation === undefined ? metric.isCount : AGGREGATIONS[aggregation].result === 'count';
}
