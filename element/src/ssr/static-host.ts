import { Failure } from '../api/failure.ts';
import type { Answer } from '../api/parse-answer.ts';
import { formatsFor } from '../formats.ts';
import * as formatting from '../formatting/part.ts';
import * as kpi from '../kpi/part.ts';
import { MAX_SERVER_RENDERED_CELLS, MAX_SERVER_RENDERED_ROWS } from '../limits.ts';
import * as markdown from '../markdown/part.ts';
import { matrixView } from '../matrix/view.ts';
import type { Settings } from '../read-attributes.ts';
import { type MoreRequest, Panel } from '../state/panel.ts';
import { TableState } from '../state/table-state.ts';
import type { AnswerViewOptions, AnswerViewPart, ElementParts, Host } from '../types.ts';

/**
 * Cuts an answer to the rows that fit in a page. The status line then reports more rows, as for an answer that the
 * server cut.
 */
export function truncateRows(answer: Answer): Answer {
  const maxRows = Math.min(
    MAX_SERVER_RENDERED_ROWS,
    Math.ceil(MAX_SERVER_RENDERED_CELLS / Math.max(1, answer.columns.length)),
  );
  return answer.rows.length > maxRows ? { ...answer, rows: answer.rows.slice(0, maxRows), truncated: true } : answer;
}

class UnwindowedTableState extends TableState {
  override isWindowed(): boolean {
    return false;
  }
}

/** Reads more of the query of a tile, or of the one query. */
export type ReadMore = (tile: string | undefined, more: MoreRequest) => Promise<Answer>;

/** Creates an unchanging panel with one answer, or with the failure of a read. */
export function staticPanel(answer: Answer | undefined, tile: string | undefined, readMore?: ReadMore): Panel {
  const failure = new Failure('EMBED_INVALID');
  return new Panel({
    host: {
      requestUpdate() {},
      loaded() {},
      rendered() {},
      failed() {},
      load: () => Promise.reject(failure),
      inNotation: (given) => given,
      ready: () => Promise.resolve(),
    },
    read: (_, more) => (more === undefined || readMore === undefined ? Promise.reject(failure) : readMore(tile, more)),
    tile,
    initial: answer ? { status: 'ready', value: answer, stale: false } : { status: 'failed', failure },
    table: new UnwindowedTableState(() => {}),
  });
}

/**
 * Creates the host of an element that never changes: its parts are loaded, and nobody listens. `chart` paints each
 * panel's chart.
 */
export function staticHost(
  settings: Settings,
  chart: (panel: Panel, answer: Answer, host: Host, form: AnswerViewOptions) => ReturnType<AnswerViewPart['view']>,
): Host {
  const absent = (): never => {
    throw new Error('A server renders HTML and has no page.');
  };
  const parts: Partial<ElementParts> = {
    formatting,
    kpi,
    markdown,
    matrix: { view: matrixView },
    charts: { view: chart },
  };
  return {
    settings,
    formats: formatsFor(settings.locale, settings.timeZone),
    isHydrating: true,
    part: (name) => parts[name] ?? 'failed',
    load: absent,
    inNotation: (answer) => answer,
    ready: () => Promise.resolve(),
    requestUpdate() {},
    updateComplete: () => Promise.resolve(),
    announce() {},
    loaded() {},
    rendered() {},
    failed() {},
    select: () => false,
    get root() {
      return absent();
    },
  };
}
