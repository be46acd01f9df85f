/** The subqueries of an answer as common table expressions, and which groups of each are answered. */
import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { ColumnLeaf } from '../../model/template.ts';
import type { FactSubquery, Fill } from '../nodes/plan.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import { isLayered } from '../nodes/subquery-kinds.ts';
import { ConversionRenderer } from './conversion.ts';
import type { RowsRenderer } from './rows.ts';
import { isAveraged, isFilled, type MadeOf, windowQuery } from './windows/window-query.ts';
import { WindowRenderer } from './windows/windows.ts';

/**
 * Why a layer's groups are answered: no reason, because a fact lies in the window that ends with them, or because a fact
 * lies in them. The greatest number of a group's layers is the group's.
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
  readonly common: readonly string[];
  readonly layers: readonly Layer[];
  /** What is answered: all groups, those that some layer shows, or all periods of each series that some layer shows. */
  readonly keep: 'all' | 'shown' | 'series';
}

/** What windows are made of, and the aggregates of them. */
export type OfWindows = MadeOf & { readonly windows: readonly string[] };

/** How the SELECT of a subquery and its aggregates are written. */
export interface SubqueryWriting {
  readonly plain: (subquery: FactSubquery, computed: readonly string[]) => string;
  readonly aggregates: (subquery: FactSubquery) => readonly string[];
  readonly reads: (subquery: FactSubquery) => readonly ColumnLeaf[];
  /**
   * Writes what windows are made of; `undefined` where they need each row.
   *
   * @param countsDistinct whether they count distinct values of each day
   */
  readonly ofWindows: (subquery: FactSubquery, countsDistinct: boolean) => OfWindows | undefined;
  /** Writes what is computed of each row of `fact_rows` in its group before it is aggregated. */
  readonly ranks: (subquery: FactSubquery, groups: readonly string[]) => readonly string[];
}

/** A subquery: what shows its groups, and what has its values, each written when its turn comes: values are bound in order. */
interface Part {
  readonly shown: () => readonly string[];
  readonly values: () => readonly string[];
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
    const parts = subqueries.map((subquery, index) => this.#part(subquery, grouping, `${cteName}_${index}`, shown));
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
      common: [...parts.flatMap((part) => part.shown()), ...parts.flatMap((part) => part.values())],
      layers,
      keep: isAll ? 'all' : fills ? 'series' : 'shown',
    };
  }

  #part(subquery: FactSubquery, grouping: readonly FieldInRole[], name: string, shown: readonly string[]): Part {
    const cte = (of: string, sql: string) => `${of} AS (\n${sql}\n)`;
    const aggregates = () => this.#writing.aggregates(subquery);
    const reads = () => this.#writing.reads(subquery);
    const aggregated = (rows: string, ofEach: readonly string[] = [], computed = aggregates()) => {
      const names = [...grouping.map((_, index) => `g${index}`), ...ofEach];
      const ranks = this.#writing.ranks(subquery, names);
      const from =
        ranks.length === 0 ? rows : `  SELECT fact_rows.*, ${ranks.join(', ')}\n  FROM (\n${rows}\n  ) AS fact_rows`;
      const groups = names.map((each) => `fact_rows.${each} AS ${each}`);
      const by = groups.length === 0 ? '' : `\n  GROUP BY ${groups.map((_, index) => index + 1).join(', ')}`;
      return `  SELECT ${[...groups, ...computed].join(', ')}\n  FROM (\n${from}\n  ) AS fact_rows${by}`;
    };
    const groups = (select: () => string) => (grouping.length === 0 ? [] : [cte(`${name}_shown`, select())]);
    const { converted } = subquery;
    if (converted !== undefined) {
      return {
        shown: () => groups(() => this.#conversions.shown(subquery, grouping)),
        values: () => [
          ...this.#conversions.common(subquery, converted, name, reads()),
          cte(name, aggregated(this.#conversions.conversions(subquery, converted, grouping, name, reads()))),
        ],
      };
    }
    const query = windowQuery(subquery, grouping);
    if (query === undefined) {
      return { shown: () => [cte(name, this.#writing.plain(subquery, aggregates()))], values: () => [] };
    }
    const made = this.#writing.ofWindows(subquery, query.countsDistinct);
    const windows = () => this.#windows.windows(query, `${name}_ends`, reads(), made);
    const means = (rows: string) => {
      const names = grouping.map((_, index) => `g${index}`);
      const values = aggregates().map((_, index) => {
        const isOfRows = index >= subquery.aggregates.length;
        return isOfRows
          ? 'MIN(by_day.a_hidden) AS a_hidden'
          : `AVG(${this.#dialect.castForDivision(`by_day.a${index}`)}) AS a${index}`;
      });
      const by = names.length === 0 ? '' : `\n  GROUP BY ${names.map((_, index) => index + 1).join(', ')}`;
      const shownGroups = names.map((each) => `by_day.${each} AS ${each}`);
      return `  SELECT ${[...shownGroups, ...values].join(', ')}\n  FROM (\n${aggregated(rows, ['d'], made?.windows)}\n  ) AS by_day${by}`;
    };
    return {
      shown: () => groups(() => this.#windows.shown(query)),
      values: () => [
        cte(`${name}_ends`, this.#windows.spine(query, shown, this.#fill)),
        cte(name, isAveraged(query) ? means(windows()) : aggregated(windows(), [], made?.windows)),
      ],
    };
  }
}
