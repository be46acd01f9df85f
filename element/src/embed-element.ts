import { html, type PropertyDeclarations, ReactiveElement, type RootPart, render, type TemplateResult } from 'lit';
import type { ChartModule } from './chart/chart.ts';
import { chartColumns, chartMode } from './chart/columns.ts';
import type { Answer } from './read/answer.ts';
import { readQuery, type Source } from './read/client.ts';
import { DashboardReading } from './read/dashboard-reading.ts';
import { Reading } from './read/reading.ts';
import { type Charts, chartView } from './view/chart-view.ts';
import { dashboardView } from './view/dashboard-view.ts';
import { honesty } from './view/honesty.ts';
import { RowWindow } from './view/row-window.ts';
import { chartSkeleton, dashboardSkeleton, empty, failure, notice, tableSkeleton, UNAVAILABLE } from './view/states.ts';
import { styles } from './view/styles.ts';
import { tableView } from './view/table-view.ts';

const DEFAULT_HEIGHT = '400px';

type Shown =
  | { readonly kind: 'query'; readonly source: Source; readonly reading: Reading<Answer>; readonly rows: RowWindow }
  | { readonly kind: 'dashboard'; readonly source: Source; readonly reading: DashboardReading };

/**
 * The behaviour of `<service-embed>`; its two forms, script and package, differ only in where charts come from.
 *
 * It extends ReactiveElement and not LitElement, because the documented attribute `render` needs a property of that
 * name: frameworks that set properties (React 19, Vue) would otherwise overwrite LitElement's `render()` method.
 */
export abstract class EmbedElement extends ReactiveElement {
  static override properties: PropertyDeclarations = {
    server: {},
    path: {},
    kind: {},
    token: {},
    render: {},
    mode: {},
    height: {},
  };

  static override styles = styles;

  /** Address of the service, such as `https://analytics.example.com`. Required. */
  declare server: string | null | undefined;
  /** Repository path of the saved query or dashboard. Required. */
  declare path: string | null | undefined;
  /** `query` (default) or `dashboard`. */
  declare kind: string | null | undefined;
  /** Embed token; none for a resource with a public grant. */
  declare token: string | null | undefined;
  /** For a query: `table` (default) or `chart`. */
  declare render: string | null | undefined;
  /** For a chart: `bar` (default), `line` or `pie`. */
  declare mode: string | null | undefined;
  /** CSS height that the rendered surface has at least; default `400px`. */
  declare height: string | null | undefined;

  #shown: Shown | undefined;
  #charts: Charts | undefined;
  #root: RootPart | undefined;

  /** Loads the chart file; called once, when the first chart has data. */
  protected abstract loadCharts(): Promise<ChartModule>;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#root?.setConnected(true);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#shown?.reading.stop();
    this.#root?.setConnected(false);
  }

  protected override willUpdate(): void {
    // Attributes may change while the element is out of the page; it reads when it is back.
    if (this.isConnected) this.#follow(this.#source());
  }

  protected override update(changed: Map<PropertyKey, unknown>): void {
    super.update(changed);
    this.#root = render(this.#template(), this.renderRoot, { host: this, isConnected: this.isConnected });
  }

  #source(): Source | undefined {
    const { server, path, token } = this;
    if (!server || !path) return undefined;
    return { server, path, token: token || undefined, kind: this.kind === 'dashboard' ? 'dashboard' : 'query' };
  }

  /** Reads `source`. What is answered is not asked again; what a disconnect interrupted goes on. */
  #follow(source: Source | undefined): void {
    const before = this.#shown;
    if (before === undefined || source === undefined || !sameSource(before.source, source)) {
      before?.reading.stop();
      this.#shown = source && this.#show(source, before);
    }
    this.#shown?.reading.start();
  }

  #show(source: Source, before: Shown | undefined): Shown {
    const changed = () => this.requestUpdate();
    if (source.kind === 'dashboard')
      return { kind: 'dashboard', source, reading: new DashboardReading(source, changed) };
    const read = (signal: AbortSignal) => readQuery(source, signal);
    // A fresh token for the same query: what is shown stays until the new answer is here.
    if (before?.kind === 'query' && sameSource({ ...before.source, token: source.token }, source)) {
      return { ...before, source, reading: new Reading(read, changed, before.reading.outcome) };
    }
    return { kind: 'query', source, reading: new Reading(read, changed), rows: new RowWindow(changed) };
  }

  #template(): TemplateResult {
    const shown = this.#shown;
    const kind = shown?.kind ?? 'query';
    const loading =
      shown?.kind === 'query' ? shown.reading.outcome.state === 'loading' : shown?.reading.layout.state === 'loading';
    return html`<div class="surface ${kind}" part="surface" aria-busy=${String(loading)} .style=${`min-height:${this.#height()}`}>
      ${shown === undefined ? incomplete() : shown.kind === 'query' ? this.#query(shown) : this.#dashboard(shown)}
    </div>`;
  }

  #query({ reading, rows }: Extract<Shown, { kind: 'query' }>): TemplateResult {
    const { outcome } = reading;
    const asChart = this.render === 'chart';
    switch (outcome.state) {
      case 'loading':
        return asChart ? chartSkeleton() : tableSkeleton();
      case 'failed':
        return failure(UNAVAILABLE);
      case 'ready': {
        const answer = outcome.value;
        const view = answer.rows.length === 0 ? empty() : asChart ? this.#chart(answer) : tableView(answer, rows);
        return html`${view}${honesty(answer, !asChart && answer.rows.length > 0)}`;
      }
    }
  }

  #chart(answer: Answer): TemplateResult {
    const charts = chartColumns(answer).series.length > 0 ? this.#chartFile() : 'loading';
    return chartView({ answer, mode: chartMode(this.mode), title: answer.title, charts });
  }

  #dashboard({ reading }: Extract<Shown, { kind: 'dashboard' }>): TemplateResult {
    const { layout } = reading;
    switch (layout.state) {
      case 'loading':
        return dashboardSkeleton();
      case 'failed':
        return html`<div class="surface query">${failure(UNAVAILABLE)}</div>`;
      case 'ready': {
        const charts = layout.value.tiles.some(({ kind }) => kind === 'chart') ? this.#chartFile() : 'loading';
        return dashboardView({ dashboard: layout.value, answer: (id) => reading.tile(id), charts });
      }
    }
  }

  /** Asks for the chart file the first time a chart is to be drawn; a page of tables never loads it. */
  #chartFile(): Charts {
    if (this.#charts !== undefined) return this.#charts;
    this.#charts = 'loading';
    const arrived = (charts: Charts): void => {
      this.#charts = charts;
      this.requestUpdate();
    };
    // A host page's CSP may refuse the file. The view then says so, and the values stay readable as a table.
    this.loadCharts().then(arrived, () => arrived('failed'));
    return this.#charts;
  }

  /** Only what is one valid value: it is written into a style, where `1px; position: fixed` would be two. */
  #height(): string {
    const height = this.height?.trim();
    return height && CSS.supports('min-height', height) ? height : DEFAULT_HEIGHT;
  }
}

function incomplete(): TemplateResult {
  return notice('This embed is not set up yet', 'It needs the attributes server and path.');
}

function sameSource(a: Source, b: Source): boolean {
  return a.server === b.server && a.path === b.path && a.kind === b.kind && a.token === b.token;
}
