/** Writes the subqueries of an answer as common table expressions, and determines which groups of each are answered. */

import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import { type SqlPart, sql } from '../../../query-surface/index.ts';
import type { ColumnLeaf } from '../../model/template.ts';
import type { FactSubquery, Fill } from '../nodes/plan.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import { isLayered } from '../nodes/subquery-kinds.ts';
import { ConversionRenderer } from './conversion.ts';
import { groupBy } from './group-by.ts';
import { TURN } from './period-rows.ts';
import type { RowsRenderer } from './rows.ts';
import { offsetsTogether, type Together, windowsTogether } from './together.ts';
import { isAveraged, isFilled, type MadeOf, type WindowQuery, windowQuery } from './windows/requested-windows.ts';
import { WindowEndsRenderer } from './windows/window-ends.ts';
import { WindowRowsRenderer } from './windows/window-rows.ts';

/**
 * The reason why a layer's groups are answered: none, a fact in the window that ends with the group, or a fact in the group
 * itself. The greatest number among a group's layers applies.
 */
export const SHOWN = { not: 0, byWindow: 1, byFacts: 2 } as const;

/** Rows of a subquery by the groups. */
export interface Layer {
  /** The common table expression that has them. */
  readonly from: string;
  /** Indexes of the subqueries that it belongs to. */
  readonly of: readonly number[];
  /** False where the layer only lists groups: its counts are 0, and its other aggregates are null. */
  readonly hasValues: boolean;
  readonly shown: (typeof SHOWN)[keyof typeof SHOWN];
}

export interface Layers {
  readonly common: readonly SqlPart[];
  readonly layers: readonly Layer[];
  /**
   * The groups that are answered: all groups, the groups that some layer shows, or all periods of each series that some
   * layer shows.
   */
  readonly keep: 'all' | 'shown' | 'series';
  /** Returns the place of a column of a subquery, `a…` or `a_hidden`. */
  readonly placeOf: (subquery: number, column: number | 'hidden') => ValuePlace;
}

/** The column with a value of a subquery. */
export interface ValuePlace {
  /** The common table expression that has it. */
  readonly from: string;
  readonly column: string;
  /** Set where only the rows of this turn have the value. */
  readonly turn: number | undefined;
}

/** The inputs of windows, and their aggregates. */
export type OfWindows = MadeOf & { readonly windows: readonly string[] };

/** Writers of a subquery's SELECT and its aggregates. */
export interface SubqueryWriting {
  readonly plain: (subquery: FactSubquery, computed: readonly string[]) => SqlPart;
  readonly aggregates: (subquery: FactSubquery) => readonly string[];
  readonly reads: (subquery: FactSubquery) => readonly ColumnLeaf[];
  /** Returns whether rows are selected in a nested query before they are grouped. */
  readonly isNested: (subquery: FactSubquery) => boolean;
  /**
   * Writes the inputs of windows; `undefined` where windows need each row.
   *
   * @param countsDistinct whether the windows count distinct values
   */
  readonly ofWindows: (subquery: FactSubquery, countsDistinct: boolean) => OfWindows | undefined;
  /** Writes the columns that are computed for each row of `fact_rows` within its group, before the rows are aggregated. */
  readonly ranks: (subquery: FactSubquery, groups: readonly string[]) => readonly string[];
}

export class LayersRenderer {
  readonly #windowEnds: WindowEndsRenderer;
  readonly #windowRows: WindowRowsRenderer;
  readonly #conversions: ConversionRenderer;
  readonly #dialect: Dialect;
  readonly #fill: Fill | undefined;
  readonly #writing: SubqueryWriting;

  constructor(rows: RowsRenderer, dialect: Dialect, fill: Fill | undefined, writing: SubqueryWriting) {
    this.#windowEnds = new WindowEndsRenderer(rows, dialect);
    this.#windowRows = new WindowRowsRenderer(rows, dialect);
    this.#conversions = new ConversionRenderer(rows, dialect);
    this.#dialect = dialect;
    this.#fill = fill;
    this.#writing = writing;
  }

  /** Writes the subqueries of an answer. Windows end with the periods that any subquery shows. */
  layers(subqueries: readonly FactSubquery[], grouping: readonly FieldInRole[], cteName: string): Layers {
    const isGrouped = grouping.length > 0;
    const together = this.#together(subqueries, grouping);
    const togetherWith = (index: number) => {
      const all = together.find(({ turns }) => turns.has(index));
      const of = [...(all?.turns.keys() ?? [index])];
      return { all, of, first: of[0] ?? index };
    };
    const shown = this.#withoutRepetitions(
      subqueries.flatMap((subquery, index): readonly ShownQuery[] => {
        const hasValues = !isLayered(subquery);
        if (!hasValues && !isGrouped) return [];
        if (!hasValues) {
          const select = this.#shown(subquery, grouping);
          return [{ of: [index], name: `${cteName}_${index}_shown`, hasValues, select }];
        }
        const { all, of, first } = togetherWith(index);
        if (first !== index) return [];
        return [
          { of, name: `${cteName}_${index}`, hasValues, select: this.#shown(all?.subquery ?? subquery, grouping) },
        ];
      }),
    );
    const values = subqueries.flatMap((subquery, index): readonly Layer[] => {
      if (!isLayered(subquery)) return [];
      const { of, first } = togetherWith(index);
      if (first !== index) return [];
      const reason = !isGrouped ? SHOWN.byFacts : subquery.windowed === undefined ? SHOWN.not : SHOWN.byWindow;
      return [{ from: `${cteName}_${index}`, of, hasValues: true, shown: reason }];
    });
    const groups = shown.map(({ name, of, hasValues }) => ({ from: name, of, hasValues, shown: SHOWN.byFacts }));
    const fills = subqueries.some((subquery) => {
      const query = windowQuery(subquery, grouping);
      return query !== undefined && isFilled(query, this.#fill);
    });
    const isAll = !isGrouped || !subqueries.some(isLayered);
    return {
      common: [
        ...shown.map(({ name, select }) => cte(name, select)),
        ...subqueries.flatMap((subquery, index) => {
          const { all, first } = togetherWith(index);
          const query = all?.query ?? windowQuery(subquery, grouping);
          const names = shown.map(({ name }) => name);
          return first === index ? this.#values(subquery, query, grouping, `${cteName}_${index}`, names) : [];
        }),
      ],
      layers: [...values, ...groups],
      keep: isAll ? 'all' : fills ? 'series' : 'shown',
      placeOf: (index, column) => {
        const { all, first } = togetherWith(index);
        const turn = all?.turns.get(index);
        const place = column === 'hidden' ? column : (turn?.aggregates[column] ?? column);
        return {
          from: `${cteName}_${first}`,
          column: place === 'hidden' ? 'a_hidden' : `a${place}`,
          turn: turn?.turn,
        };
      },
    };
  }

  /** Finds the subqueries whose rows are read in one pass, where each reference of a common table is computed anew. */
  #together(subqueries: readonly FactSubquery[], grouping: readonly FieldInRole[]): readonly Together[] {
    if (!this.#dialect.inlinesCommonTables) return [];
    const isGrouped = grouping.length > 0;
    const windows = new Map<number, WindowQuery>();
    const offsets = new Map<number, FactSubquery>();
    for (const [index, subquery] of subqueries.entries()) {
      const query = windowQuery(subquery, grouping);
      // Without groups, means of no days have no row that would say which of several they are.
      if (query !== undefined && (isGrouped || query.window.take !== 'average')) windows.set(index, query);
      if (!isLayered(subquery) && isGrouped && !this.#writing.isNested(subquery)) offsets.set(index, subquery);
    }
    return [...windowsTogether(windows), ...offsetsTogether(offsets)];
  }

  /** Writes the groups that a subquery shows; for a subquery without layers, its aggregates too. */
  #shown(subquery: FactSubquery, grouping: readonly FieldInRole[]): SqlPart {
    const query = windowQuery(subquery, grouping);
    if (subquery.converted === undefined && query === undefined) {
      return this.#writing.plain(subquery, this.#writing.aggregates(subquery));
    }
    return query === undefined ? this.#conversions.shown(subquery, grouping) : this.#windowRows.shown(query);
  }

  /** Keeps the first of the queries without values that are written alike, for all of their subqueries. */
  #withoutRepetitions(queries: readonly ShownQuery[]): readonly ShownQuery[] {
    const byText = new Map<string, ShownQuery>();
    for (const query of queries) {
      const { name, hasValues, select } = query;
      const key = hasValues ? name : JSON.stringify(sql`${select}`.print(this.#dialect), bigintAsText);
      const first = byText.get(key);
      byText.set(key, first === undefined ? query : { ...first, of: [...first.of, ...query.of] });
    }
    return [...byText.values()];
  }

  /**
   * Writes the SQL of the values of a subquery with layers.
   *
   * @param query the windows of the subquery, and those that are written with them
   * @param shown names of the queries that show the groups of all subqueries
   */
  #values(
    one: FactSubquery,
    query: WindowQuery | undefined,
    grouping: readonly FieldInRole[],
    name: string,
    shown: readonly string[],
  ): readonly SqlPart[] {
    const subquery = query?.subquery ?? one;
    const { converted } = subquery;
    const reads = this.#writing.reads(subquery);
    const names = grouping.map((_, index) => `g${index}`);
    if (converted !== undefined) {
      const rows = this.#conversions.conversions(subquery, converted, grouping, name, reads);
      return [
        ...this.#conversions.common(subquery, converted, name, reads),
        cte(name, this.#aggregated(subquery, rows, names, this.#writing.aggregates(subquery))),
      ];
    }
    if (query === undefined) return [];
    const made = this.#writing.ofWindows(subquery, query.countsDistinct);
    const ends = this.#windowEnds.spine(query, shown, this.#fill);
    const rows = this.#windowRows.rowsOfWindows(query, `${name}_ends`, reads, made);
    const computed = made?.windows ?? this.#writing.aggregates(subquery);
    const by = query.lengths.length === 1 ? names : [TURN, ...names];
    const values = isAveraged(query)
      ? this.#meansOfDays(subquery, this.#aggregated(subquery, rows, [...by, 'd'], computed), by)
      : this.#aggregated(subquery, rows, by, computed);
    return [cte(`${name}_ends`, ends), cte(name, values)];
  }

  /** Aggregates rows by the names of their groups. */
  #aggregated(subquery: FactSubquery, rows: SqlPart, names: readonly string[], computed: readonly string[]): SqlPart {
    const ranks = this.#writing.ranks(subquery, names);
    const from =
      ranks.length === 0 ? rows : sql`  SELECT fact_rows.*, ${ranks.join(', ')}\n  FROM (\n${rows}\n  ) AS fact_rows`;
    const groups = names.map((each) => `fact_rows.${each} AS ${each}`);
    return sql`  SELECT ${[...groups, ...computed].join(', ')}\n  FROM (\n${from}\n  ) AS fact_rows${groupBy(names.length)}`;
  }

  /** Writes the means over the days of each group. */
  #meansOfDays(subquery: FactSubquery, days: SqlPart, names: readonly string[]): SqlPart {
    const values = this.#writing.aggregates(subquery).map((_, index) => {
      const isOfRows = index >= subquery.aggregates.length;
      return isOfRows
        ? 'MIN(by_day.a_hidden) AS a_hidden'
        : `AVG(${this.#dialect.castForDivision(`by_day.a${index}`)}) AS a${index}`;
    });
    const groups = names.map((each) => `by_day.${each} AS ${each}`);
    return sql`  SELECT ${[...groups, ...values].join(', ')}\n  FROM (\n${days}\n  ) AS by_day${groupBy(names.length)}`;
  }
}

/** A query of the groups that facts of some subqueries show. */
interface ShownQuery {
  readonly of: readonly number[];
  readonly name: string;
  /** True where it has the values of its subquery as well. */
  readonly hasValues: boolean;
  readonly select: SqlPart;
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

/** Writes a common table expression. */
function cte(name: string, select: SqlPart): SqlPart {
  return sql`${name} AS (\n${select}\n)`;
}
