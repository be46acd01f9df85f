/** Resolved query -> plan. Throws `ValidationError` where the model does not say how the parts belong together. */
import { InternalError, type Problem, ValidationError } from '../../../router/errors.ts';
import type { RequestPath } from '../../../router/path.ts';
import { nearestFirst } from '../../query-surface/index.ts';
import type { Metric, Model } from '../model/model.ts';
import {
  type AggregateScope,
  aggregatesOf,
  type Bound,
  type BoundAggregate,
  type ColumnLeaf,
  type Conversion,
  leavesOf,
  leavesOfScope,
  type Offset,
  type Window,
} from '../model/template.ts';
import { FactCalendar } from './calendar-date.ts';
import { collectErrors, ErrorCollector } from './collect-errors.ts';
import { amongsOf, filtersOf, placesOf, withSemiJoins } from './conditions.ts';
import { isByDay, stepOf } from './conversion/converted.ts';
import { fieldOf, knownPeriods, windowConditions, windowDate } from './cumulative/windowed.ts';
import { type FactRows, type FactRowsRequest, rowsOf } from './fact-rows.ts';
import { zoneOf } from './grain/grain.ts';
import { isSameDate } from './grain/range.ts';
import { rootOfGroups } from './group-root.ts';
import { lowestOf, TreeBuilder, withTotalJoins } from './join-tree.ts';
import { isOfParts } from './layered.ts';
import { testedMetrics } from './metric-tests.ts';
import { isOfDate, type OffsetRequest, offsetRequest, type Spread } from './offset/offset.ts';
import { describePath, JoinGraph, type Path } from './paths.ts';
import type {
  AggregateRef,
  DatedRows,
  FactSubquery,
  Join,
  MetricColumn,
  MovedEnd,
  Node,
  PlacedCondition,
  PlacedField,
  PlacedSpread,
  Plan,
} from './plan.ts';
import { fillOf, orderOf } from './plan-order.ts';
import type {
  Condition,
  ResolvedAmong,
  ResolvedGroup,
  ResolvedPlace,
  ResolvedQuery,
  ResolvedValue,
} from './resolved.ts';
import { roleLabels } from './roles.ts';
import { relationshipsOf, viasOf, waysTo } from './ways.ts';

/** Most cells of a crosstab whose request limits its row groups. */
export const MAX_CELLS = 100_000;

export interface PlanSettings {
  /** Rows answered when the request names no limit. */
  readonly maxRows: number;
  /** Count below which a row's metrics are masked; 0 masks nothing. */
  readonly threshold: number;
  /** True where a hidden count of rows masks too; see `KAnonymity.shadow`. */
  readonly isShadowed?: boolean | undefined;
  /** True where the data are known to have a match for every row; see `Join.isTotal`. */
  readonly isTotalJoin?: ((join: Join) => boolean) | undefined;
}

export function plan(query: ResolvedQuery, model: Model, settings: PlanSettings): Plan {
  return new Planner(query, model).plan(settings);
}

/**
 * Returns the mistakes that stand whatever else a request names: places that no way leads to from its metrics, or that
 * several do without `via` saying which. Without metrics, from the fields to each other.
 *
 * @param query what could be found of the request; its values are all that it has
 */
export function problemsOfWays(query: ResolvedQuery, model: Model): readonly Problem[] {
  return new Planner(query, model).problemsOfWays();
}

/** A subquery being gathered: everything of one base dataset is computed in one pass over it. */
interface Gathering {
  readonly base: string;
  readonly purpose: string;
  readonly at: RequestPath;
  readonly aggregates: AggregateRef[];
  readonly scope: AggregateScope;
  /** Whether its windows are made of the values of their days. */
  readonly isOfDays: boolean;
}

/** Rows where a date stands, and whether they reach many rows for one of their own. */
type WindowRows = DatedRows & { readonly fansOut: boolean };

/** A condition that no row passes. */
const NOTHING: Bound = ['1 = 0'];

/** All rows of a group, and no others. */
const WHOLE_GROUP: AggregateScope = Object.freeze({});

class Planner {
  readonly #query: ResolvedQuery;
  readonly #model: Model;
  readonly #graph: JoinGraph;
  readonly #groups: readonly ResolvedGroup[];
  /** Names of `via` that some subquery goes along, by the place of the field reference. */
  readonly #viaUsed = new Map<ResolvedPlace, ReadonlySet<string>>();
  readonly #bases: string[] = [];
  /** By the question of a membership. */
  readonly #amongs = new Map<ResolvedQuery, Plan>();

  constructor(query: ResolvedQuery, model: Model) {
    this.#query = query;
    this.#model = model;
    this.#graph = new JoinGraph(model);
    this.#groups = [...query.rows, ...query.columns];
  }

  plan(settings: PlanSettings): Plan {
    const { maxRows, threshold, isShadowed = false, isTotalJoin = () => false } = settings;
    const gathered: Gathering[] = [];
    const tested = testedMetrics(this.#query);
    const computed = [...this.#query.values, ...tested.hidden];
    const columns = collectErrors(computed, (value) => this.#metric(value, gathered));
    const metrics = columns.slice(0, this.#query.values.length);
    const bases = gathered.map(({ base }) => base);
    const errors = new ErrorCollector();
    for (const among of amongsOf(this.#query.conditions)) {
      const planned = errors.attempt(() => plan(among.query, this.#model, settings));
      if (planned !== undefined) this.#amongs.set(among.query, planned);
    }
    errors.throwAll();
    const attempted = errors.attempt(() =>
      gathered.length === 0 ? [this.#distinctGroups()] : collectErrors(gathered, (one) => this.#subquery(one, bases)),
    );
    errors.attempt(() => this.#refuseUnusedVia(bases));
    errors.throwAll();
    const made = attempted ?? [];
    // Rows that the caller may not see are gone from a dataset, whatever is known of all of its rows.
    const loses = (join: Join) => this.#model.datasets.get(join.node.dataset)?.rowFilter !== undefined;
    const keeps = (join: Join) => !loses(join) && isTotalJoin(join);
    const subqueries = made.map((subquery) =>
      Object.freeze({
        ...subquery,
        tree: withTotalJoins(subquery.tree, keeps),
        where: withSemiJoins(subquery.where, (semiJoin) => ({
          ...semiJoin,
          tree: withTotalJoins(semiJoin.tree, keeps),
        })),
      }),
    );
    const counts = computed.flatMap((value, index) => (countsThings(value) ? [index] : []));
    const isCounted = counts.length > 0 || (isShadowed && columns.length > 0);
    const { crosstab, order } = orderOf(this.#query, subqueries);
    const fill = fillOf(this.#query, order);
    // One row more than is answered, so that a cut is noticed.
    const cut = crosstab?.limit === undefined ? maxRows + 1 : MAX_CELLS + 1;
    return Object.freeze({
      conditions: this.#query.conditions,
      groups: this.#groups.map(({ field, via, grain, calendar }) => {
        return { field, via, grain, calendar, roles: roleLabels(via, this.#model) };
      }),
      rowGroups: this.#query.rows.length,
      metrics,
      hiddenMetrics: columns.slice(metrics.length),
      subqueries,
      having: tested.having,
      suppression: threshold > 0 && isCounted ? Object.freeze({ counts, isShadowed, threshold }) : undefined,
      crosstab,
      fill,
      order,
      limit: crosstab === undefined && fill === undefined ? (this.#query.limit ?? cut) : cut,
    });
  }

  problemsOfWays(): readonly Problem[] {
    const errors = new ErrorCollector();
    const gathered: Gathering[] = [];
    errors.attempt(() => collectErrors(this.#query.values, (value) => this.#metric(value, gathered)));
    const ownGroups = this.#groups.filter(({ calendar }) => calendar === undefined);
    const root = lowestOf([...new Set(ownGroups.map(({ field }) => field.dataset))], this.#graph);
    const alone = root === undefined || this.#query.values.length > 0 ? [] : [{ base: root, purpose: 'The query' }];
    const rows = [...gathered, ...alone];
    const bases = rows.map(({ base }) => base);
    for (const { base, purpose } of rows) {
      // Where groups turn is settled by all of them together, so that one alone may be no mistake.
      const isSettled = ({ field: { dataset } }: ResolvedPlace) =>
        dataset === base || this.#graph.reachable(base).has(dataset) || waysTo(base, dataset, this.#graph).length === 0;
      errors.attempt(() => {
        const calendar = this.#calendarOf(base, purpose);
        const groups = collectErrors(this.#groups, (group) => calendar.place(group)).filter(isSettled);
        const filters = filtersOf(calendar.conditions(this.#query.conditions)).filter(isSettled);
        const conditions = filters.map((filter) => ({ kind: 'filter' as const, filter }));
        rowsOf({ ...this.#rowsRequest(base, purpose, bases), groups, conditions, reads: [] });
      });
    }
    return errors.problems;
  }

  #metric(value: ResolvedValue, gathered: Gathering[]): MetricColumn {
    const { metric, aggregation } = value;
    const aggregates = aggregatesOf(metric.expression).map((call) => {
      const base = this.#baseOf(call, metric, value.path);
      const { scope = WHOLE_GROUP } = call;
      // What a window makes of its days is aggregated apart from what it needs each row for.
      const isOfDays = scope.window !== undefined && isOfParts({ call, aggregation });
      const key = JSON.stringify(scope);
      let subquery = gathered.findIndex(
        (one) => one.base === base && one.isOfDays === isOfDays && JSON.stringify(one.scope) === key,
      );
      if (subquery < 0) {
        subquery = gathered.length;
        gathered.push({
          base,
          purpose: `The metric ${metric.name}`,
          at: [...value.path, 'metric'],
          aggregates: [],
          scope,
          isOfDays,
        });
      }
      const target = gathered[subquery];
      if (target === undefined) throw new InternalError('a subquery that was just made is missing');
      target.aggregates.push(Object.freeze({ call, aggregation }));
      return { subquery, at: target.aggregates.length - 1 };
    });
    return Object.freeze({ metric, aggregation, aggregates });
  }

  /**
   * Returns the dataset whose rows a call aggregates: that which its columns come from; of several, the one that
   * reaches the others.
   */
  #baseOf(call: BoundAggregate, metric: Metric, path: RequestPath): string {
    if (call.scope?.conversion !== undefined) return call.scope.conversion.base.dataset;
    const read = [...new Set(leavesOf(call.call).map(({ dataset }) => dataset))];
    if (read.length === 0) return call.countedDataset ?? metric.countedDataset;
    const base = lowestOf(read, this.#graph);
    if (base !== undefined) return base;
    throw ValidationError.at(
      [...path, 'metric'],
      `The metric ${metric.name} reads ${read.join(' and ')} in one aggregate, and no relationship leads from one of them to the others.`,
    );
  }

  #subquery(gathering: Gathering, bases: readonly string[]): FactSubquery {
    const { base, purpose, at, aggregates, scope } = gathering;
    if (scope.window !== undefined) return this.#windowed(gathering, scope.window, bases);
    if (scope.conversion !== undefined) return this.#converted(gathering, scope.conversion, bases);
    const carried = distinctLeaves(aggregates.flatMap(({ call }) => leavesOf(call.call)));
    const reads = distinctLeaves([...carried, ...leavesOfScope(scope)]);
    // What an aggregate reads beside its own dataset is one row for each of it, so it changes neither rows nor grain.
    const paths = reads.map(({ dataset }) => this.#pathOfRead(base, dataset, at));
    const rows = this.#rowsOf(base, purpose, paths, bases, undefined, scope.offset);
    return Object.freeze({
      base,
      tree: rows.tree,
      groups: rows.groups,
      groupNodes: rows.groupNodes,
      distinct: rows.fansOut ? { key: this.#keyOf(base, purpose, bases), reads: carried } : undefined,
      reads,
      scope: rows.isOfNoDay ? { ...scope, filters: [NOTHING] } : scope,
      spread: rows.spread,
      where: rows.where,
      aggregates,
    });
  }

  /** Plans the rows of windows: what filters of their date leave out may still be in them. */
  #windowed({ base, purpose, at, aggregates, scope }: Gathering, window: Window, bases: readonly string[]) {
    const { time } = this.#query;
    const calendar = this.#calendarOf(base, purpose);
    const { offset } = scope;
    const { groups, conditions, spread, isOfNoDay, moved } = this.#windowsAsked(
      collectErrors(this.#groups, (group) => calendar.place(group)),
      calendar.conditions(this.#query.conditions),
      offset,
    );
    const carried = distinctLeaves(aggregates.flatMap(({ call }) => leavesOf(call.call)));
    const reads = distinctLeaves([...carried, ...leavesOfScope(scope)]);
    const paths = reads.map(({ dataset }) => this.#pathOfRead(base, dataset, at));
    const date = windowDate(fieldOf(window.by, this.#model), [...groups, ...placesOf(conditions)], at, time);
    const axis = groups.flatMap((group, index) => (isSameDate(group, date) ? [index] : []));
    const parts = windowConditions(conditions, date, time);
    const dated = (onto: readonly ResolvedGroup[], left: readonly Condition[], read: readonly Path[]): WindowRows => {
      const rows = this.#rowsOf(base, purpose, read, bases, { groups: [...onto, date], conditions: left });
      const node = rows.groupNodes.at(-1);
      if (node === undefined) throw new InternalError('a date has no place among the rows of its metric');
      const { field, via, grain } = date;
      const by: PlacedField = { field, via, grain, node };
      const isDated: PlacedCondition = { kind: 'test', filter: { ...date, node, test: { kind: 'notNull' } } };
      const { tree, groupNodes, where, fansOut } = rows;
      const placed = { tree, groupNodes: groupNodes.slice(0, -1), by, where: [...where, isDated], fansOut };
      return { ...placed, spread: spread === undefined ? undefined : placedSpread(spread, onto, groupNodes) };
    };
    const onAxis = groups.filter((_, index) => axis.includes(index));
    const shown = dated(groups, [...conditions, ...knownPeriods(onAxis)], paths);
    const past = dated(groups, parts.past, paths);
    const ends = dated(onAxis, parts.dates, []);
    return Object.freeze({
      base,
      tree: past.tree,
      groups: groups.map(({ field, via, grain }) => ({ field, via, grain })),
      groupNodes: past.groupNodes,
      distinct: past.fansOut ? { key: this.#keyOf(base, purpose, bases), reads: carried } : undefined,
      reads,
      scope: isOfNoDay ? { ...scope, filters: [NOTHING] } : scope,
      windowed: { by: past.by, axis, shown, ends, firstDay: parts.firstDay, lastDay: parts.lastDay, moved },
      where: past.where,
      aggregates,
    });
  }

  /** What is asked of windows that may be those of an earlier time, and where they then end. */
  #windowsAsked(groups: readonly ResolvedGroup[], conditions: readonly Condition[], offset: Offset | undefined) {
    if (offset === undefined) return { groups, conditions, spread: undefined, isOfNoDay: false, moved: undefined };
    const asked = this.#offset(offset, groups, conditions);
    const { isOfNoDay = false } = asked;
    if (offset.to === undefined) return { ...asked, isOfNoDay, moved: { kind: 'back', shift: offset.shift } as const };
    const { to: period } = offset;
    const moved: MovedEnd = { kind: 'to', period, day: asked.day };
    // Whatever a period shows has a first day, on which its window ends whether or not there is a fact.
    return asked.spread === undefined
      ? { ...asked, isOfNoDay, moved }
      : { groups, conditions, spread: undefined, isOfNoDay, moved };
  }

  /** The groups and the filters of a request about an earlier time. */
  #offset(offset: Offset, groups: readonly ResolvedGroup[], conditions: readonly Condition[]): OffsetRequest {
    // Places that are moved are others than those of the request, which go along what they name.
    for (const place of [...this.#groups, ...placesOf(this.#query.conditions)]) {
      if (isOfDate(place, offset)) this.#viaUsed.set(place, new Set(place.via));
    }
    return offsetRequest(offset, groups, conditions, { time: this.#query.time });
  }

  /** Plans the rows of base events, and those of the events that they lead to. */
  #converted({ base, purpose, at, aggregates, scope }: Gathering, conversion: Conversion, bases: readonly string[]) {
    const { time } = this.#query;
    const { dataset: from } = conversion.conversion;
    const carried = distinctLeaves(aggregates.flatMap(({ call }) => leavesOf(call.call)));
    const ofEvents = distinctLeaves([...carried, ...leavesOfScope(scope)]);
    const reads = distinctLeaves(conversion.base.filters.flatMap((each) => leavesOf(each)));
    const treeOf = (root: string, leaves: readonly ColumnLeaf[]) => {
      const tree = new TreeBuilder(root, []);
      for (const { dataset } of leaves) tree.fromBase(this.#pathOfRead(root, dataset, at));
      return tree.tree();
    };
    const paths = reads.map(({ dataset }) => this.#pathOfRead(base, dataset, at));
    const rows = this.#rowsOf(base, purpose, paths, bases, undefined, scope.offset);
    const byDay = isByDay(conversion);
    const filters = scope.filters ?? [];
    const nothing = rows.isOfNoDay ? [NOTHING] : [];
    return Object.freeze({
      base,
      tree: rows.tree,
      groups: rows.groups,
      groupNodes: rows.groupNodes,
      distinct: undefined,
      reads,
      scope,
      converted: {
        key: this.#keyOf(base, purpose, bases),
        base: {
          ...conversion.base,
          filters: [...conversion.base.filters, ...nothing],
          tree: treeOf(base, reads),
          zone: zoneOf(fieldOf(conversion.base.by, this.#model), time),
        },
        conversion: {
          ...conversion.conversion,
          filters,
          tree: treeOf(from, ofEvents),
          zone: zoneOf(fieldOf(conversion.conversion.by, this.#model), time),
        },
        byDay,
        step: stepOf(conversion, byDay),
      },
      spread: rows.spread,
      where: rows.where,
      aggregates,
    });
  }

  #rowsRequest(base: string, purpose: string, bases: readonly string[]) {
    return {
      base,
      purpose,
      graph: this.#graph,
      datasetsAt: (place: ResolvedPlace) => this.#datasetsAt(place, bases),
      planOf: (among: ResolvedAmong) => {
        const planned = this.#amongs.get(among.query);
        if (planned === undefined) throw new InternalError('a membership was not planned');
        return planned;
      },
    };
  }

  #calendarOf(base: string, purpose: string): FactCalendar {
    return new FactCalendar(base, purpose, this.#query.time, (place) => this.#datasetsAt(place, [base]));
  }

  #rowsOf(
    base: string,
    purpose: string,
    reads: readonly Path[],
    bases: readonly string[],
    request: Pick<FactRowsRequest, 'groups' | 'conditions'> = {
      groups: this.#groups,
      conditions: this.#query.conditions,
    },
    offset?: Offset,
  ): FactRows & Pick<FactSubquery, 'groups' | 'spread'> & { readonly isOfNoDay: boolean } {
    const calendar = this.#calendarOf(base, purpose);
    const asked = {
      groups: collectErrors(request.groups, (group) => calendar.place(group)),
      conditions: calendar.conditions(request.conditions),
      spread: undefined,
    };
    const {
      groups,
      conditions,
      spread,
      isOfNoDay = false,
    }: OffsetRequest = offset === undefined ? asked : this.#offset(offset, asked.groups, asked.conditions);
    const rows = rowsOf({ ...this.#rowsRequest(base, purpose, bases), groups, conditions, reads });
    for (const [place, names] of rows.viaUsed) {
      this.#viaUsed.set(place, new Set([...(this.#viaUsed.get(place) ?? []), ...names]));
    }
    this.#bases.push(base);
    return {
      ...rows,
      isOfNoDay,
      groups: groups.map(({ field, via, grain }) => ({ field, via, grain })),
      spread: spread === undefined ? undefined : placedSpread(spread, groups, rows.groupNodes),
    };
  }

  /** Returns the one path from a metric's rows to what it reads besides. */
  #pathOfRead(base: string, dataset: string, at: RequestPath): Path {
    const [path = [], ...others] = this.#graph.directPaths(base, dataset);
    if (others.length === 0) return path;
    const ways = [path, ...others].map((one) => describePath(base, one)).join('; ');
    throw ValidationError.at(
      at,
      `${dataset} can be reached from ${base} in more than one way, and a metric cannot say which: ${ways}.`,
    );
  }

  /**
   * Refuses a relationship that no part of the query goes along: it was meant to decide something that it does not.
   */
  #refuseUnusedVia(metricBases: readonly string[]): void {
    // Where a subquery is refused, ways that it would have gone along are no mistake.
    const refused = metricBases.filter((base) => !this.#bases.includes(base));
    const bases = [...this.#bases, ...refused];
    const [base] = bases;
    if (base === undefined) return;
    collectErrors([...this.#groups, ...placesOf(this.#query.conditions)], (place) => {
      const { path, field, via } = place;
      const open = refused.flatMap((from) => waysTo(from, field.dataset, this.#graph).flatMap(relationshipsOf));
      const unused = via.find((name) => this.#viaUsed.get(place)?.has(name) !== true && !open.includes(name));
      if (unused === undefined) return;
      throw ValidationError.at(
        [...path, 'via'],
        `No way from ${bases.join(' or ')} to ${field.dataset} goes along "${unused}".`,
        viasOf(waysTo(base, field.dataset, this.#graph)),
      );
    });
  }

  /**
   * Lists the datasets with fields that may stand at a place of the request, whatever else it names, nearest first.
   */
  #datasetsAt(place: ResolvedPlace, bases: readonly string[]): readonly string[] {
    const groups: readonly ResolvedPlace[] = this.#groups;
    const isGroup = groups.includes(place);
    const isOther = (group: ResolvedGroup) => group !== place && group.calendar === undefined;
    const others = isGroup ? this.#groups.filter(isOther).map(({ field }) => field.dataset) : [];
    const names = [...this.#model.datasets.values()].flatMap(({ name, fields }) => {
      const fits = bases.every((base) => this.#fits(base, name, others, isGroup));
      return fields.size > 0 && fits ? [name] : [];
    });
    return nearestFirst(place.field.dataset, names);
  }

  /** Tells whether rows of `base` can be grouped or filtered by a dataset beside others. */
  #fits(base: string, dataset: string, others: readonly string[], isGroup: boolean): boolean {
    const reached = this.#graph.reachable(base);
    if (dataset === base || reached.has(dataset)) return true;
    if (isGroup && this.#model.datasets.get(base)?.rowKey === undefined && this.#query.values.length > 0) return false;
    const beyond = others.filter((other) => other !== base && !reached.has(other));
    return this.#graph.commonDatasets([base, dataset, ...beyond]).length > 0;
  }

  #keyOf(base: string, purpose: string, bases: readonly string[]): readonly string[] {
    const key = this.#model.datasets.get(base)?.rowKey;
    if (key !== undefined) return key;
    const reached = this.#graph.reachable(base);
    const isBeyond = ({ field: { dataset }, calendar }: ResolvedGroup) =>
      calendar === undefined && dataset !== base && !reached.has(dataset);
    const place = this.#groups.find(isBeyond);
    if (place === undefined) throw new InternalError('rows are repeated though no group is beyond their dataset');
    throw ValidationError.at(
      [...place.path, 'dataset'],
      `${purpose} would count rows of ${base} more than once for this grouping, and ${base} has no primary_key to tell its rows apart. Group by a dataset that ${base} leads to.`,
      this.#datasetsAt(place, bases),
    );
  }

  /** Plans the groups that occur, without metrics, in the dataset that reaches all of them. */
  #distinctGroups(): FactSubquery {
    const root = rootOfGroups({
      query: this.#query,
      model: this.#model,
      graph: this.#graph,
      about: this.#basesOfDetail(),
      datasetsAt: (place, bases) => this.#datasetsAt(place, bases),
    });
    const { tree, groups, groupNodes, where } = this.#rowsOf(root, 'The query', [], [root]);
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

  /** Lists the datasets whose rows the metrics of a row detail aggregate. */
  #basesOfDetail(): ReadonlySet<string> {
    const calls = (this.#query.detailMetrics ?? []).flatMap((value) =>
      aggregatesOf(value.metric.expression).map((call) => this.#baseOf(call, value.metric, value.path)),
    );
    return new Set(calls);
  }
}

/** Where the date of a spread stands among groups that are moved. */
function placedSpread(spread: Spread, groups: readonly ResolvedGroup[], nodes: readonly Node[]): PlacedSpread {
  const at = groups.findIndex((group) => group.path === spread.place.path && group.grain?.moved?.kind === 'spread');
  const [place, node] = [groups[at], nodes[at]];
  if (place === undefined || node === undefined) throw new InternalError('a date that is moved has no place');
  return { by: { ...spread, place }, node };
}

/** Overrides to COUNT count; other overrides of a counting metric do not. */
function countsThings({ metric, aggregation }: ResolvedValue): boolean {
  return aggregation === undefined ? metric.isCount : aggregation === 'COUNT';
}

function distinctLeaves(leaves: readonly ColumnLeaf[]): readonly ColumnLeaf[] {
  const byKey = new Map(leaves.map((leaf) => [JSON.stringify([leaf.dataset, leaf.column]), leaf]));
  return [...byKey.values()];
}
