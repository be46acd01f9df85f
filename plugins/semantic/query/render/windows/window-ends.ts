/** Writes the SQL of the ends of windows: the periods or days that end them, and the first and last day of each. */

import type { Dialect } from '../../../../../router/capabilities/dialect.ts';
import { DATE_GRAINS, isGrainOf, isMomentType } from '../../../../../router/date-grains.ts';
import { InternalError } from '../../../../../router/errors.ts';
import { joinSql, type SqlPart, sql } from '../../../../query-surface/index.ts';
import type { DayShift, WindowLength } from '../../../model/template.ts';
import { fieldAtGrain, type ResolvedGrain, tableOf } from '../../nodes/grain.ts';
import type { DatedRows, Fill } from '../../nodes/plan.ts';
import type { FieldInRole } from '../../nodes/resolved-query.ts';
import { grainSql } from '../grain-sql.ts';
import { groupBy } from '../group-by.ts';
import { byTurn, turns } from '../period-rows.ts';
import type { RowsRenderer } from '../rows.ts';
import { firstDayOf, movedDay } from '../shown-days.ts';
import { everyCombination } from './every-combination.ts';
import {
  at0,
  dateMoment,
  finestOf,
  hasEnd,
  isAveraged,
  isCut,
  isFilled,
  isOfTable,
  lastDayOf,
  lastDaysOf,
  MAX_DAYS,
  STEPS,
  startNames,
  type WindowQuery,
} from './requested-windows.ts';
import { daysOfGroup, endColumns, startsOf, windowEnd, withStarts } from './table-windows.ts';

/** Writes the ends of windows. */
export class WindowEndsRenderer {
  readonly #rows: RowsRenderer;
  readonly #dialect: Dialect;

  constructor(rows: RowsRenderer, dialect: Dialect) {
    this.#rows = rows;
    this.#dialect = dialect;
  }

  /**
   * Writes the ends of windows: the groups of the axis as `g…`, the first days of their windows as `s…`, and the last days
   * as `e…` where they are computed (see `hasEnd`). Anchored windows have one last day, `e0`. Several windows have a `turn`
   * each.
   *
   * @param shown names of the queries with the answered groups, one for each subquery
   * @param fill the date with periods that are answered even without facts
   */
  spine(query: WindowQuery, shown: readonly string[], fill: Fill | undefined): SqlPart {
    const ends = this.#ends(query, shown, fill);
    const { length } = query.window;
    if (isOfTable(length)) {
      const days = this.#rows.daysOfWindows(length.table, '    ');
      return withStarts(ends, query, startsOf(query.lengths.filter(isOfTable), days, this.#dialect));
    }
    return query.lengths.length === 1 ? ends : this.#ofEachTurn(ends, query);
  }

  /** Repeats the ends of windows for each window, with the beginnings of that window. */
  #ofEachTurn(ends: SqlPart, query: WindowQuery): SqlPart {
    const { columns: turn, join } = turns(query.lengths.length, this.#dialect);
    const ofAll = query.countsDistinct ? [...endColumns(query), 'window_end'] : endColumns(query);
    const starts = startNames(query).map((name) => {
      const each = query.lengths.map(({ kind }, at) => {
        return kind === 'all' ? undefined : `window_ends.${startOfTurn(name, at)}`;
      });
      // A window without a beginning does not read it.
      return `${byTurn(
        'turns.n',
        each.map((start) => start ?? each.find((other) => other !== undefined) ?? 'NULL'),
      )} AS ${name}`;
    });
    const columns = [...ofAll.map((name) => `window_ends.${name} AS ${name}`), ...starts, ...turn].join(', ');
    return sql`  SELECT ${columns}\n  FROM (\n${ends}\n  ) AS window_ends${join}`;
  }

  /** Writes the ends of windows, and their beginnings unless a table defines them. */
  #ends(query: WindowQuery, shown: readonly string[], fill: Fill | undefined): SqlPart {
    const { windowed, grouping, axis, isAnchored } = query;
    const groups = axis.map((index) => `g${index}`);
    const shownRows = [
      `${groups.join(', ')} FROM (`,
      shown.map((one) => `      SELECT ${groups.join(', ')} FROM ${one}`).join('\n      UNION ALL\n'),
      '    ) AS shown',
    ].join('\n');
    const shownGroups = `SELECT DISTINCT ${shownRows}`;
    // Windows of parts may end with facts that other filters remove. The join keeps the parts that some remaining fact has.
    const joinShown =
      axis.length === 0
        ? ''
        : `\n  INNER JOIN (${shownGroups}) AS known ON ${groups.map((name) => `known.${name} = ends.${name}`).join(' AND ')}`;
    if (isAnchored && isAveraged(query)) return this.#daysBetweenEnds(query, joinShown);
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
      const last = this.#anchoredEnd(query);
      const columns = [
        ...groups.map((name) => `ends.${name} AS ${name}`),
        `${last} AS e0`,
        ...this.#starts(query, [last]),
      ];
      const endsOfGroups = sql`SELECT ${[...groupColumns, `${end}(${day}) AS e0`].join(', ')}\n    ${this.#fromWhere(ends, onAxis)}${groupBy(groupColumns.length, '    ')}`;
      const { moved } = windowed;
      const lastDays = moved?.kind === 'pairs' && moved.pairs.kind === 'to' ? this.#lastDays(query, 'ends') : '';
      return sql`  SELECT ${columns.join(', ')}\n  FROM (\n    ${endsOfGroups}\n  ) AS ends${joinShown}${lastDays}`;
    }
    const days = axis.map((index) => this.#end(query, index, 'periods'));
    const ends = axis.flatMap((index, at) => (hasEnd(query, index) ? [`${at0(days, at)} AS e${at}`] : []));
    // Of the groups of one date, only the first and the last count, whether they are repeated or not.
    const known = axis.length === 1 ? `SELECT ${shownRows}` : shownGroups;
    const all = isFilled(query, fill) ? everyCombination(query, fill, known, this.#rows, this.#dialect) : shownGroups;
    if (isAveraged(query)) return this.#daysOfPeriods(query, all);
    const lines = [
      `  SELECT DISTINCT ${[...groups.map((name) => `periods.${name} AS ${name}`), ...ends, ...this.#starts(query, days)].join(', ')}`,
      sql`  FROM (\n    ${all}\n  ) AS periods${this.#lastDays(query, 'periods')}`,
      `  WHERE ${groups.map((name) => `periods.${name} IS NOT NULL`).join(' AND ')}`,
    ];
    return joinSql(lines, '\n');
  }

  /**
   * Writes joins of periods with their first and last days, where a table defines the periods or rows are shown at other
   * days. Days after the last day that the date's filters leave do not count. That last day may belong to another period,
   * or to none.
   */
  #lastDays(query: WindowQuery, from: string): SqlPart {
    const { axis, windowed } = query;
    const { lastDay } = windowed;
    const left = lastDay === undefined ? '' : ` WHERE days.period_day <= ${this.#dialect.literal(lastDay, 'date')}`;
    const joins = axis.flatMap((index) => {
      const days = daysOfGroup(query, index, this.#rows, this.#dialect);
      if (days === undefined) return [];
      const name = lastDaysOf(index);
      const ends = 'MIN(days.period_day) AS period_begin, MAX(days.period_day) AS period_end';
      return [
        sql`\n  LEFT JOIN (SELECT days.period_start AS period_start, ${ends} FROM (${days}) AS days${left} GROUP BY days.period_start) AS ${name} ON ${name}.period_start = ${from}.g${String(index)}`,
      ];
    });
    return joinSql(joins, '');
  }

  /** Writes each day of the periods that the date's filters leave. */
  #daysOfPeriods(query: WindowQuery, periods: SqlPart): SqlPart {
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
    const { day, from, conditions } = this.#dayOf(query, table);
    const lines = [
      `  SELECT DISTINCT ${[...groups.map((name) => `days.${name} AS ${name}`), 'days.e0 AS e0', ...this.#starts(query, ['days.e0'])].join(', ')}`,
      `  FROM (\n    SELECT ${[...groups.map((name) => `periods.${name} AS ${name}`), `${day} AS e0`].join(', ')}`,
      sql`    FROM (\n    ${periods}\n    ) AS periods CROSS JOIN ${from}`,
      sql`    WHERE ${[...groups.map((name) => `periods.${name} IS NOT NULL`), ...conditions].join(' AND ')}\n  ) AS days${this.#lastDays(query, 'days')}`,
      ...others.map(({ index, days }) => {
        const daysName = `own_days_${index}`;
        return sql`  LEFT JOIN (${days}) AS ${daysName} ON ${daysName}.period_start = days.g${String(index)} AND ${daysName}.period_day = days.e0`;
      }),
      `  WHERE ${[...within, ...left, ...others.map(({ index }) => `own_days_${index}.period_day IS NOT NULL`)].join(' AND ')}`,
    ];
    return joinSql(lines, '\n');
  }

  /**
   * Returns the SQL of the days of periods: the days of a table that defines them, or numbers that count from the first day
   * of the shortest period.
   */
  #dayOf(query: WindowQuery, table: { readonly index: number; readonly days: SqlPart } | undefined) {
    if (table !== undefined) {
      const { index, days } = table;
      const conditions = [`own_days.period_start = periods.g${index}`];
      return { day: 'own_days.period_day', from: sql`(${days}) AS own_days`, conditions };
    }
    const index = finestOf(query) ?? at0(query.axis, 0);
    const { grain } = at0(query.grouping, index);
    const { count, unit } = grain !== undefined && isGrainOf(grain.name, 'period') ? STEPS[grain.name] : STEPS.day;
    const first = dateMoment(this.#begin(query, index, 'periods'));
    const from = this.#dialect.numbers('numbers', unit === 'day' ? count : count * 31);
    return { day: this.#dialect.shifted(first, 'numbers.n', 'day'), from, conditions: [] };
  }

  /** Writes each day from the first to the last fact that the filters of the date leave, for the requested parts. */
  #daysBetweenEnds(query: WindowQuery, joinShown: string): SqlPart {
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
      // Where rows are shown at several days, a group has one own day, which `within` finds without a comparison of groups.
      const isElsewhere = grain?.moved !== undefined && grain.moved.kind !== 'shifted';
      if (grain === undefined || DATE_GRAINS[grain.name].needsTime || isElsewhere) return [];
      const day = movedDay(dateMoment('days.e0'), grain, this.#dialect) ?? dateMoment('days.e0');
      return [{ index, sql: grainSql(day, grain, this.#dialect) }];
    });
    // DISTINCT makes engines compute the days before their groups, so that they can join the days by the groups.
    const ofDay = ['days.e0 AS e0', ...shown.map(({ index, sql }) => `${sql} AS g${index}`)].join(', ');
    const within = ['days.e0 >= ends.first_day', 'days.e0 <= ends.last_day'];
    const alike = shown.map(({ index }) => `days.g${index} = ends.g${index}`);
    const by = groupBy(groupColumns.length, '    ');
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
        sql`  FROM (\n    SELECT ${[...groupColumns, ...extent].join(', ')}\n    ${facts}${by}\n  ) AS ends${joinShown} CROSS JOIN (`,
        `    SELECT ${ofDay} FROM (`,
        `    SELECT DISTINCT ${day} AS e0`,
        sql`    FROM (\n    SELECT ${extent.join(', ')}\n    ${facts}\n    ) AS bounds CROSS JOIN ${this.#dialect.numbers('numbers', MAX_DAYS)}`,
        `    WHERE ${day} <= bounds.last_day\n    ) AS days\n  ) AS days`,
        `  WHERE ${[...alike, ...within].join(' AND ')}`,
      ],
      '\n',
    );
  }

  /** @param groups the groups that are read from the rows, each at its node */
  #fromWhere(rows: DatedRows, groups: readonly FieldInRole[]): SqlPart {
    return this.#rows.fromWhere(rows, groups, [], '    ');
  }

  /** Lists the possible last days of a window: one for each group, and the last day that the filters leave. */
  #endsOf(query: WindowQuery, days: readonly string[]): readonly string[] {
    const { lastDay } = query.windowed;
    return isCut(query) ? [...days, this.#dialect.literal(lastDay ?? null, 'date')] : days;
  }

  #starts(query: WindowQuery, days: readonly string[]): readonly string[] {
    const { by } = query.windowed;
    const { lengths } = query;
    const names = startNames(query);
    const all = this.#endsOf(query, days);
    if (query.countsDistinct || isOfTable(query.window.length)) return [windowEnd(query, all)];
    return lengths.flatMap((length, turn) => {
      if (length.kind === 'all') return [];
      return names.map((name, at) => {
        const column = lengths.length === 1 ? name : startOfTurn(name, turn);
        return `${this.#start(length, by.grain, at0(all, at))} AS ${column}`;
      });
    });
  }

  /** Writes the first day of the window that ends with `day`. */
  #start(length: WindowLength, grain: ResolvedGrain | undefined, day: string): string {
    switch (length.kind) {
      case 'all':
      case 'to_date_of_table':
      case 'last_of_table':
        throw new InternalError('the beginning of a window is not computed from its end');
      case 'to_date':
        return firstDayOf(length.period, dateMoment(day), grain?.firstDay ?? 1, this.#dialect);
      case 'last': {
        const { count, unit } = STEPS[length.grain];
        const steps = count * length.count;
        if (unit === 'day') return this.#dialect.shifted(dateMoment(day), String(1 - steps), 'day');
        // Months are counted from the day after the end, so that a window that ends with a month consists of whole months.
        return this.#dialect.shifted(
          dateMoment(this.#dialect.shifted(dateMoment(day), '1', 'day')),
          String(-steps),
          unit,
        );
      }
    }
  }

  /** Writes the last day of all windows, where the filters fix it. */
  #fixedEnd({ windowed: { moved } }: WindowQuery): string | undefined {
    return moved?.kind === 'to' && moved.day !== undefined ? this.#dialect.literal(moved.day, 'date') : undefined;
  }

  /** Writes the last day of an anchored group's window; `ends.e0` is the last day of the group. */
  #anchoredEnd(query: WindowQuery): string {
    const { moved, by } = query.windowed;
    const isTo = moved?.kind === 'to' || (moved?.kind === 'pairs' && moved.pairs.kind === 'to');
    const period = isTo ? finestOf(query) : undefined;
    if (period !== undefined) return this.#end(query, period, 'ends');
    if (moved?.kind !== 'to') return 'ends.e0';
    return firstDayOf(moved.period, dateMoment('ends.e0'), by.grain?.firstDay ?? 1, this.#dialect);
  }

  /** Writes the first of a period's own days, which are earlier where the metric is offset. */
  #begin({ windowed: { moved } }: WindowQuery, index: number, from: string): string {
    const value = `${from}.g${index}`;
    if (moved?.kind === 'pairs') return `${lastDaysOf(index)}.period_begin`;
    return moved?.kind === 'back' ? this.#back(value, moved.shift) : value;
  }

  #back(day: string, { unit, count }: DayShift): string {
    return this.#dialect.shifted(dateMoment(day), String(-count), unit);
  }

  /** Writes the last day of the window of an axis' period; `from` names the query with the periods. */
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
    // The month before ends with its own last day, which may have another number.
    if (moved.shift.unit === 'month') return this.#lastDay(query, index, this.#back(value, moved.shift));
    return this.#back(this.#lastDay(query, index, value), moved.shift);
  }

  /** Writes the last day of an axis' period, or its first day where the metric takes the first. */
  #lastDay({ grouping, window, windowed }: WindowQuery, index: number, value: string): string {
    const { field, grain } = at0(grouping, index);
    if (grain !== undefined && isGrainOf(grain.name, 'period')) {
      if (window.take === 'first') return value;
      if (tableOf(grain) !== undefined) return `${lastDaysOf(index)}.period_end`;
      return lastDayOf(value, grain.name, this.#dialect);
    }
    const { type } = fieldAtGrain(field, grain);
    if (!isMomentType(type)) throw new InternalError('a window ends with a field that is not a date');
    const { zone } = windowed.by.grain ?? {};
    return this.#dialect.grains.day({ expression: value, type, zone }, grain?.firstDay ?? 1);
  }
}

/** Returns the name of the column with a beginning of one of several windows. */
function startOfTurn(name: string, turn: number): string {
  return `${name}_${turn}`;
}
