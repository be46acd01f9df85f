import type { AnswerForm, FormPart, Host, Panel, Parts } from '../contract.ts';
import { formatsFor } from '../formats.ts';
import { matrixView } from '../matrix/view.ts';
import type { Answer } from '../read/answer.ts';
import { Failure } from '../read/failure.ts';
import { Reading } from '../read/reading.ts';
import type { Settings } from '../settings.ts';
import * as trend from '../trend/part.ts';
import { TableState } from '../view/table-state.ts';

/** Rows, and cells, that are written at most; without JavaScript nothing renders further ones while they are scrolled to. */
const MOST_ROWS = 500;
const MOST_CELLS = 20_000;

/** An answer short enough to be a page; what is left out is said as of a result that the server cut. */
export function writable(answer: Answer): Answer {
  const most = Math.min(MOST_ROWS, Math.ceil(MOST_CELLS / Math.max(1, answer.columns.length)));
  return answer.rows.length > most ? { ...answer, rows: answer.rows.slice(0, most), truncated: true } : answer;
}

class WholeTable extends TableState {
  override isWindowed(): boolean {
    return false;
  }
}

/** A place on a page that shows one answer, or none because it could not be read, and never changes. */
export function stillPanel(answer: Answer | undefined, tile: string | undefined): Panel {
  const failure = new Failure('EMBED_INVALID');
  return {
    reading: new Reading<Answer>({
      read: () => Promise.reject(failure),
      settled() {},
      shown: answer ? { state: 'ready', value: answer, stale: false } : { state: 'failed', failure },
    }),
    tile,
    table: new WholeTable(() => {}),
    asTable: false,
    view: undefined,
    answer,
    rendered() {},
  };
}

/** An element that never changes: what is loaded later is here, and nobody listens. `chart` paints for each panel. */
export function stillHost(
  settings: Settings,
  chart: (panel: Panel, answer: Answer, host: Host, form: AnswerForm) => ReturnType<FormPart['view']>,
): Host {
  const absent = (): never => {
    throw new Error('There is no page, only its HTML.');
  };
  const here: Partial<Parts> = { trend, matrix: { view: matrixView }, charts: { view: chart } };
  return {
    settings,
    formats: formatsFor(settings.locale, settings.timeZone),
    still: true,
    part: (name) => here[name] ?? 'failed',
    load: absent,
    changed() {},
    painted: () => Promise.resolve(),
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
