/** Writes the SQL of the rows of windows, which lie between the first and the last day of each. */

import type { Dialect } from '../../../../../router/capabilities/dialect.ts';
import { joinSql, type SqlPart, sql } from '../../../../query-surface/index.ts';
import type { Bound, ColumnLeaf } from '../../../model/template.ts';
import type { DatedRows } from '../../nodes/plan.ts';
import type { FieldInRole } from '../../nodes/resolved-query.ts';
import { groupBy } from '../group-by.ts';
import { TURN } from '../period-rows.ts';
import type { RowsRenderer } from '../rows.ts';
import { dayOfLeaving, distinctByDay } from './distinct-values.ts';
import { at0, endsLatest, hasEnd, isAveraged, type MadeOf, startNames, type WindowQuery } from './requested-windows.ts';

/** Writes the rows of windows, and the groups that an answer shows. */
export class WindowRowsRenderer {
  readonly #rows: RowsRenderer;
  readonly #dialect: Dialect;

  constructor(rows: RowsRenderer, dialect: Dialect) {
    this.#rows = rows;
    this.#dialect = dialect;
  }

  /** Writes the groups of the rows that pass all filters, as `g…`. */
  shown({ windowed: { shown }, grouping, subquery }: WindowQuery): SqlPart {
    const groups = grouping.map((_, index) => this.#group(grouping, shown, index));
    // Its readers need each group once, or do not mind; where each of them computes it anew, once here is another stage.
    const once = this.#dialect.inlinesCommonTables ? '' : 'DISTINCT ';
    return sql`  SELECT ${once}${groups.join(', ')}\n  ${this.#fromWhere(shown, grouping, subquery.scope.filters)}`;
  }

  /**
   * Writes the rows of each window: its groups as `g…`, and the aggregates' inputs as `c…`. The rows of several windows have
   * the `turn` of theirs.
   *
   * @param made the values that are computed for each day before the windows join them; each window then reads the values
   * of its days
   */
  rowsOfWindows(query: WindowQuery, spine: string, reads: readonly ColumnLeaf[], made?: MadeOf): SqlPart {
    const { subquery, windowed, grouping, axis, isAnchored } = query;
    const days = made !== undefined && 'days' in made ? made.days : undefined;
    const groups = grouping.map((_, index) => `${axis.includes(index) ? 'spine' : 'fact_rows'}.g${index} AS g${index}`);
    const facts: DatedRows = {
      ...windowed,
      tree: subquery.tree,
      groupNodes: subquery.groupNodes,
      where: subquery.where,
    };
    const groupColumns = grouping.flatMap((_, index) =>
      axis.includes(index) ? [] : [this.#group(grouping, facts, index)],
    );
    const averaged = isAveraged(query);
    const hasOneEnd = averaged || isAnchored;
    const whole = hasOneEnd ? [] : axis.filter((index) => !hasEnd(query, index));
    const periods = whole.map((index) => {
      return `${this.#rows.group(at0(grouping, index), at0(facts.groupNodes, index))} AS p${index}`;
    });
    const columns = [
      ...groupColumns,
      ...periods,
      `${this.#rows.group(facts.by, facts.by.node)} AS d`,
      ...(subquery.distinct?.key ?? []).map((column, index) => {
        return `${this.#rows.column({ dataset: subquery.base, column })} AS k${index}`;
      }),
      ...reads.map((leaf, index) => `${this.#rows.column(leaf)} AS c${index}`),
    ];
    const ends = hasOneEnd
      ? ['fact_rows.d <= spine.e0']
      : axis.map((index, at) => {
          return hasEnd(query, index) ? `fact_rows.d <= spine.e${at}` : `fact_rows.p${index} <= spine.g${index}`;
        });
    const starts = startNames(query).map((name) => `fact_rows.d >= spine.${name}`);
    const isLatest = endsLatest(query);
    const end = ends.length > 1 && isLatest ? [`(${ends.join(' OR ')})`] : ends;
    const begins = sinceAnyDay(query, starts.length > 1 && !isLatest ? [`(${starts.join(' OR ')})`] : starts);
    const turn = query.lengths.length === 1 ? [] : [`spine.${TURN} AS ${TURN}`];
    const distinct = subquery.distinct === undefined ? '' : 'DISTINCT ';
    const rows = sql`    SELECT ${distinct}${columns.join(', ')}\n    ${this.#fromWhere(facts, grouping, subquery.scope.filters)}`;
    const others = grouping.flatMap((_, index) => (axis.includes(index) ? [] : [`g${index}`]));
    if (made !== undefined && 'value' in made) {
      const leaves = query.lengths.map((length) => dayOfLeaving(length, windowed, 'seen.d', this.#dialect));
      const counted = distinctByDay(rows, { others, value: made.value, leaves }, this.#dialect);
      const names = ['distinct_values', 'row_count'].map((name) => `fact_rows.${name} AS ${name}`);
      const ofTurn = turn.length === 0 ? '' : `fact_rows.${TURN} = spine.${TURN} AND `;
      return joinSql(
        [
          `  SELECT ${[...turn, ...groups, ...names, `${averaged ? 'spine.e0' : 'fact_rows.d'} AS d`].join(', ')}`,
          sql`  FROM ${spine} AS spine CROSS JOIN (\n${counted}\n  ) AS fact_rows`,
          `  WHERE ${ofTurn}fact_rows.d <= spine.window_end AND (fact_rows.next_day IS NULL OR fact_rows.next_day > spine.window_end) AND fact_rows.row_count > 0`,
        ],
        '\n',
      );
    }
    const byDay = [...others, ...whole.map((index) => `p${index}`), 'd'];
    const read = (days ?? reads.map((_, index) => `fact_rows.c${index} AS c${index}`)).map((one) => {
      const name = one.slice(one.lastIndexOf(' ') + 1);
      return `fact_rows.${name} AS ${name}`;
    });
    const factRows =
      days === undefined
        ? rows
        : sql`    SELECT ${[...byDay.map((name) => `fact_rows.${name} AS ${name}`), ...days].join(', ')}\n    FROM (\n${rows}\n    ) AS fact_rows${groupBy(byDay.length, '    ')}`;
    const columnsOfWindows = [...turn, ...groups, ...read, `${averaged ? 'spine.e0' : 'fact_rows.d'} AS d`].join(', ');
    const within = [...end, ...begins].join(' AND ');
    return sql`  SELECT ${columnsOfWindows}\n  FROM ${spine} AS spine CROSS JOIN (\n${factRows}\n  ) AS fact_rows\n  WHERE ${within}`;
  }

  /** @param groups the groups that are read from the rows, each at its node */
  #fromWhere(rows: DatedRows, groups: readonly FieldInRole[], filters: readonly Bound[] = []): SqlPart {
    return this.#rows.fromWhere(rows, groups, filters, '    ');
  }

  #group(grouping: readonly FieldInRole[], { groupNodes }: DatedRows, index: number): string {
    return `${this.#rows.group(at0(grouping, index), at0(groupNodes, index))} AS g${index}`;
  }
}

/** Adds the windows of all time to conditions on the beginnings of the other windows that are written with them. */
function sinceAnyDay({ lengths }: WindowQuery, begins: readonly string[]): readonly string[] {
  const ofAllTime = lengths.flatMap(({ kind }, turn) => (kind === 'all' ? [`spine.${TURN} = ${turn}`] : []));
  if (begins.length === 0 || ofAllTime.length === 0) return begins;
  return [`(${[begins.join(' AND '), ...ofAllTime].join(' OR ')})`];
}
