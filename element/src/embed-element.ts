import {
  html,
  nothing,
  type PropertyDeclarations,
  ReactiveElement,
  type RootPart,
  render,
  type TemplateResult,
} from 'lit';
import type { ExportedImage, GetToken, Host, PartName, Parts, Right, Shown } from './contract.ts';
import { emit, type ServiceEmbedEventMap } from './events.ts';
import { formatsFor } from './formats.ts';
import { Shelf } from './parts/shelf.ts';
import type { Source } from './read/client.ts';
import { Failure } from './read/failure.ts';
import { type EmbedFilter, filterText } from './read/filter.ts';
import { readSettings, type Settings } from './settings.ts';
import { accessBy, incomplete, loading, sameResource, shownQuery, unavailable } from './view/shown.ts';
import { styles } from './view/styles.ts';

/** The version of this package; written in by the build. */
declare const VERSION: string;

/**
 * The behaviour of `<service-embed>`; its two forms, script and package, differ only in where their parts come from.
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
    theme: { reflect: true },
    filter: {},
    measure: {},
    compare: {},
    locale: {},
    timeZone: { attribute: 'time-zone' },
    refreshInterval: { attribute: 'refresh-interval' },
    getToken: { attribute: false },
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
  /** For a query: `table` (default), `chart`, `kpi` or `matrix`. */
  declare render: string | null | undefined;
  /** For a chart: `bar` (default), `line`, `pie`, `stacked-bar`, `area`, `scatter` or `combo`. */
  declare mode: string | null | undefined;
  /** CSS height that the rendered surface has at least; default `400px`. */
  declare height: string | null | undefined;
  /** `light` (default), `dark`, or `auto` for what the visitor's system prefers. */
  declare theme: string | null | undefined;
  /** Narrows what the author published; as an attribute, JSON. A malformed filter is an error, never no filter. */
  declare filter: EmbedFilter | string | null | undefined;
  /** For `render="kpi"`: key of the column that is the number. */
  declare measure: string | null | undefined;
  /** For `render="kpi"`: key of the column that it is compared with. */
  declare compare: string | null | undefined;
  /** BCP 47 tag for what the element writes itself; default the browser's. */
  declare locale: string | null | undefined;
  /** IANA name; default the browser's. */
  declare timeZone: string | null | undefined;
  /** Seconds between two reads of the same, at least 5; none when it is not set. Pauses while the page is hidden. */
  declare refreshInterval: number | string | null | undefined;
  /** Gives a token, at the start and again before one ends or when the server refuses one. */
  declare getToken: GetToken | null | undefined;

  readonly #shelf = new Shelf(
    (name) => this.loadPart(name),
    (failed) => {
      if (failed) this.#emit('service-error', { tile: undefined, code: 'PART_UNAVAILABLE', retriable: true });
      this.requestUpdate();
    },
  );
  readonly #warned = new Set<string>();
  readonly #host: Host;
  #settings: Settings = readSettings({}, () => {});
  #filter: string | undefined;
  #shown: Shown | undefined;
  #announced = '';
  #root: RootPart | undefined;
  /** Whether the element is in or near the viewport; charts wait for that. */
  #near = false;
  #watching: IntersectionObserver | undefined;
  /** Whether what a server rendered is about to be replaced. */
  #still = false;
  #refreshing: { readonly seconds: number | undefined; stop: () => void } | undefined;

  constructor() {
    super();
    const element = this;
    const emitFor =
      <N extends keyof ServiceEmbedEventMap>(name: N, cancelable = false) =>
      (detail: Omit<ServiceEmbedEventMap[N]['detail'], 'kind' | 'path'>): boolean =>
        this.#emit(name, detail, cancelable);
    this.#host = {
      get settings() {
        return element.#settings;
      },
      get formats() {
        return formatsFor(element.#settings.locale, element.#settings.timeZone);
      },
      get root() {
        return element.#shadow;
      },
      get still() {
        return element.#still;
      },
      part: (name) => {
        if (name === 'charts' && !this.#near) {
          this.#watch();
          return 'loading';
        }
        return this.#shelf.get(name, this.#shadow);
      },
      load: (name) =>
        this.loadPart(name).catch(() => {
          throw new Failure('PART_UNAVAILABLE');
        }),
      changed: () => this.requestUpdate(),
      painted: () => this.updateComplete,
      announce: (text) => {
        this.#announced = text;
      },
      loaded: emitFor('service-load'),
      rendered: emitFor('service-render'),
      failed: emitFor('service-error'),
      select: emitFor('service-select', true),
    };
  }

  /** Fetches a part of the element; called once for each. */
  protected abstract loadPart<N extends PartName>(name: N): Promise<Parts[N]>;

  /** Reads what is shown again. Fulfilled when the new answer is shown, and also when reading failed (`service-error`). */
  async refresh(): Promise<void> {
    this.#shelf.forgetFailures();
    await this.updateComplete;
    await this.#shown?.refresh();
    await this.updateComplete;
  }

  /**
   * All rows of the answer as CSV (RFC 4180, UTF-8 with a byte order mark), in the order shown; of a dashboard the
   * tile with this id. Rejects with `InvalidStateError` where nothing is loaded.
   */
  async exportCsv(tile?: string): Promise<Blob> {
    return (await this.#host.load('export')).csv(this.#shown?.panel(tile));
  }

  /** The chart as it is shown; of a dashboard the tile with this id. Rejects with `InvalidStateError` where there is no chart. */
  async exportImage(options: ExportedImage = {}): Promise<Blob> {
    return (await this.#host.load('export')).image(this.#shown?.panel(options.tile), this.#shadow, options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#root?.setConnected(true);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#shown?.stop();
    this.#root?.setConnected(false);
    this.#watching?.disconnect();
    this.#watching = undefined;
    this.#refreshing?.stop();
    this.#refreshing = undefined;
    for (const part of this.#shelf) part.disconnected?.(this.#shadow);
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    this.#settings = readSettings(this, (attribute, value) => this.#warn(attribute, value));
    if (changed.has('filter')) this.#takeFilter();
    // Attributes may change while the element is out of the page; it reads when it is back.
    if (!this.isConnected) return;
    if (!this.hasUpdated) emit(this, 'service-ready', undefined, { version: VERSION });
    this.#follow(this.#source());
    this.#keepFresh(this.#settings.refreshSeconds);
  }

  protected override update(changed: Map<PropertyKey, unknown>): void {
    super.update(changed);
    const root = this.#shadow;
    this.#still = this.#root === undefined && root.childElementCount > 0;
    const template = this.#template();
    // What a server rendered stays until all of what takes its place is here.
    if (this.#still) {
      if (this.#source() && (!this.#shown?.settled || this.#shelf.waiting)) return;
      root.replaceChildren();
    }
    this.#root = render(template, root, { host: this, isConnected: this.isConnected });
    if (!this.isConnected) return;
    for (const part of this.#shelf) part.rendered?.(root);
    this.#shown?.rendered();
  }

  get #shadow(): ShadowRoot {
    // Open, and made before the first rendering.
    const root = this.shadowRoot ?? this.createRenderRoot();
    if (root instanceof ShadowRoot) return root;
    throw new Error('The element has no shadow root.');
  }

  #template(): TemplateResult {
    const { kind, height } = this.#settings;
    const busy = this.#shown?.loading ?? this.#source() !== undefined;
    return html`<div class="surface ${kind}" part="surface" aria-busy=${String(busy)} .style=${`min-height:${height}`}>
      ${this.#shown?.template() ?? this.#waiting()}
    </div><div class="unseen" role="status">${this.#announced || nothing}</div>`;
  }

  /** What stands where nothing is shown: either something is missing, or what shows dashboards is. */
  #waiting(): TemplateResult {
    const host = this.#host;
    if (!this.#source()) return incomplete();
    return host.part('dashboard') === 'failed'
      ? unavailable(host, new Failure('PART_UNAVAILABLE'))
      : loading(host, 'tiles');
  }

  #source(): Source | undefined {
    const { server, path } = this;
    return server && path ? { server, path, kind: this.#settings.kind, filter: this.#filter } : undefined;
  }

  /** Reads `source`. What is answered is not asked again; what a disconnect interrupted goes on. */
  #follow(source: Source | undefined): void {
    const before = this.#shown;
    const right = { token: this.token || undefined, getToken: this.getToken ?? undefined };
    if (!before || !source || !sameSource(before, source, right)) {
      before?.stop();
      this.#shown =
        source && this.#show(source, right, before && sameResource(before.source, source) ? before : undefined);
    }
    this.#shown?.start();
  }

  /** Undefined while what shows dashboards is on its way. */
  #show(source: Source, right: Right, before: Shown | undefined): Shown | undefined {
    const host = this.#host;
    const part = source.kind === 'query' ? { shown: shownQuery } : host.part('dashboard');
    if (typeof part === 'string') return undefined;
    const access = accessBy(host, source, right, {
      resumed: () => this.#shown?.resume(),
      expiring: (expiresAt) => this.#emit('service-token-expiring', { tile: undefined, expiresAt }, true),
    });
    return part.shown({ host, source, right, access, before });
  }

  #takeFilter(): void {
    const text = filterText(this.filter);
    if (text === this.#filter) return;
    // The page is asked about a change, not about what it starts with.
    const filter: EmbedFilter | undefined = text === undefined || text === '!' ? undefined : JSON.parse(text);
    if (this.hasUpdated && !this.#emit('service-filter', { tile: undefined, filter }, true)) return;
    this.#filter = text;
  }

  #keepFresh(seconds: number | undefined): void {
    if (this.#refreshing?.seconds === seconds) return;
    this.#refreshing?.stop();
    const refreshing = { seconds, stop: () => {} };
    this.#refreshing = refreshing;
    if (seconds === undefined) return;
    this.#host.load('live').then(
      ({ refreshEvery }) => {
        // Meanwhile the element may have left the page, or another interval been set.
        if (this.#refreshing === refreshing) refreshing.stop = refreshEvery(seconds, () => this.#shown?.refresh());
      },
      () => this.#emit('service-error', { tile: undefined, code: 'PART_UNAVAILABLE', retriable: true }),
    );
  }

  #watch(): void {
    if (this.#watching || !this.isConnected) return;
    this.#watching = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        this.#watching?.disconnect();
        this.#near = true;
        this.requestUpdate();
      },
      { rootMargin: '400px' },
    );
    this.#watching.observe(this);
  }

  #emit<N extends keyof ServiceEmbedEventMap>(
    name: N,
    detail: Omit<ServiceEmbedEventMap[N]['detail'], 'kind' | 'path'>,
    cancelable = false,
  ): boolean {
    return emit(this, name, { kind: this.#settings.kind, path: this.path ?? '' }, detail, cancelable);
  }

  /** Once for each value: an attribute is read at every update. */
  #warn(attribute: string, value: string): void {
    const said = `${attribute}=${value}`;
    if (this.#warned.has(said)) return;
    this.#warned.add(said);
    // biome-ignore lint/suspicious/noConsole: to the author of the page, who has no other way to learn of it.
    console.warn(`<service-embed>: ${attribute}="${value.slice(0, 80)}" is not understood; its default is used.`);
  }
}

function sameSource(shown: Shown, source: Source, { token, getToken }: Right): boolean {
  const { right } = shown;
  return (
    sameResource(shown.source, source) &&
    shown.source.filter === source.filter &&
    right.token === token &&
    right.getToken === getToken
  );
}
