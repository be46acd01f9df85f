import type { Answer } from '../api/answer.ts';
import { AsyncResource } from '../api/async-resource.ts';
import { Failure } from '../api/failure.ts';
import { formatsFor } from '../formats.ts';
import { matrixView } from '../matrix/view.ts';
import type { Settings } from '../settings.ts';
import * as sparkline from '../sparkline/part.ts';
import { TableState } from '../table/table-state.ts';
import type { AnswerViewOptions, AnswerViewPart, ElementParts, Host, Panel } from '../types.ts';

/** Rows, and cells, that are written at most; without JavaScript nothing renders further ones while they are scrolled to. */
const MAX_RENDERED_ROWS = 500;
const MAX_RENDERED_CELLS = 20_000;

/** An answer short enough to be a page; what is left out is said as of a result that the server cut. */
export function truncateRows(answer: Answer): Answer {
  const maxRows = Math.min(MAX_RENDERED_ROWS, Math.ceil(MAX_RENDERED_CELLS / Math.max(1, answer.columns.length)));
  return answer.rows.length > maxRows ? { ...answer, rows: answer.rows.slice(0, maxRows), truncated: true } : answer;
}

class UnwindowedTableState extends TableState {
  override isWindowed(): boolean {
    return false;
  }
}

/** A place on a page that shows one answer, or none because it could not be read, and never changes. */
export function staticPanel(answer: Answer | undefined, tile: string | undefined): Panel {
  const failure = new Failure('EMBED_INVALID');
  return {
    resource: new AsyncResource<Answer>({
      read: () => Promise.reject(failure),
      onSettled() {},
      initial: answer ? { status: 'ready', value: answer, stale: false } : { status: 'failed', failure },
    }),
    tile,
    table: new UnwindowedTableState(() => {}),
    isTable: false,
    view: undefined,
    answer,
    afterRender() {},
  };
}

/** An element that never changes: what is loaded later is here, and nobody listens. `chart` paints for each panel. */
export function staticHost(
  settings: Settings,
  chart: (panel: Panel, answer: Answer, host: Host, form: AnswerViewOptions) => ReturnType<AnswerViewPart['view']>,
): Host {
  const absent = (): never => {
    throw new Error('There is no page, only its HTML.');
  };
  const parts: Partial<ElementParts> = { sparkline, matrix: { view: matrixView }, charts: { view: chart } };
  return {
    settings,
    formats: formatsFor(settings.locale, settings.timeZone),
    isHydrating: true,
    part: (name) => parts[name] ?? 'failed',
    load: absent,
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
