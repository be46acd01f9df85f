/**
 * A request in the making: one immutable value for both query surfaces. Its items are members of the typed request, kept as they
 * are written there, so that a saved or typed request opens without a loss.
 */
import type { ChartMode } from '../../../../router/chart-modes.ts';
import type { Item, JsonObject } from './json-value.ts';

export type Surface = 'semantic' | 'cube';

/** The lists of a request, in the order of the page. */
export const SHELVES = ['rows', 'columns', 'values', 'filters', 'sorts'] as const;
export type Shelf = (typeof SHELVES)[number];

export const RENDER_NAMES = ['table', 'matrix', 'chart', 'kpi'] as const;
export type RenderName = (typeof RENDER_NAMES)[number];

/** How the answer is shown. */
export interface View {
  /** Undefined while the page proposes the view from the answer. */
  readonly render?: RenderName | undefined;
  /** Undefined while the element chooses the kind of chart. */
  readonly mode?: ChartMode | undefined;
  /** Settings of the chart, as documents have them. */
  readonly chart?: JsonObject | undefined;
}

/** The model or cube that answers, by the members that name it in a request. */
export interface Source {
  readonly surface: Surface;
  /** `connection` and `model`, or `cube`. */
  readonly names: JsonObject;
}

export interface Draft extends Readonly<Record<Shelf, readonly Item[]>> {
  readonly source: Source;
  readonly limit: number | undefined;
  /** Further members of the request, such as `timezone`. */
  readonly others: JsonObject;
  readonly view: View;
  /** The analysis along a time axis, as a saved query has it. */
  readonly analytics: JsonObject | undefined;
  /** What a click leads to in embeds, as a saved query has it. */
  readonly drill: JsonObject | undefined;
}

/** Returns a request without content. */
export function emptyDraft(source: Source): Draft {
  return {
    source,
    rows: [],
    columns: [],
    values: [],
    filters: [],
    sorts: [],
    limit: undefined,
    others: {},
    view: {},
    analytics: undefined,
    drill: undefined,
  };
}

/** Returns whether a draft asks for anything. */
export function isAsking({ source, rows, columns, values }: Draft): boolean {
  return source.surface === 'cube' ? values.length > 0 : rows.length + columns.length + values.length > 0;
}
