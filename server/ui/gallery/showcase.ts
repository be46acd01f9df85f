import { CHART_MODES, type ChartMode } from '../../../router/chart-modes.ts';
import type { Client } from '../api-client/client.ts';
import { readList, readObject, readOption, readText, readTextOrDefault } from '../api-client/json.ts';
import { DOCUMENT_KINDS, type DocumentKind } from '../documents/document-entries.ts';

/** Describes one embed of the gallery. Dashboards and queries are public; an ask box uses the user's session. */
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
 * Reads the embeds to show: dashboards, ask boxes, queries, each in the server's order. The list is empty without the
 * demo.
 */
export function readShowcase(client: Client, signal: AbortSignal): Promise<readonly Exhibit[]> {
  return client.get('/ui/showcase.json', parseShowcase, signal);
}

export function parseShowcase(json: unknown): readonly Exhibit[] {
  const exhibits = readList(json, 'the showcase', (item): Exhibit => {
    const record = readObject(item, 'an item of the showcase');
    return {
      path: readText(record, 'path'),
      kind: readOption(record, 'kind', DOCUMENT_KINDS),
      title: readText(record, 'title'),
      description: readTextOrDefault(record, 'description', ''),
      render: record.render === undefined ? 'table' : readOption(record, 'render', ['table', 'chart']),
      mode: record.mode === undefined ? 'bar' : readOption(record, 'mode', CHART_MODES),
      height: readTextOrDefault(record, 'height', ''),
    };
  });
  return DOCUMENT_KINDS.flatMap((kind) => exhibits.filter((exhibit) => exhibit.kind === kind));
}
