/** The subqueries of an answer as common table expressions, and which groups of each are answered. */
import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import { type SqlPart, sql } from '../../../query-surface/index.ts';
import type { ColumnLeaf } from '../../model/template.ts';
import type { FactSubquery, Fill } from '../nodes/plan.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import { isLayered } from '../nodes/subquery-kinds.ts';
import { ConversionRenderer } from './conversion.ts';
import type { RowsRenderer } from './rows.ts';
import { isAveraged, isFilled, type MadeOf, windowQuery } from './windows/requested-windows.ts';
import { WindowRenderer } from './windows/window-sql.ts';

/**
 * The reason why a layer's groups are answered: no reason, a fact in the window that ends with them, or a fact in them. The
 * greatest number of a group's layers is the group's.
 */
export const SHOWN = { not: 0, byWindow: 1, byFacts: 2 } as const;

/** Rows of a subquery by the groups. */
export interface Layer {
  /** The common table expression that has them. */
  readonly from: string;
  readonly subquery: number;
  /** Without values, a count is 0 and all else null. */
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
}

/** The inputs of windows, and their aggregates. */
export type OfWindows = MadeOf & { readonly windows: readonly string[] };

/** Writers of a subquery's SELECT and its aggregates. */
export interface SubqueryWriting {
  readonly plain: (subquery: FactSubquery, computed: readonly string[]) => SqlPart;
  readonly aggregates: (subquery: FactSubquery) => readonly string[];
  readonly reads: (subquery: FactSubquery) => readonly ColumnLeaf[];
  /**
   * Writes the inputs of windows; `undefined` where they need each row.
   *
   * @param countsDistinct whether they count distinct values of each day
   */
  readonly ofWindows: (subquery: FactSubquery, countsDistinct: boolean) => OfWindows | undefined;
  /** Writes the values that are computed of each row of `fact_rows` in its group before it is aggregated. */
  readonly ranks: (subquery: FactSubquery, groups: readonly string[]) => readonly string[];
}

export class LayersRenderer {
  readonly #windows: WindowRenderer;
  readonly #conversions: ConversionRenderer;
  readonly #dialect: Dialect;
  readonly #fill: Fill | undefined;
  readonly #writing: SubqueryWriting;

  constructor(rows: RowsRenderer, dialect: Dialect, fill: Fill | undefined, writing: SubqueryWriting) {
    this.#windows = new WindowRenderer(rows, dialect);
    this.#conversions = new ConversionRenderer(rows, dialect);
    this.#dialect = dialect;
    this.#fill = fill;
    this.#writing = writing;
  }

  /** Writes the subqueries of an answer; windows end with the periods that any of them shows. */
  layers(subqueries: readonly FactSubquery[], grouping: readonly FieldInRole[], cteName: string): Layers {
    const isGrouped = grouping.length > 0;
    const shown = subqueries.map((subquery, index) => `${cteName}_${index}${isLayered(subquery) ? '_shown' : ''}`);
    const layers = subqueries.flatMap((subquery, index): readonly Layer[] => {
      const values = { from: `${cteName}_${index}`, subquery: index, hasValues: true };
      if (!isLayered(subquery) || !isGrouped) return [{ ...values, shown: SHOWN.byFacts }];
      return [
        { ...values, shown: subquery.windowed === undefined ? SHOWN.not : SHOWN.byWindow },
        { from: `${cteName}_${index}_shown`, subquery: index, hasValues: false, shown: SHOWN.byFacts },
      ];
    });
    const fills = subqueries.some((subquery) => {
      const query = windowQuery(subquery, grouping);
      return query !== undefined && isFilled(query, this.#fill);
    });
    const isAll = !isGrouped || !subqueries.some(isLayered);
    return {
      common: [
        ...subqueries.flatMap((subquery, index) => this.#shown(subquery, grouping, `${cteName}_${index}`)),
        ...subqueries.flatMap((subquery, index) => this.#values(subquery, grouping, `${cteName}_${index}`, shown)),
      ],
      layers,
      keep: isAll ? 'all' : fills ? 'series' : 'shown',
    };
  }

  /** Writes the SQL that shows the groups of a subquery. */
  #shown(subquery: FactSubquery, grouping: readonly FieldInRole[], name: string): readonly SqlPart[] {
    const query = windowQuery(subquery, grouping);
    if (subquery.converted === undefined && query === undefined) {
      return [cte(name, this.#writing.plain(subquery, this.#writing.aggregates(subquery)))];
    }
    if (grouping.length === 0) return [];
    const shown = query === undefined ? this.#conversions.shown(subquery, grouping) : this.#windows.shown(query);
    return [cte(`${name}_shown`, shown)];
  }

  /**
   * Writes the SQL of the values of a subquery with layers.
   *
   * @param shown names of the queries that show the groups of all subqueries
   */
  #values(
    subquery: FactSubquery,
    grouping: readonly FieldInRole[],
    name: string,
    shown: readonly string[],
  ): readonly SqlPart[] {
    const { converted } = subquery;
    const query = windowQuery(subquery, grouping);
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
    const ends = this.#windows.spine(query, shown, this.#fill);
    const rows = this.#windows.windows(query, `${name}_ends`, reads, made);
    const computed = made?.windows ?? this.#writing.aggregates(subquery);
    const values = isAveraged(query)
      ? this.#meansOfDays(subquery, this.#aggregated(subquery, rows, [...names, 'd'], computed), names)
      : this.#aggregated(subquery, rows, names, computed);
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

  /** Takes the means over the days of each group. */
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

/** Writes a common table expression. */
function cte(name: string, select: SqlPart): SqlPart {
  return sql`${name} AS (\n${select}\n)`;
}

/** Writes the GROUP BY of the first columns. */
function groupBy(columns: number): string {
  return columns === 0 ? '' : `\n  GROUP BY ${Array.from({ length: columns }, (_, index) => index + 1).join(', ')}`;
}
