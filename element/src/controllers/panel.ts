import type { Answer } from '../api/answer.ts';
import { AsyncResource, type ResourceState } from '../api/async-resource.ts';
import { TableState } from '../table/table-state.ts';
import type { Host, Panel } from '../types.ts';

/** Whether its answer is drawn, or there will be none; see `Shown.settled`. */
export function isSettled({ resource, view }: Panel): boolean {
  return view !== undefined || resource.state.status === 'failed';
}

/** One answer on the page, a query or a tile of a dashboard: how far reading it is, and what its reader did with it. */
export class AnswerPanel implements Panel {
  readonly resource: AsyncResource<Answer>;
  /** Id of the tile; undefined for a query. */
  readonly tile: string | undefined;
  readonly table: TableState;
  /** Whether the reader wants to see a chart as a table. */
  isTable = false;
  /** What the last rendering painted; a view sets it, undefined while it has nothing to show yet. */
  view: string | undefined;
  #painted: readonly unknown[] = [];

  /** `before` is what stood in this place, of the same resource: what it shows stays until the new answer is in. */
  constructor(host: Host, read: (signal: AbortSignal) => Promise<Answer>, tile?: string, previous?: Panel) {
    this.tile = tile;
    this.table = previous?.table ?? new TableState(() => host.requestUpdate());
    // They act on the panel they were made for.
    this.table.controls = undefined;
    this.isTable = previous?.isTable ?? false;
    const shown: ResourceState<Answer> | undefined = previous?.resource.state;
    let last = this.answerOf(shown);
    this.resource = new AsyncResource<Answer>({
      read,
      ...(shown?.status === 'ready' ? { initial: shown } : {}),
      merge: async (old, now) => (await host.load('refresh')).mergeAnswers(old, now),
      onSettled: (failure) => {
        const answer = this.answer;
        if (failure) host.failed({ tile, code: failure.code, retriable: failure.retriable });
        else if (answer) {
          const changed = answer.rows !== last?.rows || answer.columns !== last.columns;
          if (changed) this.table.answerReplaced(answer);
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
        host.requestUpdate();
      },
    });
  }

  get answer(): Answer | undefined {
    return this.answerOf(this.resource.state);
  }

  answerOf(state: ResourceState<Answer> | undefined): Answer | undefined {
    return state?.status === 'ready' ? state.value : undefined;
  }

  /** Called after each rendering: tells the host page of what is painted for the first time. */
  afterRender(host: Host): void {
    const { answer, view } = this;
    const now = [answer?.rows, answer?.columns, view];
    if (answer === undefined || view === undefined || now.every((each, index) => each === this.#painted[index])) return;
    this.#painted = now;
    host.rendered({ tile: this.tile, view });
  }
}
