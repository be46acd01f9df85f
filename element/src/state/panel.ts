import type { Answer } from '../api/answer.ts';
import { AsyncResource, type ResourceState } from '../api/async-resource.ts';
import type { ErrorDetail, LoadDetail, RenderDetail, WithoutSubject } from '../events.ts';
import { TableState } from './table-state.ts';

/** What a panel asks of, and tells, the element that it is in. */
export interface PanelHost {
  /** Renders the element again, soon. */
  requestUpdate(): void;
  loaded(detail: WithoutSubject<LoadDetail>): void;
  rendered(detail: WithoutSubject<RenderDetail>): void;
  failed(detail: WithoutSubject<ErrorDetail>): void;
  /** Loads the part that compares an answer with the one before. */
  load(part: 'refresh'): Promise<{ mergeAnswers(previous: Answer, current: Answer): Answer }>;
}

export interface PanelOptions {
  readonly host: PanelHost;
  readonly read: (signal: AbortSignal) => Promise<Answer>;
  /** Id of the tile; undefined for a query. */
  readonly tile: string | undefined;
  /** What stood in this place, of the same resource: what it shows stays until the new answer is in. */
  readonly previous?: Panel | undefined;
  /** What is shown from the start; by default what `previous` shows. */
  readonly initial?: ResourceState<Answer>;
  readonly table?: TableState;
}

/** Holds one answer on the page, a query's or a tile's: how far reading it is, and what its reader did with it. */
export class Panel {
  readonly resource: AsyncResource<Answer>;
  /** Id of the tile; undefined for a query. */
  readonly tile: string | undefined;
  readonly table: TableState;
  /** Whether the reader wants to see a chart as a table. */
  isTable: boolean;
  /** Name of what the last rendering painted; a view sets it, undefined while it has nothing to show yet. */
  view: string | undefined;
  readonly #host: PanelHost;
  /** Rows, columns and view that the host page was last told of. */
  #painted: readonly unknown[] = [];

  constructor({ host, read, tile, previous, initial, table = previous?.table }: PanelOptions) {
    this.#host = host;
    this.tile = tile;
    this.table = table ?? new TableState(() => host.requestUpdate());
    // They act on the panel they were made for.
    this.table.controls = undefined;
    this.isTable = previous?.isTable ?? false;
    let last = previous?.answer;
    const shown = previous?.resource.state;
    this.resource = new AsyncResource<Answer>({
      read,
      initial: initial ?? (shown?.status === 'ready' ? shown : undefined),
      merge: async (old, current) => (await host.load('refresh')).mergeAnswers(old, current),
      onSettled: (failure) => {
        const answer = this.answer;
        if (failure) host.failed({ tile, code: failure.code, retriable: failure.retriable });
        else if (answer) {
          const changed = answer.rows !== last?.rows || answer.columns !== last.columns;
          if (changed) this.table.answerReplaced(answer);
          last = answer;
          const { title, rows, cached, truncated, partial, suppressed, computedAt: asOf } = answer;
          host.loaded({ tile, title, rowCount: rows.length, asOf, cached, truncated, partial, suppressed, changed });
        }
        host.requestUpdate();
      },
    });
  }

  get answer(): Answer | undefined {
    const { state } = this.resource;
    return state.status === 'ready' ? state.value : undefined;
  }

  /** Tells whether the answer is drawn, or there will be none. */
  get isSettled(): boolean {
    return this.view !== undefined || this.resource.state.status === 'failed';
  }

  /** Tells the host page, after each rendering, of what is painted for the first time. */
  afterRender(): void {
    const { answer, view } = this;
    const now = [answer?.rows, answer?.columns, view];
    if (answer === undefined || view === undefined || now.every((each, index) => each === this.#painted[index])) return;
    this.#painted = now;
    this.#host.rendered({ tile: this.tile, view });
  }
}
