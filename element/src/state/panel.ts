import { AsyncResource, type ResourceState } from '../api/async-resource.ts';
import type { Answer } from '../api/parse-answer.ts';
import type { ErrorDetail, LoadDetail, RenderDetail, SettingProblem, WithoutSubject } from '../events.ts';
import { TableState } from './table-state.ts';

/** Describes the element to a panel: its requests and its events. */
export interface PanelHost {
  /** Schedules a rendering of the element. */
  requestUpdate(): void;
  loaded(detail: WithoutSubject<LoadDetail>): void;
  rendered(detail: WithoutSubject<RenderDetail>): void;
  failed(detail: WithoutSubject<ErrorDetail>): void;
  /** Loads the part that compares an answer with the previous one. */
  load(part: 'refresh'): Promise<{ mergeAnswers(previous: Answer, current: Answer): Answer }>;
  /** Returns an answer as the viewer reads it. */
  inNotation(answer: Answer): Answer;
  /** Resolves when answers can be shown as the viewer reads them. */
  ready(): Promise<unknown>;
}

/** What a view reads besides the answer, as JSON: the rest of a series (`others`), or subtotals (`without` some dimensions). */
export type MoreRequest = { readonly others: string } | { readonly without: string };

/** Reads an answer; with `more`, another part of its query in place of the whole. */
export type ReadAnswer = (signal: AbortSignal, more?: MoreRequest) => Promise<Answer>;

type MoreState = Answer | 'loading' | 'failed';

const moreStates = new WeakMap<Answer['rows'], Map<string, MoreState>>();

export interface PanelOptions {
  readonly host: PanelHost;
  readonly read: ReadAnswer;
  /** Id of the tile; undefined for a query. */
  readonly tile: string | undefined;
  /** The panel before this one, of the same resource. Its answer stays until the new one arrives. */
  readonly previous?: Panel | undefined;
  /** Says that the panel before answered another question of the resource. */
  readonly isOther?: boolean | undefined;
  /** The state at the start; by default the state of `previous`. */
  readonly initial?: ResourceState<Answer>;
  readonly table?: TableState;
}

/**
 * Contains one answer on the page, of a query or a tile: the state of its read, and how the reader sorted, selected and
 * scrolled it.
 */
export class Panel {
  readonly resource: AsyncResource<Answer>;
  readonly #read: ReadAnswer;
  /** Id of the tile; undefined for a query. */
  readonly tile: string | undefined;
  readonly table: TableState;
  /** Whether the reader switched from the chart to its table. */
  isTable: boolean;
  /** Settings that the chart cannot use. A chart sets them. */
  problems: readonly SettingProblem[] = [];
  /** Whether a part paints the view after the rendering. */
  isPainting = false;
  /** Name of the painted view. A view sets it; undefined while there is nothing to show. */
  view: string | undefined;
  readonly #host: PanelHost;
  /** Rows, columns and view of the last `service-render` event. */
  #painted: readonly unknown[] = [];

  constructor({ host, read, tile, previous, isOther, initial, table = previous?.table }: PanelOptions) {
    this.#host = host;
    this.tile = tile;
    this.#read = read;
    this.table = table ?? new TableState(() => host.requestUpdate());
    // The controls belong to the previous panel.
    this.table.controls = undefined;
    this.isTable = previous?.isTable ?? false;
    let last = previous?.answer;
    const shown = previous?.resource.state;
    this.resource = new AsyncResource<Answer>({
      read: async (signal) => {
        const answer = await read(signal);
        await host.ready();
        return answer;
      },
      initial: initial ?? (shown?.status === 'ready' ? shown : undefined),
      isOther,
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

  /** The answer in the notation of the viewer. Views and files show this one. */
  get answer(): Answer | undefined {
    const { state } = this.resource;
    return state.status === 'ready' ? this.#host.inNotation(state.value) : undefined;
  }

  /** Returns more of the query of `answer`. The first call reads it, and renders again when it has arrived or failed. */
  readMore(answer: Answer, more: MoreRequest): MoreState {
    const states = moreStates.get(answer.rows) ?? new Map<string, MoreState>();
    moreStates.set(answer.rows, states);
    const key = JSON.stringify(more);
    const known = states.get(key);
    if (known !== undefined) return typeof known === 'object' ? this.#host.inNotation(known) : known;
    states.set(key, 'loading');
    const settle = (state: MoreState) => {
      states.set(key, state);
      this.#host.requestUpdate();
    };
    this.#read(AbortSignal.timeout(60_000), more).then(settle, () => settle('failed'));
    return 'loading';
  }

  /** Returns whether the answer is drawn, or has failed. */
  get isSettled(): boolean {
    return this.view !== undefined || this.resource.state.status === 'failed';
  }

  /** Dispatches `service-render` once another answer or view is painted. */
  afterRender(): void {
    const { answer, view } = this;
    const now = [answer?.rows, answer?.columns, view];
    if (
      this.isPainting ||
      answer === undefined ||
      view === undefined ||
      now.every((each, index) => each === this.#painted[index])
    )
      return;
    this.#painted = now;
    this.#host.rendered({ tile: this.tile, view, problems: this.problems });
  }
}
