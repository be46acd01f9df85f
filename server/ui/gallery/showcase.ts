import { CHART_MODES, type ChartMode } from '../../../router/chart-modes.ts';
import type { Client } from '../api-client/client.ts';
import { list, object, oneOf, text, textOrDefault } from '../api-client/json.ts';
import { DOCUMENT_KINDS, type DocumentKind } from '../documents/document-entries.ts';

/** One embed of the gallery: public but for ask boxes, for which the page takes a token of who is signed in. */
export interface Exhibit {
  /** Repository path: `shared/demo/sales-by-region.service`. */
  readonly path: string;
  readonly kind: DocumentKind;
  readonly title: string;
  readonly description: string;
  readonly render: 'table' | 'chart';
  readonly mode: ChartMode;
  /** A CSS height; empty for the element's own default. */
  readonly height: string;
}

/**
 * Reads what is on show: dashboards, ask boxes, queries, each in the order of the server. Empty when it was started without the demo.
 */
export function readShowcase(client: Client, signal: AbortSignal): Promise<readonly Exhibit[]> {
  return client.get('/ui/showcase.json', parseShowcase, signal);
}

export function parseShowcase(json: unknown): readonly Exhibit[] {
  const exhibits = list(json, 'the showcase', (item): Exhibit => {
    const of = object(item, 'an item of the showcase');
    return {
      path: text(of, 'path'),
      kind: oneOf(of, 'kind', DOCUMENT_KINDS),
      title: text(of, 'title'),
      description: textOrDefault(of, 'description', ''),
      render: of.render === undefined ? 'table' : oneOf(of, 'render', ['table', 'chart']),
      mode: of.mode === undefined ? 'bar' : oneOf(of, 'mode', CHART_MODES),
      height: textOrDefault(of, 'height', ''),
    };
  });
  return DOCUMENT_KINDS.flatMap((kind) => exhibits.filter((exhibit) => exhibit.kind === kind));
}
