/** Writes the groups and metrics of an answer, before they are sorted, filtered and cut. */

import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../../router/errors.ts';
import { type SqlPart, sql } from '../../../query-surface/index.ts';
import { renderTemplate } from '../../model/template.ts';
import { isCounting, isZeroWhenEmpty } from '../nodes/aggregate-kinds.ts';
import type { FactSubquery, MetricColumn, Plan } from '../nodes/plan.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import { countsRows, isLayered } from '../nodes/subquery-kinds.ts';
import { LayersRenderer, SHOWN } from './layers.ts';
import { TURN } from './period-rows.ts';
import type { RowsRenderer } from './rows.ts';
import { readsOf, SubqueryRenderer } from './subquery.ts';

/** A SELECT and the common table expressions that it reads. */
export interface Rows {
  readonly common: readonly SqlPart[];
  readonly rows: SqlPart;
}

/** Writes every metric of a plan by its groups. */
export class AnswerRenderer {
  readonly #plan: Plan;
  readonly #rows: RowsRenderer;
  readonly #subqueries: SubqueryRenderer;
  readonly #dialect: Dialect;

  constructor(plan: Plan, rows: RowsRenderer, dialect: Dialect) {
    this.#plan = plan;
    this.#rows = rows;
    this.#subqueries = new SubqueryRenderer(rows, dialect, plan.rewrites);
    this.#dialect = dialect;
  }

  /** Writes every metric by these groups, as `g…` and `m…`. */
  rows(planned: readonly FactSubquery[], groups: readonly FieldInRole[], cteName: string): Rows {
    const subqueries = planned.map((one) => this.#read(one));
    const [only, ...others] = subqueries;
    if (only === undefined) throw new InternalError('a plan has no subquery');
    return others.length === 0 && !isLayered(only)
      ? { common: [], rows: this.#oneSubquery(only, groups) }
      : this.#severalSubqueries(subqueries, groups, cteName);
  }

  /** Returns the subquery that is read: the roll-up's, where it may be read. */
  #read(subquery: FactSubquery): FactSubquery {
    const { rolledUp } = subquery;
    if (rolledUp === undefined) return subquery;
    const { use, subquery: stored } = rolledUp;
    return use === 'declared' || (use === 'agrees' && this.#rows.isOfCheckedData) ? stored : subquery;
  }

  /** Returns every computed metric, hidden ones last. */
  get metrics(): readonly MetricColumn[] {
    return [...this.#plan.metrics, ...this.#plan.hiddenMetrics];
  }

  /** Lists the names of the hidden columns, which count the rows of subqueries for masking. */
  hidden(subqueries: readonly FactSubquery[]): readonly string[] {
    return this.#counted(subqueries).map((index) => `h${index}`);
  }

  #counted(subqueries: readonly FactSubquery[]): readonly number[] {
    return subqueries.flatMap((one, index) => (countsRows(this.#plan.suppression, one) ? [index] : []));
  }

  /** Writes metrics that all come from one dataset: they are computed where its rows are grouped. */
  #oneSubquery(subquery: FactSubquery, groups: readonly FieldInRole[]): SqlPart {
    const metrics = this.metrics.map((column, index) => {
      const expression = this.#metric(column, ({ at }) => this.#subqueries.aggregate(subquery, at));
      return `${expression} AS m${index}`;
    });
    return this.#subqueries.select(subquery, groups, [
      ...metrics,
      ...this.hidden([subquery]).map((name) => `${this.#subqueries.rowCount(subquery)} AS ${name}`),
    ]);
  }

  /**
   * Writes metrics of several datasets. Each dataset's rows are grouped by themselves; then the groups are combined by
   * UNION ALL and grouped again. Grouping treats nulls as equal, so no join of keys can lose or double a group. In a row of
   * one subquery the aggregates of the others are null. Each null is selected from its own subquery, so that it has the
   * right type: engines disagree on the type of a bare NULL.
   *
   * Windows and conversions have values for some groups that are not in the answer, and lack values for some groups that
   * are. A separate layer lists the groups that their rows show.
   */
  #severalSubqueries(subqueries: readonly FactSubquery[], grouping: readonly FieldInRole[], cteName: string): Rows {
    const layered = new LayersRenderer(this.#rows, this.#dialect, this.#plan.fill, {
      plain: (subquery, computed) => this.#subqueries.select(subquery, grouping, computed),
      reads: readsOf,
      isNested: (subquery) => this.#subqueries.isNested(subquery),
      ofWindows: (subquery, countsDistinct) => {
        const parts = countsDistinct ? this.#subqueries.ofDistinct(subquery) : this.#subqueries.ofDays(subquery);
        const counted = this.hidden([subquery]).map(() => 'COALESCE(SUM(fact_rows.row_count), 0) AS a_hidden');
        return parts && { ...parts, windows: [...parts.windows, ...counted] };
      },
      ranks: (subquery, within) => this.#subqueries.ranks(subquery, within),
      aggregates: (subquery) => [
        ...subquery.aggregates.map((_, at) => `${this.#subqueries.aggregate(subquery, at)} AS a${at}`),
        ...this.hidden([subquery]).map(() => `${this.#subqueries.rowCount(subquery)} AS a_hidden`),
      ],
    }).layers(subqueries, grouping, cteName);
    const groups = grouping.map((_, index) => `g${index}`);
    const { suppression } = this.#plan;
    const aggregates = subqueries.flatMap((of, subquery) => [
      ...of.aggregates.map((one, at) => ({
        subquery,
        place: layered.placeOf(subquery, at),
        name: `b${subquery}_a${at}`,
        // A mean over days is null where there are no days, also the mean of a count.
        counts: isCounting(one) && of.scope.window?.take !== 'average',
      })),
      ...(countsRows(suppression, of)
        ? [{ subquery, place: layered.placeOf(subquery, 'hidden'), name: `b${subquery}_hidden`, counts: false }]
        : []),
    ]);
    const { keep, common } = layered;
    // Without groups, a window without rows has no row among those that are written together. Its counts are 0 nevertheless.
    const empty = new Set(
      aggregates.flatMap(({ place, name, counts }) => {
        const isZero = counts || place.column === 'a_hidden';
        return groups.length === 0 && place.turn !== undefined && isZero ? [name] : [];
      }),
    );
    const greatest = (name: string) => (empty.has(name) ? `COALESCE(MAX(${name}), 0)` : `MAX(${name})`);
    const layers = layered.layers.map(({ from, of: ofLayer, hasValues, shown }) => {
      const columns = aggregates.map(({ subquery, place: { from: lacking, column, turn }, name, counts }) => {
        if (ofLayer.includes(subquery) && (hasValues || counts)) {
          const value = turn === undefined ? column : `CASE WHEN ${TURN} = ${turn} THEN ${column} END`;
          return `${hasValues ? value : '0'} AS ${name}`;
        }
        return `${this.#dialect.lackedColumn(column, lacking)} AS ${name}`;
      });
      const isShown = keep === 'all' ? [] : [`${shown} AS is_shown`];
      return `    SELECT ${[...groups, ...columns, ...isShown].join(', ')} FROM ${from}`;
    });
    const hasFacts = `MAX(is_shown) = ${SHOWN.byFacts}`;
    const metrics = this.metrics.map((column, index) => {
      const expression = this.#metric(column, (place) => greatest(`b${place.subquery}_a${place.at}`));
      // A group without facts is in the answer only because of its windows. If the request fills with zero, its counts and
      // sums are 0.
      const isZero = keep === 'series' && this.#plan.fill?.zero === true && isZeroWhenEmpty(column);
      const value = isZero
        ? `CASE WHEN ${hasFacts} THEN ${expression} ELSE COALESCE(${expression}, 0) END`
        : expression;
      return `${value} AS m${index}`;
    });
    // Metrics that count already mask the groups with facts. The hidden counts mask the other groups, so they are null for
    // groups with facts.
    const isCountedByMetrics = suppression?.isShadowed === true ? undefined : keep === 'all' ? '1 = 1' : hasFacts;
    const counted = this.#counted(subqueries).map((subquery) => {
      const count = greatest(`b${subquery}_hidden`);
      return `${isCountedByMetrics === undefined ? count : `CASE WHEN ${isCountedByMetrics} THEN NULL ELSE ${count} END`} AS h${subquery}`;
    });
    const rows = [
      `  SELECT ${[...groups, ...metrics, ...counted, ...(keep === 'series' ? ['MAX(is_shown) AS is_shown'] : [])].join(', ')}`,
      `  FROM (\n${layers.join('\n    UNION ALL\n')}\n  ) AS subqueries`,
      ...(groups.length === 0 ? [] : [`  GROUP BY ${groups.join(', ')}`]),
      ...(keep === 'shown' ? [`  HAVING MAX(is_shown) > ${SHOWN.not}`] : []),
    ].join('\n');
    const series = groups.filter((_, index) => this.#plan.fill?.dates.includes(index) !== true);
    if (keep !== 'series' || series.length === 0) return { common, rows };
    // Keeps all periods of each combination of the other fields, if at least one of its periods is answered.
    const place = `MAX(periods.is_shown) OVER (PARTITION BY ${series.map((one) => `periods.${one}`).join(', ')})`;
    return {
      common,
      rows: sql`  SELECT series.*\n  FROM (\n  SELECT periods.*, ${place} AS series_shown\n  FROM (\n${rows}\n  ) AS periods\n  ) AS series\n  WHERE series.series_shown > ${String(SHOWN.not)}`,
    };
  }

  /** Writes a metric's expression; `aggregate` writes each aggregate in it. */
  #metric(
    { metric, aggregates }: MetricColumn,
    aggregate: (place: MetricColumn['aggregates'][number]) => string,
  ): string {
    let at = 0;
    return renderTemplate(metric.expression, this.#dialect, {
      column: columnOutsideAggregate,
      aggregate: () => {
        const place = aggregates[at];
        at += 1;
        if (place === undefined) throw new InternalError('a metric has more aggregates than its plan');
        return aggregate(place);
      },
    });
  }
}

function columnOutsideAggregate(): never {
  throw new InternalError('a metric reads a column outside an aggregate');
}
