/** Paints answers outside of a page, in a thread: as the HTML of the embedded element, or as a picture and a text. */
import type { ChartMode } from '../chart-modes.ts';
import type { ViewForm } from '../view-forms.ts';
import type { WorkerPool } from './worker-pool.ts';

interface CommonTask {
  /** The body of an embed read of a query. */
  readonly answer: unknown;
  readonly view: ViewForm;
  /** Undefined for the kind of chart that fits the answer. */
  readonly mode?: ChartMode | undefined;
  /** BCP 47. */
  readonly locale: string;
  /** IANA name. */
  readonly timeZone: string;
  /** The answers that `MoreNeeded` asked for. The painter does without the others. */
  readonly more?: readonly (MoreRead & { readonly answer: unknown })[] | undefined;
}

/** A read of the same query with one more parameter: the rest of a series, or subtotals. */
export interface MoreRead {
  readonly parameter: 'others' | 'without';
  /** JSON. */
  readonly value: string;
}

/** What a painter needs besides the answer: only a chart knows how many members it draws one by one. */
export interface MoreNeeded {
  readonly more: readonly MoreRead[];
}

/** Asks for the HTML of the element, for a page that has no element. */
export interface MarkupTask extends CommonTask {
  readonly kind: 'markup';
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** Asks for a picture and a text, for a reader without a page. */
export interface FallbackTask extends CommonTask {
  readonly kind: 'fallback';
}

export type PictureTask = MarkupTask | FallbackTask;

/** A mark of a painted chart, which the drawing names by `ecmeta_series_index` and `ecmeta_data_index`. */
export interface PaintedMark {
  readonly series: number;
  readonly data: number;
  /** Describes it, one line a figure. */
  readonly text: string;
}

export interface Markup {
  readonly html: string;
  readonly marks: readonly PaintedMark[];
}

export interface Fallback {
  /** PNG; undefined where the answer is not shown as a chart. */
  readonly png?: Uint8Array | undefined;
  /** The first rows as a table in Markdown, and what is missing. */
  readonly text: string;
}

/** The result is of the kind of its task. A task without `more` may ask for it in place of a result. */
export type PictureResult = Markup | Fallback | MoreNeeded;

export type PicturePool = WorkerPool<PictureTask, PictureResult>;
