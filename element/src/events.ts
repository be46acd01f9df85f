import type { FailureCode } from './api/failure.ts';
import type { EmbedFilter } from './api/filter.ts';
import type { FilterState } from './api/filter-state.ts';

/** Lists the members that every event of an embed has. */
export interface EmbedDetail {
  readonly kind: 'query' | 'dashboard' | 'ai';
  readonly path: string;
  /** Id of the tile that the event is about; undefined for a query, and for a dashboard as a whole. */
  readonly tile: string | undefined;
}

/** Omits the members of an event's detail that the element adds. */
export type WithoutSubject<T> = Omit<T, 'kind' | 'path'>;

/**
 * `service-load`: an answer has arrived, the first one or that of a refresh. Lists everything that tells a reader how
 * far to trust it.
 */
export interface LoadDetail extends EmbedDetail {
  readonly title: string;
  /** Number of rows in the answer; for a dashboard as a whole, number of tiles. */
  readonly rowCount: number;
  /** When the warehouse computed the answer; undefined for a dashboard as a whole. */
  readonly asOf: Date | undefined;
  readonly cached: boolean;
  /** Whether the answer is cut: there are more rows. */
  readonly truncated: boolean;
  /** Whether some of the data could not be read. */
  readonly partial: boolean;
  readonly suppressed: { readonly count: number; readonly reason: string } | undefined;
  /** Whether anything but the time differs from the answer before. */
  readonly changed: boolean;
}

/** A setting of a chart that is unknown, or that its answer does not allow. */
export interface SettingProblem {
  /** Place of the setting, such as `chart.axes.y.scale`. */
  readonly place: string;
  readonly message: string;
  /** The legal names or values; empty where there is no list. */
  readonly available: readonly string[];
}

/** `service-render`: an answer, or another view of it, has been painted. */
export interface RenderDetail extends EmbedDetail {
  /** `table`, `matrix`, `kpi`, `empty`, or `chart:` and the mode: `chart:bar`. */
  readonly view: string;
  /** Settings of the chart that it cannot use; it is drawn without them. */
  readonly problems: readonly SettingProblem[];
}

/** `service-error`: a request or a part has failed. */
export interface ErrorDetail extends EmbedDetail {
  readonly code: FailureCode;
  /** Whether the same request may succeed later without a change. */
  readonly retriable: boolean;
}

/** `service-select`: the reader selected a row or a point. Cancelling it leaves it unmarked. */
export interface SelectDetail extends EmbedDetail {
  /** Position of the row in the answer. */
  readonly row: number;
  /** Key of the column that the reader selected. */
  readonly column: string | undefined;
  /** The row's texts by the keys of its columns. */
  readonly record: Readonly<Record<string, string | null>>;
  /** The row's values by the same keys: numbers of metrics without their notation, values of dimensions as filters take them. */
  readonly values: Readonly<Record<string, string | number | null>>;
}

/** `service-filter`: the element is about to apply another filter. Cancelling it keeps the filter before. */
export interface FilterDetail extends EmbedDetail {
  /** Undefined where the filter is removed. */
  readonly filter: EmbedFilter | undefined;
}

/** `service-filter-state`: the visitor chose something in the filters. Cancelling it keeps the choice before. */
export interface FilterStateDetail extends EmbedDetail {
  readonly filterState: FilterState;
}

/**
 * `service-token-expiring`: a token ends soon and the element is about to call `getToken`. Cancelling it prevents the
 * call.
 */
export interface TokenExpiringDetail extends EmbedDetail {
  readonly expiresAt: Date;
}

/** `service-ready`: the element is set up and about to read. */
export interface ReadyDetail {
  readonly version: string;
}

/**
 * Maps the names of the events to their types. They bubble and cross shadow roots.
 *
 * @example
 * ```ts
 * import type { ServiceEmbed } from 'service-embed';
 *
 * const embed = document.querySelector<ServiceEmbed>('service-embed');
 * embed?.addEventListener('service-load', ({ detail }) => {
 *   console.info(`${detail.rowCount} rows of ${detail.title}, as of ${detail.asOf?.toISOString()}`);
 * });
 * embed?.addEventListener('service-error', ({ detail }) => {
 *   if (detail.retriable) void embed.refresh();
 * });
 * ```
 */
export interface ServiceEmbedEventMap {
  'service-ready': CustomEvent<ReadyDetail>;
  'service-load': CustomEvent<LoadDetail>;
  'service-render': CustomEvent<RenderDetail>;
  'service-error': CustomEvent<ErrorDetail>;
  'service-select': CustomEvent<SelectDetail>;
  'service-filter': CustomEvent<FilterDetail>;
  'service-filter-state': CustomEvent<FilterStateDetail>;
  'service-token-expiring': CustomEvent<TokenExpiringDetail>;
}

/**
 * Dispatches an event that bubbles from `element` through every shadow root. Returns false where the host page
 * cancelled it.
 */
export function emit<N extends keyof ServiceEmbedEventMap>(
  element: Element,
  name: N,
  about: Pick<EmbedDetail, 'kind' | 'path'> | undefined,
  detail: WithoutSubject<ServiceEmbedEventMap[N]['detail']>,
  cancelable = false,
): boolean {
  return element.dispatchEvent(
    new CustomEvent(name, { detail: { ...about, ...detail }, bubbles: true, composed: true, cancelable }),
  );
}

declare global {
  interface HTMLElementEventMap extends ServiceEmbedEventMap {}
}
