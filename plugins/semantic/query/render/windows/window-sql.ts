/** SQL of windows: which periods end them, and the rows between their ends. */

import type { Dialect } from '../../../../../router/capabilities/dialect.ts';
import { DATE_GRAINS, isGrainOf, isMomentType } from '../../../../../router/date-grains.ts';
import { InternalError } from '../../../../../router/errors.ts';
import { joinSql, type SqlPart, sql } from '../../../../query-surface/index.ts';
import type { Bound, ColumnLeaf, DayShift, Window } from '../../../model/template.ts';
import { fieldAtGrain, type ResolvedGrain, tableOf } from '../../nodes/grain.ts';
import type { DatedRows, Fill } from '../../nodes/plan.ts';
import type { FieldInRole } from '../../nodes/resolved-query.ts';
import { grainSql } from '../grain-sql.ts';
import type { RowsRenderer } from '../rows.ts';
import { firstDayOf, movedDay } from '../shown-days.ts';
import { dayOfLeaving, distinctByDay } from './distinct-values.ts';
import { everyCombination } from './every-combination.ts';
import {
  at0,
  dateMoment,
  endsLatest,
  finestOf,
  hasEnd,
  isAveraged,
  isCut,
  isFilled,
  isOfTable,
  lastDayOf,
  lastDaysOf,
  type MadeOf,
  numbers,
  STEPS,
  startNames,
  type WindowQuery,
} from './requested-windows.ts';
import { daysOfGroup, startsOf, windowEnd, withStarts } from './table-windows.ts';

export class WindowRenderer {
  readonly #rows: RowsRenderer;
  readonly #dialect: Dialect;

  constructor(rows: RowsRenderer, dialect: Dialect) {
    this.#rows = rows;
    this.#dialect = dialect;
  }

  /** Writes the groups that all filters leave, as `g…`. */
  shown({ windowed: { shown }, grouping, subquery }: WindowQuery): SqlPart {
    const groups = grouping.map((_, index) => this.#group(grouping, shown, index));
    return sql`  SELECT DISTINCT ${groups.join(', ')}\n  ${this.#fromWhere(shown, grouping, subquery.scope.filters)}`;
  }

  /**
   * Writes the ends of windows: the groups of the axis as `g…`, and the days at which they begin as `s…`. Where windows are
   * anchored, the day with which they end is `e0`.
   *
   * @param shown names of the queries with the answered groups, of all facts
   * @param fill the date with periods that are answered even without facts
   */
  spine(query: WindowQuery, shown: readonly string[], fill: Fill | undefined): SqlPart {
    const ends = this.#ends(query, shown, fill);
    const { length } = query.window;
    if (!isOfTable(length)) return ends;
    return withStarts(ends, query, startsOf(length, this.#rows.daysOfWindows(length.table, '    ')));
  }

  /** Writes the ends, and the beginnings of windows that no table defines. */
  #ends(query: WindowQuery, shown: readonly string[], fill: Fill | undefined): SqlPart {
    const { windowed, grouping, axis, isAnchored } = query;
    const groups = axis.map((index) => `g${index}`);
    const shownGroups = [
      `SELECT DISTINCT ${groups.join(', ')} FROM (`,
      shown.map((one) => `      SELECT ${groups.join(', ')} FROM ${one}`).join('\n      UNION ALL\n'),
      '    ) AS shown',
    ].join('\n');
    // Facts that other filters leave out end windows of parts, which are answered where some fact that is left has them.
    const asked =
      axis.length === 0
        ? ''
        : `\n  INNER JOIN (${shownGroups}) AS known ON ${groups.map((name) => `known.${name} = ends.${name}`).join(' AND ')}`;
    if (isAnchored && isAveraged(query)) return this.#daysBetweenEnds(query, asked);
    if (isAnchored) {
      const { ends } = windowed;
      const end = query.window.take === 'first' ? 'MIN' : 'MAX';
      const fixed = this.#fixedEnd(query);
      if (fixed !== undefined) return `  SELECT ${[`${fixed} AS e0`, ...this.#starts(query, [fixed])].join(', ')}`;
      const groupColumns = axis.map(
        (index, at) => `${this.#rows.group(at0(grouping, index), at0(ends.groupNodes, at))} AS g${index}`,
      );
      const onAxis = axis.map((index) => at0(grouping, index));
      const day = this.#rows.group(ends.by, ends.by.node);
      const numbers = groupColumns.map((_, index) => index + 1).join(', ');
      const last = this.#anchoredEnd(query);
      const columns = [
        ...groups.map((name) => `ends.${name} AS ${name}`),
        `${last} AS e0`,
        ...this.#starts(query, [last]),
      ];
      const by = groupColumns.length === 0 ? '' : `\n    GROUP BY ${numbers}`;
      const endsOfGroups = sql`SELECT ${[...groupColumns, `${end}(${day}) AS e0`].join(', ')}\n    ${this.#fromWhere(ends, onAxis)}${by}`;
      const { moved } = windowed;
      const lastDays = moved?.kind === 'pairs' && moved.pairs.kind === 'to' ? this.#lastDays(query, 'ends') : '';
      return sql`  SELECT ${columns.join(', ')}\n  FROM (\n    ${endsOfGroups}\n  ) AS ends${asked}${lastDays}`;
    }
    const days = axis.map((index) => this.#end(query, index, 'periods'));
    const ends = axis.flatMap((index, at) => (hasEnd(query, index) ? [`${at0(days, at)} AS e${at}`] : []));
    const all = isFilled(query, fill)
      ? everyCombination(query, fill, shownGroups, this.#rows, this.#dialect)
      : shownGroups;
    if (isAveraged(query)) return this.#daysOfPeriods(query, all);
    return [
      `  SELECT DISTINCT ${[...groups.map((name) => `periods.${name} AS ${name}`), ...ends, ...this.#starts(query, days)].join(', ')}`,
      `  FROM (\n    ${all}\n  ) AS periods${this.#lastDays(query, 'periods')}`,
      `  WHERE ${groups.map((name) => `periods.${name} IS NOT NULL`).join(' AND ')}`,
    ].join('\n');
  }

  /**
   * Joins the first and last days of periods that stand in a table, or that are shown at other days, of those that the
   * filters of the date leave, to what has the periods. The day with which filters end may itself be of another period,
   * or of none.
   */
  #lastDays(query: WindowQuery, from: string): string {
    const { axis, windowed } = query;
    const { lastDay } = windowed;
    const left = lastDay === undefined ? '' : ` WHERE days.period_day <= ${this.#dialect.literal(lastDay, 'date')}`;
    const joins = axis.flatMap((index) => {
      const days = daysOfGroup(query, index, this.#rows, this.#dialect);
      if (days === undefined) return [];
      const name = lastDaysOf(index);
      const ends = 'MIN(days.period_day) AS period_begin, MAX(days.period_day) AS period_end';
      return [
        `\n  LEFT JOIN (SELECT days.period_start AS period_start, ${ends} FROM (${days}) AS days${left} GROUP BY days.period_start) AS ${name} ON ${name}.period_start = ${from}.g${index}`,
      ];
    });
    return joins.join('');
  }

  /** Writes each day of the periods, as far as the filters of the date leave it. */
  #daysOfPeriods(query: WindowQuery, periods: string): string {
    const { axis, windowed } = query;
    const groups = axis.map((index) => `g${index}`);
    const [table, ...others] = axis.flatMap((index) => {
      const days = daysOfGroup(query, index, this.#rows, this.#dialect);
      return days === undefined ? [] : [{ index, days }];
    });
    const within = axis.flatMap((index) => [
      `days.e0 >= ${this.#begin(query, index, 'days')}`,
      `days.e0 <= ${this.#end(query, index, 'days')}`,
    ]);
    const { firstDay, lastDay } = windowed;
    const left = [
      ...(firstDay === undefined ? [] : [`days.e0 >= ${this.#dialect.literal(firstDay, 'date')}`]),
      ...(lastDay === undefined ? [] : [`days.e0 <= ${this.#dialect.literal(lastDay, 'date')}`]),
    ];
    const { day, source, from, own } = this.#dayOf(query, table);
    return [
      `  SELECT DISTINCT ${[...groups.map((name) => `days.${name} AS ${name}`), 'days.e0 AS e0', ...this.#starts(query, ['days.e0'])].join(', ')}`,
      `  FROM (\n    SELECT ${[...groups.map((name) => `periods.${name} AS ${name}`), `${day} AS e0`].join(', ')}`,
      `    FROM (\n    ${periods}\n    ) AS periods CROSS JOIN (${source}) AS ${from}`,
      `    WHERE ${[...groups.map((name) => `periods.${name} IS NOT NULL`), ...own].join(' AND ')}\n  ) AS days${this.#lastDays(query, 'days')}`,
      ...others.map(({ index, days }) => {
        const daysName = `own_days_${index}`;
        return `  LEFT JOIN (${days}) AS ${daysName} ON ${daysName}.period_start = days.g${index} AND ${daysName}.period_day = days.e0`;
      }),
      `  WHERE ${[...within, ...left, ...others.map(({ index }) => `own_days_${index}.period_day IS NOT NULL`)].join(' AND ')}`,
    ].join('\n');
  }

  /**
   * Returns the query with the days of periods: a table that defines them, or numbers that count from the first day of the
   * shortest.
   */
  #dayOf(query: WindowQuery, table: { readonly index: number; readonly days: string } | undefined) {
    if (table !== undefined) {
      const { index, days } = table;
      const own = [`own_days.period_start = periods.g${index}`];
      return { day: 'own_days.period_day', source: days, from: 'own_days', own };
    }
    const index = finestOf(query) ?? at0(query.axis, 0);
    const { grain } = at0(query.grouping, index);
    const { count, unit } = grain !== undefined && isGrainOf(grain.name, 'period') ? STEPS[grain.name] : STEPS.day;
    const first = dateMoment(this.#begin(query, index, 'periods'));
    const digits = String(unit === 'day' ? count - 1 : count * 31 - 1).length;
    return { day: this.#dialect.shifted(first, 'numbers.n', 'day'), source: numbers(digits), from: 'numbers', own: [] };
  }

  /** Writes each day from the first to the last fact that the filters of the date leave, for the requested parts. */
  #daysBetweenEnds(query: WindowQuery, asked: string): SqlPart {
    const { grouping, axis, windowed } = query;
    const { ends } = windowed;
    const groups = axis.map((index) => `g${index}`);
    const groupColumns = axis.map(
      (index, at) => `${this.#rows.group(at0(grouping, index), at0(ends.groupNodes, at))} AS g${index}`,
    );
    const onAxis = axis.map((index) => at0(grouping, index));
    const bound = this.#rows.group(ends.by, ends.by.node);
    const shown = axis.flatMap((index) => {
      const { grain } = at0(grouping, index);
      // A day that is shown at several is the only one of its group.
      const isElsewhere = grain?.moved !== undefined && grain.moved.kind !== 'shifted';
      if (grain === undefined || DATE_GRAINS[grain.name].needsTime || isElsewhere) return [];
      const day = movedDay(dateMoment('days.e0'), grain, this.#dialect) ?? dateMoment('days.e0');
      return [{ index, sql: grainSql(day, grain, this.#dialect) }];
    });
    // DISTINCT ensures that days are made before their groups are computed; engines then find the days by these groups.
    const ofDay = ['days.e0 AS e0', ...shown.map(({ index, sql }) => `${sql} AS g${index}`)].join(', ');
    const within = ['days.e0 >= ends.first_day', 'days.e0 <= ends.last_day'];
    const alike = shown.map(({ index }) => `days.g${index} = ends.g${index}`);
    const by =
      groupColumns.length === 0 ? '' : `\n    GROUP BY ${groupColumns.map((_, index) => index + 1).join(', ')}`;
    const day = this.#dialect.shifted(dateMoment('bounds.first_day'), 'numbers.n', 'day');
    const extent = [`MIN(${bound}) AS first_day`, `MAX(${bound}) AS last_day`];
    const facts = this.#fromWhere(ends, onAxis);
    const columns = [
      ...groups.map((name) => `ends.${name} AS ${name}`),
      'days.e0 AS e0',
      ...this.#starts(query, ['days.e0']),
    ];
    return joinSql(
      [
        `  SELECT DISTINCT ${columns.join(', ')}`,
        sql`  FROM (\n    SELECT ${[...groupColumns, ...extent].join(', ')}\n    ${facts}${by}\n  ) AS ends${asked} CROSS JOIN (`,
        `    SELECT ${ofDay} FROM (`,
        `    SELECT DISTINCT ${day} AS e0`,
        sql`    FROM (\n    SELECT ${extent.join(', ')}\n    ${facts}\n    ) AS bounds CROSS JOIN (${numbers(5)}) AS numbers`,
        `    WHERE ${day} <= bounds.last_day\n    ) AS days\n  ) AS days`,
        `  WHERE ${[...alike, ...within].join(' AND ')}`,
      ],
      '\n',
    );
  }

  /**
   * Writes the rows of each window: its groups as `g…`, and the aggregates' inputs as `c…`.
   *
   * @param made the values that are computed of each day's rows before the windows join them; each window then reads these
   * values of its days
   */
  windows(query: WindowQuery, spine: string, reads: readonly ColumnLeaf[], made?: MadeOf): SqlPart {
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
    const begins = starts.length > 1 && !isLatest ? [`(${starts.join(' OR ')})`] : starts;
    const distinct = subquery.distinct === undefined ? '' : 'DISTINCT ';
    const rows = sql`    SELECT ${distinct}${columns.join(', ')}\n    ${this.#fromWhere(facts, grouping, subquery.scope.filters)}`;
    const others = grouping.flatMap((_, index) => (axis.includes(index) ? [] : [`g${index}`]));
    if (made !== undefined && 'value' in made) {
      const leaves = dayOfLeaving(query, 'seen.d', this.#dialect);
      const counted = distinctByDay(rows, { others, value: made.value, leaves });
      const names = ['distinct_values', 'row_count'].map((name) => `fact_rows.${name} AS ${name}`);
      return joinSql(
        [
          `  SELECT ${[...groups, ...names, `${averaged ? 'spine.e0' : 'fact_rows.d'} AS d`].join(', ')}`,
          sql`  FROM ${spine} AS spine CROSS JOIN (\n${counted}\n  ) AS fact_rows`,
          '  WHERE fact_rows.d <= spine.window_end AND (fact_rows.next_day IS NULL OR fact_rows.next_day > spine.window_end) AND fact_rows.row_count > 0',
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
        : sql`    SELECT ${[...byDay.map((name) => `fact_rows.${name} AS ${name}`), ...days].join(', ')}\n    FROM (\n${rows}\n    ) AS fact_rows\n    GROUP BY ${byDay.map((_, index) => index + 1).join(', ')}`;
    const columnsOfWindows = [...groups, ...read, `${averaged ? 'spine.e0' : 'fact_rows.d'} AS d`].join(', ');
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

  /** Lists the days with which windows end: of a group, and where the filters end within it. */
  #endsOf(query: WindowQuery, days: readonly string[]): readonly string[] {
    const { lastDay } = query.windowed;
    return isCut(query) ? [...days, this.#dialect.literal(lastDay ?? null, 'date')] : days;
  }

  #starts(query: WindowQuery, days: readonly string[]): readonly string[] {
    const { by } = query.windowed;
    const names = startNames(query);
    const all = this.#endsOf(query, days);
    if (query.countsDistinct || isOfTable(query.window.length)) return [windowEnd(query, all)];
    return names.map((name, at) => `${this.#start(query.window, by.grain, at0(all, at))} AS ${name}`);
  }

  /** Writes the day at which the window begins that ends with `day`. */
  #start({ length }: Window, grain: ResolvedGrain | undefined, day: string): string {
    switch (length.kind) {
      case 'all':
      case 'to_date_of_table':
      case 'last_of_table':
        throw new InternalError('the beginning of a window is not computed of its end');
      case 'to_date':
        return firstDayOf(length.period, dateMoment(day), grain?.firstDay ?? 1, this.#dialect);
      case 'last': {
        const { count, unit } = STEPS[length.grain];
        const steps = count * length.count;
        if (unit === 'day') return this.#dialect.shifted(dateMoment(day), String(1 - steps), 'day');
        // Months are counted from the day after, so that whole months end whole windows.
        return this.#dialect.shifted(
          dateMoment(this.#dialect.shifted(dateMoment(day), '1', 'day')),
          String(-steps),
          unit,
        );
      }
    }
  }

  /** Writes the day with which all windows end where the filters give it. */
  #fixedEnd({ windowed: { moved } }: WindowQuery): string | undefined {
    return moved?.kind === 'to' && moved.day !== undefined ? this.#dialect.literal(moved.day, 'date') : undefined;
  }

  /** Writes the day with which the window of an anchored group ends, of which `ends.e0` is the last day. */
  #anchoredEnd(query: WindowQuery): string {
    const { moved, by } = query.windowed;
    const isTo = moved?.kind === 'to' || (moved?.kind === 'pairs' && moved.pairs.kind === 'to');
    const period = isTo ? finestOf(query) : undefined;
    if (period !== undefined) return this.#end(query, period, 'ends');
    if (moved?.kind !== 'to') return 'ends.e0';
    return firstDayOf(moved.period, dateMoment('ends.e0'), by.grain?.firstDay ?? 1, this.#dialect);
  }

  /** Writes the first day of a period's window, which may be before the period. */
  #begin({ windowed: { moved } }: WindowQuery, index: number, from: string): string {
    const value = `${from}.g${index}`;
    if (moved?.kind === 'pairs') return `${lastDaysOf(index)}.period_begin`;
    return moved?.kind === 'back' ? this.#back(value, moved.shift) : value;
  }

  #back(day: string, { unit, count }: DayShift): string {
    return this.#dialect.shifted(dateMoment(day), String(-count), unit);
  }

  /** Writes the day with which the window of a period of the axis ends; `from` names the query with the periods. */
  #end(query: WindowQuery, index: number, from: string): string {
    const { moved, by } = query.windowed;
    const value = `${from}.g${index}`;
    if (moved === undefined) return this.#lastDay(query, index, value);
    if (moved.kind === 'pairs') {
      return `${lastDaysOf(index)}.${query.window.take === 'first' ? 'period_begin' : 'period_end'}`;
    }
    if (moved.kind === 'to') {
      const first = `${from}.g${finestOf(query) ?? index}`;
      return firstDayOf(moved.period, dateMoment(first), by.grain?.firstDay ?? 1, this.#dialect);
    }
    // Of a month the month before ends with its own last day.
    if (moved.shift.unit === 'month') return this.#lastDay(query, index, this.#back(value, moved.shift));
    return this.#back(this.#lastDay(query, index, value), moved.shift);
  }

  /** Writes the last day of a period of the axis, or the first where that is wanted. */
  #lastDay({ grouping, window, windowed }: WindowQuery, index: number, value: string): string {
    const { field, grain } = at0(grouping, index);
    if (grain !== undefined && isGrainOf(grain.name, 'period')) {
      if (window.take === 'first') return value;
      if (tableOf(grain) !== undefined) return `${lastDaysOf(index)}.period_end`;
      return lastDayOf(value, grain.name, this.#dialect);
    }
    const { type } = fieldAtGrain(field, grain);
    if (!isMomentType(type)) throw new InternalError('a window ends with what is no date');
    const { zone } = windowed.by.grain ?? {};
    return this.#dialect.grains.day({ expression: value, type, zone }, grain?.firstDay ?? 1);
  }
}
