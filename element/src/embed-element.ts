import {
  html,
  nothing,
  type PropertyDeclarations,
  ReactiveElement,
  type RootPart,
  render,
  type TemplateResult,
} from 'lit';
import type { AnswerReader, Source } from './api/client.ts';
import { Failure } from './api/failure.ts';
import { type EmbedFilter, serializeFilter } from './api/filter.ts';
import type { FilterState } from './api/filter-state.ts';
import {
  createAccess,
  createQueryController,
  incompleteNotice,
  isSameResource,
  loadingView,
  unavailableView,
} from './controllers/query-controller.ts';
import { emit, type ServiceEmbedEventMap, type WithoutSubject } from './events.ts';
import { addWords, type Formats, formatsFor, missingWords } from './formats.ts';
import type { ChartSettings } from './generated/chart-settings.ts';
import { PartLoader } from './lazy/part-loader.ts';
import { readSettings, type Settings } from './read-attributes.ts';
import { headingView } from './render/placeholders.ts';
import { styles } from './render/styles.ts';
import type { Credentials, ElementParts, EmbedController, ExportedImage, GetToken, Host, PartName } from './types.ts';

/** The version of this package. The build defines it. */
declare const VERSION: string;

/**
 * Behaves as `<service-embed>`. Its two forms, script and package, differ only in how they load parts.
 *
 * It extends ReactiveElement and not LitElement, because the documented attribute `render` needs a property of that
 * name: frameworks that set properties (React 19, Vue) would overwrite LitElement's `render()` method.
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
    series: {},
    chart: {},
    export: {},
    locale: {},
    timeZone: { attribute: 'time-zone' },
    refreshInterval: { attribute: 'refresh-interval' },
    getToken: { attribute: false },
    reader: { attribute: false },
    filters: {},
    drill: { type: Boolean },
    filterState: { attribute: false },
    stateParam: { attribute: 'state-param' },
    heading: {},
  };

  static override styles = styles;

  /** Address of the service, such as `https://analytics.example.com`. Required. */
  declare server: string | null | undefined;
  /** Repository path of the saved query, dashboard or ask box. Required. */
  declare path: string | null | undefined;
  /**
   * Kind of document at `path`.
   * @type {'query' | 'dashboard' | 'ai'}
   * @default 'query'
   */
  declare kind: string | null | undefined;
  /** Embed token; `session` on pages of the service itself; none for a resource with a public grant. */
  declare token: string | null | undefined;
  /**
   * How a query is shown.
   * @type {'table' | 'chart' | 'kpi' | 'matrix'}
   * @default 'table'
   */
  declare render: string | null | undefined;
  /**
   * Type of the chart.
   * @type {ChartMode}
   * @default 'bar'
   */
  declare mode: string | null | undefined;
  /**
   * Minimum CSS height of the surface.
   * @type {string}
   * @default '400px'
   */
  declare height: string | null | undefined;
  /**
   * Default colours; `auto` follows the visitor's system.
   * @type {'light' | 'dark' | 'auto'}
   * @default 'light'
   */
  declare theme: string | null | undefined;
  /**
   * Narrows the data that the author published; as an attribute, JSON. A malformed filter is an error, never no filter.
   */
  declare filter: EmbedFilter | string | null | undefined;
  /** For `render="kpi"`: key of the column to show. */
  declare measure: string | null | undefined;
  /** For `render="kpi"`: key of the column to compare with. */
  declare compare: string | null | undefined;
  /** For `render="chart"`: key of the dimension with one line, bar or area for each member. */
  declare series: string | null | undefined;
  /** For `render="chart"`: settings of the chart; as an attribute, JSON. */
  declare chart: ChartSettings | string | null | undefined;
  /** Formats of the menu of files, with commas between: `csv`, `xlsx`, `png`, `pdf`. Without it there is no menu. */
  declare export: string | null | undefined;
  /** BCP 47 tag for the element's own texts; default: the browser's. */
  declare locale: string | null | undefined;
  /** IANA time zone; default: the browser's. */
  declare timeZone: string | null | undefined;
  /** Seconds between two reads, at least 5; unset means no refresh. Pauses while the page is hidden. */
  declare refreshInterval: number | string | null | undefined;
  /** Returns a token. The element calls it at the start, before a token ends, and when the server refuses one. */
  declare getToken: GetToken | null | undefined;
  /**
   * Reads the answer of a query in place of a server; `server`, `token` and `filter` do not count then. Another function
   * is another answer: the one before stays until it arrives.
   */
  declare reader: AnswerReader | null | undefined;
  /**
   * Shows filters: of a query the fields, `["sales.date","stores.region"]`; of a dashboard its filter tiles, where the
   * attribute is present. Without it there are none.
   */
  declare filters: readonly string[] | boolean | string | null | undefined;
  /** Whether a click does what the document allows: narrows other tiles, goes down to finer data, shows the rows behind. */
  declare drill: boolean | null | undefined;
  /** What the visitor chose in the filters. Plain JSON: set it again for the same picture. */
  declare filterState: FilterState | null | undefined;
  /** Name of a parameter of the page's address. The element keeps `filterState` in it, and reads it at the start. */
  declare stateParam: string | null | undefined;

  /** Shows a heading above: this text, or the title of the document where the attribute has no value. */
  declare heading: string | boolean | null | undefined;

  readonly #parts = new PartLoader(
    (name) => this.loadPart(name),
    (failed) => {
      if (failed) this.#partFailed();
      this.requestUpdate();
    },
  );
  readonly #warned = new Set<string>();
  readonly #host: Host;
  #settings: Settings = readSettings({}, () => {});
  #filter: string | undefined;
  #controller: EmbedController | undefined;
  #announcement = '';
  #rootPart: RootPart | undefined;
  /** Whether the element is in or near the viewport; charts wait for it. */
  #isNearViewport = false;
  #viewportObserver: IntersectionObserver | undefined;
  /** Whether the first rendering is about to replace the server's rendering. */
  #isHydrating = false;
  #refreshTimer: { readonly seconds: number | undefined; stop: () => void } | undefined;

  constructor() {
    super();
    const element = this;
    const emitFor =
      <N extends keyof ServiceEmbedEventMap>(name: N, cancelable = false) =>
      (detail: WithoutSubject<ServiceEmbedEventMap[N]['detail']>): boolean =>
        this.#emit(name, detail, cancelable);
    this.#host = {
      get settings() {
        return element.#settings;
      },
      get formats() {
        return element.#formatsOf(languageAround(element));
      },
      get root() {
        return element.#shadowRoot;
      },
      get isHydrating() {
        return element.#isHydrating;
      },
      part: (name) => {
        if (name === 'charts' && !this.#isNearViewport) {
          this.#observeViewport();
          return 'loading';
        }
        return this.#parts.get(name, this.#shadowRoot);
      },
      load: (name) =>
        this.loadPart(name).catch(() => {
          throw new Failure('PART_UNAVAILABLE');
        }),
      // With `locale`, and only with it, the viewer's notation replaces the server's texts.
      inNotation: (answer) => {
        const part = this.#settings.locale && this.#parts.get('notation', this.#shadowRoot);
        return typeof part === 'object' ? part.inNotation(answer, this.#host.formats) : answer;
      },
      ready: async () => this.#settings.locale && this.#host.load('notation').catch(() => {}),
      requestUpdate: () => this.requestUpdate(),
      updateComplete: () => this.updateComplete,
      announce: (text) => {
        this.#announcement = text;
      },
      loaded: emitFor('service-load'),
      rendered: emitFor('service-render'),
      failed: emitFor('service-error'),
      select: emitFor('service-select', true),
    };
  }

  /** Returns the formats of a page's language. The first use of a language other than English loads its words. */
  #formatsOf(page: string | undefined): Formats {
    const { locale, timeZone } = this.#settings;
    // Loads while the answer is computed.
    if (locale) this.#parts.get('notation', this.#shadowRoot);
    const formats = formatsFor(locale, timeZone, page);
    const language = missingWords(formats);
    if (!language) return formats;
    const part = this.#parts.get(`words-${language}`, this.#shadowRoot);
    if (typeof part !== 'object') return formats;
    addWords(language, part.words);
    return formatsFor(locale, timeZone, page);
  }

  /** Loads a part of the element. Runs once for each part. */
  protected abstract loadPart<N extends PartName>(name: N): Promise<ElementParts[N]>;

  /**
   * Reads the shown data again. Resolves when the new answer is shown, and also when the read fails (`service-error`).
   */
  async refresh(): Promise<void> {
    this.#parts.forgetFailures();
    await this.updateComplete;
    await this.#controller?.refresh();
    await this.updateComplete;
  }

  /**
   * Returns all rows of the answer as CSV (RFC 4180, UTF-8 with a byte order mark), in the order shown. For a
   * dashboard, `tile` is the tile's id. Rejects with `InvalidStateError` where nothing is loaded.
   */
  async exportCsv(tile?: string): Promise<Blob> {
    return (await this.#host.load('export')).csv(this.#controller?.panel(tile));
  }

  /**
   * Returns the chart as an image. For a dashboard, `tile` is the tile's id. Rejects with `InvalidStateError` where
   * there is no chart.
   */
  async exportImage(options: ExportedImage = {}): Promise<Blob> {
    return (await this.#host.load('export')).image(this.#controller?.panel(options.tile), this.#shadowRoot, options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#rootPart?.setConnected(true);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#controller?.stop();
    this.#rootPart?.setConnected(false);
    this.#viewportObserver?.disconnect();
    this.#viewportObserver = undefined;
    this.#refreshTimer?.stop();
    this.#refreshTimer = undefined;
    for (const part of this.#parts) part.disconnected?.(this.#shadowRoot);
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    this.#settings = readSettings(this, (attribute, value) => this.#warn(attribute, value));
    if (changed.has('filter')) this.#applyFilter();
    // Attributes may change while the element is out of the page. It reads when it is back.
    if (!this.isConnected) return;
    if (!this.hasUpdated) emit(this, 'service-ready', undefined, { version: VERSION });
    this.#showSource(this.#source());
    this.#scheduleRefresh(this.#settings.refreshSeconds);
  }

  protected override update(changed: Map<PropertyKey, unknown>): void {
    super.update(changed);
    const root = this.#shadowRoot;
    this.#isHydrating = this.#rootPart === undefined && root.childElementCount > 0;
    const template = this.#template();
    // The server's rendering stays until everything that replaces it is here.
    if (this.#isHydrating) {
      if (this.#source() && (!this.#controller?.isSettled || this.#parts.isLoading)) return;
      root.replaceChildren();
    }
    this.#rootPart = render(template, root, { host: this, isConnected: this.isConnected });
    if (!this.isConnected) return;
    for (const part of this.#parts) part.afterRender?.(root);
    this.#controller?.afterRender();
  }

  get #shadowRoot(): ShadowRoot {
    // The shadow root is open and exists before the first rendering.
    const root = this.shadowRoot ?? this.createRenderRoot();
    if (root instanceof ShadowRoot) return root;
    throw new Error('The element has no shadow root.');
  }

  #template(): TemplateResult {
    const { kind, height } = this.#settings;
    const busy = this.#controller?.isLoading ?? this.#source() !== undefined;
    const view = this.#controller?.render() ?? this.#placeholder();
    const files = this.#controller && this.export ? this.#host.part('export') : '';
    const menu =
      this.#controller && typeof files === 'object'
        ? files.menu(this.#controller, this.#host, this.export ?? '')
        : nothing;
    return html`<div class="surface ${kind}" part="surface" aria-busy=${String(busy)} .style=${`min-height:${height}`}>
      ${headingView(this.heading, this.#controller)}${kind === 'dashboard' ? menu : nothing}${view}${kind === 'dashboard' ? nothing : menu}
    </div><div class="visually-hidden" role="status">${this.#announcement || nothing}</div>`;
  }

  /**
   * Renders the surface while no controller exists: an attribute is missing, or the part that shows the document is
   * loading.
   */
  #placeholder(): TemplateResult {
    const host = this.#host;
    const source = this.#source();
    const name = source && partOf(source);
    if (!source) return incompleteNotice(this.#host);
    return name && host.part(name) === 'failed'
      ? unavailableView(host, new Failure('PART_UNAVAILABLE'))
      : loadingView(host, 'tiles');
  }

  #source(): Source | undefined {
    const { server, path, reader } = this;
    if (reader) return { server: '', path: path ?? '', kind: 'query', filter: undefined, reader };
    const { kind, filters, drill } = this.#settings;
    return server && path ? { server, path, kind, filter: this.#filter, filters, drill } : undefined;
  }

  /** Reads `source`. Answered requests are not sent again; requests that a disconnect interrupted go on. */
  #showSource(source: Source | undefined): void {
    const previous = this.#controller;
    const credentials = { token: this.token || undefined, getToken: this.getToken ?? undefined };
    if (!previous || !source || !isSameSource(previous, source, credentials)) {
      previous?.stop();
      this.#controller =
        source &&
        this.#createController(
          source,
          credentials,
          previous && isSameResource(previous.source, source) ? previous : undefined,
        );
    }
    this.#controller?.start();
  }

  /** Creates the controller of `source`; undefined while the part that shows dashboards or ask boxes is loading. */
  #createController(
    source: Source,
    credentials: Credentials,
    previous: EmbedController | undefined,
  ): EmbedController | undefined {
    const host = this.#host;
    const name = partOf(source);
    const part = name ? host.part(name) : { createController: createQueryController };
    if (typeof part === 'string') return undefined;
    const access = createAccess(host, source, credentials, {
      resumed: () => this.#controller?.resume(),
      expiring: (expiresAt) => this.#emit('service-token-expiring', { tile: undefined, expiresAt }, true),
    });
    return part.createController({ host, source, credentials, access, previous }, createQueryController);
  }

  #applyFilter(): void {
    const text = serializeFilter(this.filter);
    if (text === this.#filter) return;
    // The page is asked about a change, not about its first filter.
    const filter: EmbedFilter | undefined = text === undefined || text === '!' ? undefined : JSON.parse(text);
    if (this.hasUpdated && !this.#emit('service-filter', { tile: undefined, filter }, true)) return;
    this.#filter = text;
  }

  #scheduleRefresh(seconds: number | undefined): void {
    if (this.#refreshTimer?.seconds === seconds) return;
    this.#refreshTimer?.stop();
    const refreshing = { seconds, stop: () => {} };
    this.#refreshTimer = refreshing;
    if (seconds === undefined) return;
    this.#host.load('refresh').then(
      ({ refreshEvery }) => {
        // The element may have left the page meanwhile, or another interval may be set.
        if (this.#refreshTimer === refreshing)
          refreshing.stop = refreshEvery(seconds, () => this.#controller?.refresh());
      },
      () => this.#partFailed(),
    );
  }

  #partFailed(): void {
    this.#emit('service-error', { tile: undefined, code: 'PART_UNAVAILABLE', retriable: true });
  }

  #observeViewport(): void {
    if (this.#viewportObserver || !this.isConnected) return;
    this.#viewportObserver = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        this.#viewportObserver?.disconnect();
        this.#isNearViewport = true;
        this.requestUpdate();
      },
      { rootMargin: '400px' },
    );
    this.#viewportObserver.observe(this);
  }

  #emit<N extends keyof ServiceEmbedEventMap>(
    name: N,
    detail: WithoutSubject<ServiceEmbedEventMap[N]['detail']>,
    cancelable = false,
  ): boolean {
    return emit(this, name, { kind: this.#settings.kind, path: this.path ?? '' }, detail, cancelable);
  }

  /** Warns the page's author, once for each value: each update reads all attributes again. */
  #warn(attribute: string, value: string): void {
    const message = `${attribute}=${value}`;
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    // biome-ignore lint/suspicious/noConsole: to the author of the page, who has no other way to learn of it.
    console.warn(`<service-embed>: ${attribute}="${value.slice(0, 80)}" is unknown; its default is used.`);
  }
}

/** Returns the language of the closest element that names one, also outside the shadow trees around. */
function languageAround(element: Element): string | undefined {
  const named = element.closest<HTMLElement>('[lang]');
  if (named) return named.lang;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? languageAround(root.host) : undefined;
}

/** Returns the part that shows a source; undefined for a query alone, which needs none. */
function partOf({ kind, filters, drill }: Source) {
  return kind === 'query' ? (filters || drill) && 'filters' : kind;
}

function isSameSource(shown: EmbedController, source: Source, { token, getToken }: Credentials): boolean {
  const { credentials } = shown;
  return (
    isSameResource(shown.source, source) &&
    shown.source.filter === source.filter &&
    shown.source.filters === source.filters &&
    shown.source.drill === source.drill &&
    shown.source.reader === source.reader &&
    credentials.token === token &&
    credentials.getToken === getToken
  );
}
