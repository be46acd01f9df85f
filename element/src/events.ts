import type { FailureCode } from './api/failure.ts';
import type { EmbedFilter } from './api/filter.ts';

/** What the events of an embed have in common. */
export interface EmbedDetail {
  readonly kind: 'query' | 'dashboard' | 'ai';
  readonly path: string;
  /** Id of the tile this is about; undefined for a query, and for a dashboard as a whole. */
  readonly tile: string | undefined;
}

/** Leaves out of an event's detail what it is about, which the element adds. */
export type WithoutSubject<T> = Omit<T, 'kind' | 'path'>;

/** `service-load`: an answer is in, the first or that of a refresh. Everything a reader must know to trust it. */
export interface LoadDetail extends EmbedDetail {
  readonly title: string;
  /** Rows in the answer; of a dashboard as a whole, its tiles. */
  readonly rowCount: number;
  /** When the warehouse computed it; undefined for a dashboard as a whole. */
  readonly asOf: Date | undefined;
  readonly cached: boolean;
  /** Whether there are more rows than these. */
  readonly truncated: boolean;
  /** Whether a part of the data could not be read. */
  readonly partial: boolean;
  readonly suppressed: { readonly count: number; readonly reason: string } | undefined;
  /** Whether anything but the time differs from what was shown. */
  readonly changed: boolean;
}

/** `service-render`: an answer, or another form of it, has been painted. */
export interface RenderDetail extends EmbedDetail {
  /** `table`, `matrix`, `kpi`, `empty`, or a chart by its mode: `chart:bar`. */
  readonly view: string;
}

/** `service-error`. */
export interface ErrorDetail extends EmbedDetail {
  readonly code: FailureCode;
  /** Whether the same may succeed later by itself. */
  readonly retriable: boolean;
}

/** `service-select`: a row or a point was chosen. Cancelled, it is not marked. */
export interface SelectDetail extends EmbedDetail {
  /** Position of the row in the answer. */
  readonly row: number;
  /** Key of the column that was chosen in it. */
  readonly column: string | undefined;
  /** The row by the keys of its columns, as it is written. */
  readonly record: Readonly<Record<string, string | null>>;
}

/** `service-filter`: another filter is about to be applied. Cancelled, the one before stays. */
export interface FilterDetail extends EmbedDetail {
  /** Undefined where the filter is taken away. */
  readonly filter: EmbedFilter | undefined;
}

/** `service-token-expiring`: a token ends soon and `getToken` is about to be called. Cancelled, it is not. */
export interface TokenExpiringDetail extends EmbedDetail {
  readonly expiresAt: Date;
}

/** `service-ready`: the element is set up and about to read. */
export interface ReadyDetail {
  readonly version: string;
}

/**
 * Maps the names of the events to their types. They bubble and leave shadow roots.
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
  'service-token-expiring': CustomEvent<TokenExpiringDetail>;
}

/** Sends an event up from `element` through every shadow root. False where the host page cancelled it. */
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
