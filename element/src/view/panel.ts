import type { Host, Panel } from '../contract.ts';
import type { Answer } from '../read/answer.ts';
import { type Outcome, Reading } from '../read/reading.ts';
import { TableState } from './table-state.ts';

/** Whether its answer is drawn, or there will be none; see `Shown.settled`. */
export function isSettled({ reading, view }: Panel): boolean {
  return view !== undefined || reading.outcome.state === 'failed';
}

/** One answer on the page, a query or a tile of a dashboard: how far reading it is, and what its reader did with it. */
export class AnswerPanel implements Panel {
  readonly reading: Reading<Answer>;
  /** Id of the tile; undefined for a query. */
  readonly tile: string | undefined;
  readonly table: TableState;
  /** Whether the reader wants to see a chart as a table. */
  asTable = false;
  /** What the last rendering painted; a view sets it, undefined while it has nothing to show yet. */
  view: string | undefined;
  #painted: readonly unknown[] = [];

  /** `before` is what stood in this place, of the same resource: what it shows stays until the new answer is in. */
  constructor(host: Host, read: (signal: AbortSignal) => Promise<Answer>, tile?: string, before?: Panel) {
    this.tile = tile;
    this.table = before?.table ?? new TableState(() => host.changed());
    // They act on the panel they were made for.
    this.table.controls = undefined;
    this.asTable = before?.asTable ?? false;
    const shown: Outcome<Answer> | undefined = before?.reading.outcome;
    let last = this.answerOf(shown);
    this.reading = new Reading<Answer>({
      read,
      ...(shown?.state === 'ready' ? { shown } : {}),
      merge: async (old, now) => (await host.load('live')).mergeAnswers(old, now),
      settled: (failure) => {
        const answer = this.answer;
        if (failure) host.failed({ tile, code: failure.code, retriable: failure.retriable });
        else if (answer) {
          const changed = answer.rows !== last?.rows || answer.columns !== last.columns;
          if (changed) this.table.replaced(answer);
          last = answer;
          const { title, cached, truncated, partial, suppressed, computedAt: asOf } = answer;
          host.loaded({
            tile,
            title,
            rowCount: answer.rows.length,
            asOf,
            cached,
            truncated,
            partial,
            suppressed,
            changed,
          });
        }
        host.changed();
      },
    });
  }

  get answer(): Answer | undefined {
    return this.answerOf(this.reading.outcome);
  }

  answerOf(outcome: Outcome<Answer> | undefined): Answer | undefined {
    return outcome?.state === 'ready' ? outcome.value : undefined;
  }

  /** Called after each rendering: tells the host page of what is painted for the first time. */
  rendered(host: Host): void {
    const { answer, view } = this;
    const now = [answer?.rows, answer?.columns, view];
    if (answer === undefined || view === undefined || now.every((each, index) => each === this.#painted[index])) return;
    this.#painted = now;
    host.rendered({ tile: this.tile, view });
  }
}
