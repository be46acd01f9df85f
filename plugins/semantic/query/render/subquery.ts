/** Writes the SELECT of one subquery: the rows of one dataset, each counted once for a group, and their aggregates. */

import type { Dialect, Percentile } from '../../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../../router/errors.ts';
import { type SqlPart, sql } from '../../../query-surface/index.ts';
import { AGGREGATIONS, type Aggregation, type OverridingAggregation } from '../../model/aggregations.ts';
import {
  type Bound,
  type BoundAggregate,
  type ColumnLeaf,
  leavesOf,
  renderTemplate,
  type Taken,
} from '../../model/template.ts';
import { isOfParts } from '../nodes/aggregate-kinds.ts';
import type { AggregateRef, FactSubquery } from '../nodes/plan.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import type { Rewrites } from '../nodes/rewrites.ts';
import { isLayered } from '../nodes/subquery-kinds.ts';
import { aggregateOfCounted, countedFirst, rowCountOfCounted, selectCounted } from './counted-first.ts';
import { groupBy } from './group-by.ts';
import { KeysFirstRenderer } from './keys-first.ts';
import { movedLast, selectMoved } from './moved-groups.ts';
import { type NumberedGroup, numberedGroups, selectFirstDays } from './numbered-periods.ts';
import { TURN } from './period-rows.ts';
import type { RowsRenderer } from './rows.ts';
import { SPREAD } from './shown-days.ts';

export class SubqueryRenderer {
  readonly #rows: RowsRenderer;
  readonly #dialect: Dialect;
  readonly #rewrites: Rewrites;
  readonly #keysFirst: KeysFirstRenderer;

  constructor(rows: RowsRenderer, dialect: Dialect, rewrites: Rewrites) {
    this.#rows = rows;
    this.#dialect = dialect;
    this.#rewrites = rewrites;
    this.#keysFirst = new KeysFirstRenderer(rows, dialect);
  }

  /** Returns the SQL of a group's row count among the aggregates of a subquery. */
  rowCount(subquery: FactSubquery): string {
    const { countedBy } = subquery;
    if (countedBy !== undefined) return this.#dialect.castToCount(`COALESCE(SUM(${this.#rows.column(countedBy)}), 0)`);
    if (this.#groupsKeysFirst(subquery)) return this.#keysFirst.rowCount(subquery);
    if (this.#counted(subquery) !== undefined) return rowCountOfCounted(this.#dialect);
    return subquery.scope.taken?.take === 'average' ? 'SUM(by_date.row_count)' : 'COUNT(*)';
  }

  /** Returns the SQL of a subquery's aggregate among its computed columns. */
  aggregate(subquery: FactSubquery, index: number): string {
    if (this.#groupsKeysFirst(subquery)) {
      return this.#keysFirst.aggregate(subquery, index, aggregationOf(aggregateAt(subquery, index)));
    }
    if (this.#counted(subquery) !== undefined) {
      const aggregate = aggregateAt(subquery, index);
      return aggregateOfCounted(aggregate, index, aggregationOf(aggregate), this.#dialect);
    }
    const { taken } = subquery.scope;
    if (taken?.take !== 'average') return this.#aggregate(subquery, index);
    const value = `by_date.a${index}`;
    if (taken.per.length === 0) return this.#mean(value);
    const whole = AGGREGATIONS[aggregationOf(aggregateAt(subquery, index))].wholeOfParts;
    if (whole === null)
      throw new InternalError('means over time are combined for an aggregation that cannot combine them');
    return this.#dialect.castForDivision(`${whole}(${value})`);
  }

  /**
   * Returns the aggregates of a day's rows, and the aggregates that combine them into the value of a window; `undefined`
   * where a window needs each row. Otherwise each row is read once, however many windows contain it.
   */
  ofDays(
    subquery: FactSubquery,
  ): { readonly days: readonly string[]; readonly windows: readonly string[] } | undefined {
    if (!subquery.aggregates.every(isOfParts)) return undefined;
    const filling = this.#filling(subquery);
    const parts = subquery.aggregates.map((one, index) => {
      const { wholeOfParts: whole, result } = AGGREGATIONS[aggregationOf(one)];
      if (whole === null)
        throw new InternalError('a window combines values of days for an aggregation that cannot combine them');
      const [day, count] = [`fact_rows.a${index}`, `fact_rows.n${index}`];
      if (whole !== 'AVG') {
        // A count of no days is 0, like a count of no rows.
        const window = result === 'count' ? `COALESCE(${whole}(${day}), 0)` : `${whole}(${day})`;
        return { days: [`${this.#aggregate(subquery, index)} AS a${index}`], window: `${window} AS a${index}` };
      }
      const argument = renderTemplate(one.call.argument ?? [], this.#dialect, { column: filling });
      const sum = this.#dialect.castForDivision(`SUM(${day})`);
      return {
        days: [`SUM(${argument}) AS a${index}`, `COUNT(${argument}) AS n${index}`],
        window: `(${sum} / NULLIF(SUM(${count}), 0)) AS a${index}`,
      };
    });
    return {
      days: [...parts.flatMap(({ days }) => days), 'COUNT(*) AS row_count'],
      windows: parts.map(({ window }) => window),
    };
  }

  /** Returns the SQL of the values that a subquery's windows count distinct, and of the counts; see `windowQuery`. */
  ofDistinct(subquery: FactSubquery): { readonly value: string; readonly windows: readonly string[] } {
    const { call } = aggregateAt(subquery, 0);
    if (call.distinct === undefined) throw new InternalError('a window counts distinct values without an expression');
    return {
      value: renderTemplate(call.distinct, this.#dialect, { column: this.#filling(subquery) }),
      // A count of no rows is 0.
      windows: subquery.aggregates.map((_, index) => `COALESCE(SUM(fact_rows.distinct_values), 0) AS a${index}`),
    };
  }

  /** Writes a mean of doubles, because MySQL rounds a mean of whole numbers to four decimals. */
  #mean(value: string): string {
    return `AVG(${this.#dialect.castForDivision(value)})`;
  }

  /** Writes an aggregate of the rows that are grouped. */
  #aggregate(subquery: FactSubquery, index: number): string {
    const { call, aggregation, sumsCounts = false } = aggregateAt(subquery, index);
    const column = this.#filling(subquery);
    if (call.percentile !== undefined) {
      const value = this.#value(call, column);
      const percentile = this.#dialect.percentile(value, call.percentile);
      return percentile ?? rankedPercentile(this.#dialect, value, call.percentile, index);
    }
    const sql =
      aggregation !== undefined && call.argument !== undefined
        ? OVERRIDE_SQL[aggregation](renderTemplate(call.argument, this.#dialect, { column }))
        : renderTemplate(call.call, this.#dialect, { column });
    if (sumsCounts) return this.#dialect.castToCount(`COALESCE(${sql}, 0)`);
    const { isRoundedByEngine } = AGGREGATIONS[aggregationOf({ call, aggregation })];
    return isRoundedByEngine ? this.#dialect.castForDivision(sql) : sql;
  }

  /** Writes the argument of a percentile as one operand. */
  #value({ call }: BoundAggregate, column: (leaf: ColumnLeaf) => string): string {
    const value = renderTemplate(call, this.#dialect, { column });
    return call.length === 1 ? value : `(${value})`;
  }

  /** Returns the SELECT … GROUP BY of a subquery: its groups as `g…` and then `computed`. */
  select(subquery: FactSubquery, grouping: readonly FieldInRole[], computed: readonly string[]): SqlPart {
    const moved =
      this.#rewrites.movesGroupsLast && computed.length > 0 ? movedLast(subquery, grouping.length) : undefined;
    const counted = this.#counted(subquery);
    if (moved === undefined) return this.#grouped(subquery, grouping, computed, counted);
    const rows = this.#grouped(moved.own, moved.own.groups, computed, counted);
    return selectMoved(moved, subquery, { rows, values: computed.map(nameOf) }, this.#rows, this.#dialect);
  }

  /** Returns whether the rows of a subquery are grouped by their keys before they are joined. */
  #groupsKeysFirst({ groupsKeysFirst = false }: FactSubquery): boolean {
    return groupsKeysFirst && (this.#rewrites.groupsKeysFirst === 'always' || this.#rows.isOfCheckedData);
  }

  /** Returns the counted values of a subquery whose rows are grouped by them first. */
  #counted(subquery: FactSubquery): Bound | undefined {
    if (this.isNested(subquery)) return undefined;
    return countedFirst(subquery, this.#rewrites, this.#dialect, (expression) => this.#rows.isKey(expression));
  }

  /** @param counted the counted values that `computed` takes the rows to be grouped by first */
  #grouped(
    subquery: FactSubquery,
    grouping: readonly FieldInRole[],
    computed: readonly string[],
    counted: Bound | undefined,
  ): SqlPart {
    if (this.#groupsKeysFirst(subquery)) {
      const aggregates = subquery.aggregates.map((_, index) => this.#aggregate(subquery, index));
      return this.#keysFirst.select(subquery, grouping, { computed, aggregates });
    }
    if (!this.isNested(subquery)) return this.#ofRows(subquery, grouping, computed, counted);
    const groups = [...turnOf(subquery), ...this.#groups(subquery, grouping)];
    const { taken } = subquery.scope;
    const names = grouping.map((_, index) => `g${index}`);
    const columns = [
      ...groups,
      ...(subquery.distinct?.key ?? []).map((column, index) => {
        return `${this.#rows.column({ dataset: subquery.base, column })} AS k${index}`;
      }),
      ...readsOf(subquery).map((leaf, index) => `${this.#rows.column(leaf)} AS c${index}`),
      ...(taken === undefined ? [] : this.#taken(taken, subquery, grouping)),
    ];
    const unique = subquery.distinct === undefined ? '' : 'DISTINCT ';
    const facts = sql`SELECT ${unique}${columns.join(', ')}\n    ${this.#fromWhere(subquery, grouping.length, '    ')}`;
    const within = taken?.take === 'average' ? [...names, ...perNames(taken), 'taken_at'] : names;
    const kept =
      taken === undefined
        ? ''
        : `\n  WHERE ${taken.take === 'average' ? '' : 'fact_rows.place_in_time = 1 AND '}fact_rows.taken_at IS NOT NULL`;
    const from = sql`FROM (\n    ${facts}\n  ) AS fact_rows${kept}`;
    const ranks = this.ranks(subquery, within);
    const rows =
      ranks.length === 0 ? from : sql`FROM (\n    SELECT fact_rows.*, ${ranks.join(', ')}\n  ${from}\n  ) AS fact_rows`;
    if (taken?.take === 'average') return this.#averaged(subquery, taken, names, { rows, computed });
    const outer = names.map((name) => `fact_rows.${name} AS ${name}`);
    return sql`  SELECT ${[...outer, ...computed].join(', ')}\n  ${rows}${groupBy(names.length)}`;
  }

  /** Writes the groups of rows that are aggregated as they are selected. */
  #ofRows(
    subquery: FactSubquery,
    grouping: readonly FieldInRole[],
    computed: readonly string[],
    counted: Bound | undefined,
  ): SqlPart {
    const turn = turnOf(subquery);
    const from = this.#fromWhere(subquery, grouping.length, '  ');
    if (computed.length === 0) {
      return sql`  SELECT DISTINCT ${[...turn, ...this.#groups(subquery, grouping)].join(', ')}\n  ${from}`;
    }
    const numbered =
      turn.length > 0 ? new Map<number, NumberedGroup>() : numberedGroups(subquery, grouping.length, this.#rows);
    const groups = [...turn, ...this.#groups(subquery, grouping, numbered)];
    const rows =
      counted === undefined
        ? sql`  SELECT ${[...groups, ...computed].join(', ')}\n  ${from}${groupBy(groups.length)}`
        : selectCounted(subquery, { groups, ...this.#parts(subquery, counted) }, computed, from);
    return numbered.size === 0
      ? rows
      : selectFirstDays(numbered, grouping.length, { rows, values: computed.map(nameOf) });
  }

  #parts(subquery: FactSubquery, counted: Bound): { readonly value: string; readonly aggregates: readonly string[] } {
    return {
      value: renderTemplate(counted, this.#dialect, { column: this.#filling(subquery) }),
      aggregates: subquery.aggregates.map((_, index) => this.#aggregate(subquery, index)),
    };
  }

  /**
   * Writes the aggregates of each date, then their mean over the dates of each group. With `per`, each of its values has
   * its own mean, and the means are combined.
   */
  #averaged(
    subquery: FactSubquery,
    taken: Taken,
    groups: readonly string[],
    { rows, computed }: { readonly rows: SqlPart; readonly computed: readonly string[] },
  ): SqlPart {
    const per = perNames(taken);
    const aggregates = subquery.aggregates.map((_, index) => `${this.#aggregate(subquery, index)} AS a${index}`);
    const dated = [...groups, ...per, 'taken_at'].map((name) => `fact_rows.${name} AS ${name}`);
    const byDate = sql`SELECT ${[...dated, ...aggregates, 'COUNT(*) AS row_count'].join(', ')}\n  ${rows}${groupBy(dated.length)}`;
    const each = [...groups, ...per].map((name) => `by_date.${name} AS ${name}`);
    const means = subquery.aggregates.map((_, index) => `${this.#mean(`by_date.a${index}`)} AS a${index}`);
    const byPart =
      per.length === 0
        ? byDate
        : sql`SELECT ${[...each, ...means, 'SUM(by_date.row_count) AS row_count'].join(', ')}\n  FROM (\n  ${byDate}\n  ) AS by_date${groupBy(each.length)}`;
    const shown = groups.map((name) => `by_date.${name} AS ${name}`);
    return sql`  SELECT ${[...shown, ...computed].join(', ')}\n  FROM (\n  ${byPart}\n  ) AS by_date${groupBy(groups.length)}`;
  }

  #groups(
    { groups, groupNodes }: FactSubquery,
    grouping: readonly FieldInRole[],
    numbered?: ReadonlyMap<number, NumberedGroup>,
  ): readonly string[] {
    return grouping.map((_, index) => {
      const [group, node] = [groups[index], groupNodes[index]];
      if (group === undefined || node === undefined) throw new InternalError('a group has no place in its subquery');
      return `${numbered?.get(index)?.number ?? this.#rows.group(group, node)} AS g${index}`;
    });
  }

  /** Returns whether rows are selected in a nested query before they are grouped. */
  isNested(subquery: FactSubquery): boolean {
    const { distinct, scope } = subquery;
    return distinct !== undefined || scope.taken !== undefined || this.#rankedOf(subquery).length > 0;
  }

  /** Lists the indexes of the percentiles that the engine has no function for; they are computed from ranks. */
  #rankedOf({ aggregates }: FactSubquery): readonly number[] {
    return aggregates.flatMap(({ call: { percentile } }, index) => {
      return percentile === undefined || this.#dialect.percentile('', percentile) !== undefined ? [] : [index];
    });
  }

  /** Returns, for each of these percentiles, the place of a row's value in its group and the number of values. */
  ranks(subquery: FactSubquery, within: readonly string[]): readonly string[] {
    const filling = this.#filling(subquery);
    return this.#rankedOf(subquery).flatMap((index) => {
      const { call } = aggregateAt(subquery, index);
      const value = this.#value(call, filling);
      const keys = within.map((name) => `fact_rows.${name}`);
      // Nulls are numbered separately, because they are not values.
      const ranked = [...keys, `CASE WHEN ${value} IS NULL THEN 1 ELSE 0 END`].join(', ');
      const order = this.#dialect.orderBy(value, call.percentile?.isDescending === true ? 'desc' : 'asc');
      const all = keys.length === 0 ? '' : `PARTITION BY ${keys.join(', ')}`;
      return [
        `ROW_NUMBER() OVER (PARTITION BY ${ranked} ORDER BY ${order}) AS place_${index}`,
        `COUNT(${value}) OVER (${all}) AS values_${index}`,
      ];
    });
  }

  /**
   * Writes the date of a row as `taken_at`. A mean also needs the values of `per`; first and last need the rank of the date
   * in its period, which rows of one date share.
   */
  #taken(
    { take, by, per }: Taken,
    { groups, groupNodes, periods = [] }: FactSubquery,
    grouping: readonly FieldInRole[],
  ) {
    const moment = this.#rows.expression(by);
    const parts = per.map((each) => this.#rows.expression(each));
    if (take === 'average') return [`${moment} AS taken_at`, ...parts.map((part, index) => `${part} AS p${index}`)];
    const within = [
      ...grouping.flatMap((_, index) => {
        const [group, node] = [groups[index], groupNodes[index]];
        const isPeriod = group !== undefined && node !== undefined && periods.includes(index);
        return isPeriod ? [this.#rows.group(group, node)] : [];
      }),
      ...parts,
    ];
    const partition = within.length === 0 ? '' : `PARTITION BY ${within.join(', ')} `;
    const order = this.#dialect.orderBy(moment, take === 'last' ? 'desc' : 'asc');
    return [`${moment} AS taken_at`, `RANK() OVER (${partition}ORDER BY ${order}) AS place_in_time`];
  }

  #fromWhere(subquery: FactSubquery, groupCount: number, indent: string): SqlPart {
    const { scope, groups } = subquery;
    return this.#rows.fromWhere(subquery, groups.slice(0, groupCount), scope.filters ?? [], indent);
  }

  /** Returns the writer of columns where a subquery is aggregated. */
  #filling(subquery: FactSubquery): (leaf: ColumnLeaf) => string {
    if (!this.isNested(subquery) && !isLayered(subquery)) return (leaf) => this.#rows.column(leaf);
    const reads = readsOf(subquery);
    return (leaf) => {
      const index = reads.findIndex(({ dataset, column }) => dataset === leaf.dataset && column === leaf.column);
      if (index < 0) throw new InternalError('an aggregate reads a column that its subquery does not carry');
      return `fact_rows.c${index}`;
    };
  }
}

/** Returns the name of a column in `expression AS name`. */
function nameOf(column: string): string {
  return column.slice(column.lastIndexOf(' ') + 1);
}

/** Returns the column that numbers the offsets which a subquery has together. */
function turnOf({ spread }: FactSubquery): readonly string[] {
  const isOfSeveral = spread !== undefined && 'pairs' in spread.by && spread.by.together !== undefined;
  return isOfSeveral ? [`${SPREAD}.${TURN} AS ${TURN}`] : [];
}

function perNames({ per }: Taken): readonly string[] {
  return per.map((_, index) => `p${index}`);
}

function aggregateAt({ aggregates }: FactSubquery, index: number): AggregateRef {
  const aggregate = aggregates[index];
  if (aggregate === undefined) throw new InternalError('a subquery lacks an aggregate');
  return aggregate;
}

/** Returns the aggregation of the rows: the request's override, or the call's own. */
function aggregationOf({ call, aggregation }: AggregateRef): Aggregation {
  return aggregation !== undefined && call.argument !== undefined ? aggregation : call.aggregation;
}

/** The SQL of each aggregation that a request may use in place of a metric's own. */
const OVERRIDE_SQL: Readonly<Record<OverridingAggregation, (argument: string) => string>> = {
  sum: (argument) => `SUM(${argument})`,
  avg: (argument) => `AVG(${argument})`,
  min: (argument) => `MIN(${argument})`,
  max: (argument) => `MAX(${argument})`,
  count: (argument) => `COUNT(${argument})`,
};

/** Writes a percentile from the places of values. It compares whole numbers, so that no fraction is rounded. */
function rankedPercentile(
  dialect: Dialect,
  value: string,
  { numerator, denominator, isInterpolated }: Percentile,
  index: number,
): string {
  const place = `fact_rows.place_${index}`;
  const count = `fact_rows.values_${index}`;
  if (!isInterpolated) {
    const isMeant =
      numerator === 0
        ? `${place} = 1`
        : `${place} * ${denominator} >= ${count} * ${numerator} AND (${place} - 1) * ${denominator} < ${count} * ${numerator}`;
    return `MAX(CASE WHEN ${isMeant} THEN ${value} END)`;
  }
  const target = `(${count} - 1) * ${numerator}`;
  const number = dialect.castForDivision(value);
  // No expression is negative, because MySQL's places are unsigned.
  const at = `${place} * ${denominator}`;
  const isBefore = `${at} <= ${target} + ${denominator} AND ${target} < ${at}`;
  const isBehind = `${at} < ${target} + ${2 * denominator} AND ${target} + ${denominator} < ${at}`;
  const parts = [
    `WHEN ${isBefore} THEN ${number} * (${at} - ${target})`,
    `WHEN ${isBehind} THEN ${number} * (${target} + ${2 * denominator} - ${at})`,
  ];
  return `(SUM(CASE ${parts.join(' ')} END) / ${denominator})`;
}

/** Returns the columns that the aggregates of a subquery read, each once. */
export function readsOf({ distinct, aggregates }: FactSubquery): readonly ColumnLeaf[] {
  if (distinct !== undefined) return distinct.reads;
  const leaves = aggregates.flatMap(({ call }) => leavesOf(call.call));
  return [...new Map(leaves.map((leaf) => [JSON.stringify([leaf.dataset, leaf.column]), leaf])).values()];
}
