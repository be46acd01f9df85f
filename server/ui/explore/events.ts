/** The typed events of the explorer's elements. */

import type { Draft, Shelf } from './state/draft.ts';
import type { ExploreQuery, SavedQuery } from './state/saved-query.ts';

export interface ExploreEventMap {
  /** The request has changed: by its reader, by undo, or by an opened query. */
  'explore-change': CustomEvent<Draft>;
  /** The reader wants to keep the query. A host that keeps it itself prevents the default, the dialog of the page. */
  'explore-save': CustomEvent<ExploreQuery>;
  /** A saved query was opened or written; undefined after the reader has started over. */
  'explore-saved': CustomEvent<{ readonly saved: SavedQuery | undefined }>;
  /** The reader chose a thing of the tree for a list. */
  'explore-place': CustomEvent<{ readonly key: string; readonly shelf: Shelf | undefined }>;
  /** The reader chose a member of a level in the tree. */
  'explore-member': CustomEvent<{ readonly key: string; readonly member: string; readonly caption: string }>;
  /** A part has changed the request. */
  'explore-edit': CustomEvent<Draft>;
}

/** Makes an event that leaves shadow roots. */
export function exploreEvent<N extends keyof ExploreEventMap>(
  name: N,
  detail: ExploreEventMap[N]['detail'],
): ExploreEventMap[N];
export function exploreEvent(name: string, detail: unknown): CustomEvent {
  return new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true });
}

declare global {
  interface HTMLElementEventMap extends ExploreEventMap {}
}
