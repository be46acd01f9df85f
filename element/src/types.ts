import type { nothing, TemplateResult } from 'lit';
import type { Access, Source } from './api/client.ts';
import type { DrillStep } from './api/filter-state.ts';
import type { Answer } from './api/parse-answer.ts';
import type { ChartMode } from './chart-modes.ts';
import type { SelectDetail, WithoutSubject } from './events.ts';
import type { Formats } from './formats.ts';
import type { ChartSettings } from './generated/chart-settings.ts';
import type { Language } from './generated/languages.ts';
import type { Settings } from './read-attributes.ts';
import type { Panel, PanelHost } from './state/panel.ts';
import type { TableFormat } from './state/table-state.ts';
import type { Words } from './words/words.ts';

/**
 * The types that the element, its views and its parts share. They refer to each other, so one file contains them all;
 * every other file imports from here, which prevents circles.
 */

/** Describes the element to its views. */
export interface Host extends PanelHost {
  readonly settings: Settings;
  readonly formats: Formats;
  readonly root: ShadowRoot;
  /** Whether this drawing replaces the server's rendering: it then appears at once, without an animation. */
  readonly isHydrating: boolean;
  /** Returns a part for a rendering. The first call loads it; the element renders again once it is loaded. */
  part<N extends PartName>(name: N): LazyPart<N>;
  /** Loads the part. Rejects with `PART_UNAVAILABLE`. */
  load<N extends PartName>(name: N): Promise<ElementParts[N]>;
  /** Resolves after the current state is painted. */
  updateComplete(): Promise<unknown>;
  /** Announces a text to screen readers. */
  announce(text: string): void;
  /** Dispatches a selection; returns false where the host page cancelled it. */
  select(detail: WithoutSubject<SelectDetail>): boolean;
}

/** Contains keys of columns that the page or the dashboard names. */
export interface KpiColumns {
  readonly measure: string | undefined;
  readonly compare: string | undefined;
}

/** Describes how to show an answer. */
export interface AnswerViewOptions extends KpiColumns {
  readonly render: 'table' | 'chart' | 'kpi' | 'matrix';
  /** Undefined where the page chooses none. */
  readonly mode: ChartMode | undefined;
  readonly title: string;
  /** Chart settings of the page or the tile, unchecked. */
  readonly chart?: unknown;
  /** Key of the dimension whose members are series. */
  readonly series?: string | undefined;
  /** The answers that share their colours with this one, in reading order. */
  readonly peers?: readonly Answer[];
}

/** Names the resource for which an embed calls `getToken`: a token is valid for one resource. */
export interface TokenRequest {
  readonly server: string;
  readonly kind: 'query' | 'dashboard' | 'ai';
  readonly path: string;
}

/**
 * A token, or the unchanged answer of `POST …/embed/tokens`, which also contains the end of the token (epoch
 * milliseconds).
 */
export type GivenToken = string | { readonly token: string; readonly expiresAt?: number };

/**
 * Returns a token for one resource, from the page's own server.
 *
 * @example
 * ```ts
 * import type { GetToken } from 'service-embed';
 *
 * const getToken: GetToken = async ({ kind, path }) => {
 *   const response = await fetch(`/my-backend/embed-token?${new URLSearchParams({ kind, path })}`);
 *   return response.json();
 * };
 * for (const embed of document.querySelectorAll('service-embed')) embed.getToken = getToken;
 * ```
 */
export type GetToken = (request: TokenRequest) => GivenToken | Promise<GivenToken>;

export interface Credentials {
  readonly token: string | undefined;
  readonly getToken: GetToken | undefined;
}

/** Receives the events of a token. */
export interface TokenListener {
  /** Reports that a token arrived after a failed attempt. */
  resumed(): void;
  /** Asks the page, before a token ends, whether to call `getToken`; false where the page declines. */
  expiring(expiresAt: Date): boolean;
}

export type ReleasableAccess = Access & { release(): void };

/** Controls one resource in one element: a query with its panel, or a dashboard with a panel for each tile. */
export interface EmbedController {
  readonly source: Source;
  readonly credentials: Credentials;
  /** The right by which it reads, where it reads from a server. */
  readonly access?: Access;
  readonly isLoading: boolean;
  /** Whether nothing is pending: each answer has arrived and is drawn, or has failed. */
  readonly isSettled: boolean;
  /** Returns the panel of an answer: the only one of a query, or that of a tile. */
  panel(tile: string | undefined): Panel | undefined;
  /** Returns the filter that an answer is read with, where it is not that of the source. */
  filterOf?(tile: string | undefined): string | undefined;
  /** Returns the steps down that an answer is read with, as JSON. */
  stepsOf?(tile: string | undefined): string | undefined;
  /** Returns the title and the tiles of a dashboard, once they are known. */
  contents?():
    | { readonly title: string; readonly tiles: readonly { readonly id: string; readonly title: string | undefined }[] }
    | undefined;
  start(): void;
  stop(): void;
  refresh(): Promise<void>;
  /** Repeats the reads that failed for lack of a token. */
  resume(): void;
  render(): TemplateResult;
  /** Runs after each rendering. */
  afterRender(): void;
}

export interface EmbedControllerOptions {
  readonly host: Host;
  readonly source: Source;
  readonly credentials: Credentials;
  readonly access: ReleasableAccess;
  /**
   * The controller before this one, of the same resource under another right or filter. Its answer stays until the new
   * one arrives.
   */
  readonly previous: EmbedController | undefined;
}

/** Lists the members that every part may have. */
export interface ElementPart {
  /** CSS for the shadow root. */
  readonly styles?: string;
  /** Runs after each rendering, when `root` has its new DOM. */
  afterRender?(root: ShadowRoot): void;
  /** Runs when the element has left the page. Frees everything that the part created. */
  disconnected?(root: ShadowRoot): void;
}

type AnswerView = (panel: Panel, answer: Answer, host: Host, form: AnswerViewOptions) => TemplateResult;

/** Shows an answer in a view of its own: a chart, a matrix, one number. */
export interface AnswerViewPart extends ElementPart {
  /** @param table renders an answer as a table, with the code of the element: no part has a table of its own */
  view(...args: [...Parameters<AnswerView>, table: AnswerView]): TemplateResult;
}

/** Contains the element's words in another language than English. */
export interface WordsPart extends ElementPart {
  readonly words: Words;
}

/** Writes numbers and periods as the viewer does, who is of another language than the server's texts. */
export interface NotationPart extends ElementPart {
  /** Returns an answer with the texts of its cells and labels in the notation of `formats`. */
  inNotation(answer: Answer, formats: Formats): Answer;
}

/** Shows dashboards: the layout, and tiles that each load, fail or appear alone. */
export interface DashboardPart extends ElementPart {
  createController(options: EmbedControllerOptions): EmbedController;
}

/** Describes one filter of an embed: a filter tile of a dashboard, or a field of a query. */
export interface FilterSpec {
  /** Id of the tile; of a query, the key of the field. */
  readonly id: string;
  /** Key of the field that it narrows by. */
  readonly field: string;
  readonly title: string | undefined;
  /** Ids of the tiles that it narrows; empty for a query. */
  readonly drives: readonly string[];
  /** Titles of these tiles. */
  readonly names: readonly string[];
}

/** Describes a tile in which a click narrows other tiles. */
export interface SelectingTile {
  readonly id: string;
  readonly title: string | undefined;
  /** Ids of the tiles that it narrows. */
  readonly drives: readonly string[];
}

/** Contains what a visitor chose in one embed: in its filters, and by clicks. A target is a tile; undefined for a query. */
export interface FilterStates {
  /** The element, for views: a selection also does what the document allows. */
  readonly host: Host;
  start(): void;
  stop(): void;
  /** Takes over what the page has set since the last rendering. */
  sync(): void;
  /** Whether the visitor chose anything in filters, or narrowed tiles. */
  readonly isActive: boolean;
  /** Returns the filter of a read: that of the page, and what the visitor chose. */
  filterOf(target: string | undefined): string | undefined;
  /** Returns the steps down of a read, as JSON; undefined where there are none. */
  stepsOf(target: string | undefined): string | undefined;
  /** Renders the control of a filter tile. */
  tile(id: string): TemplateResult | undefined;
  /** Renders what the visitor clicked, and the button that removes all choices; undefined where there is none. */
  summary(): TemplateResult | undefined;
  /** Returns whether a click in an answer leads somewhere. */
  leads(target: string | undefined): boolean;
  /** Renders the steps down of an answer, which lead up again. */
  crumbs(target: string | undefined): TemplateResult | typeof nothing;
  /** Renders what lies above the embed after a click: the choice of what to do, and rows. */
  overlay(): TemplateResult | typeof nothing;
  /** Runs after each rendering. */
  afterRender(): void;
}

export interface FiltersOptions {
  readonly host: Host;
  readonly source: Source;
  readonly access: Access;
  readonly specs: readonly FilterSpec[];
  /** The tiles in which a click narrows other tiles. */
  readonly selecting: readonly SelectingTile[];
  /** Returns the panel of a tile, or of the query. */
  readonly panel: (target: string | undefined) => Panel | undefined;
}

/** Describes a click in a row of an answer. */
export interface RowClick {
  readonly target: string | undefined;
  readonly answer: Answer;
  readonly row: number;
  /** Narrows other tiles, or takes that back; undefined where the tile narrows none. */
  readonly narrow: (() => void) | undefined;
  readonly isNarrowing: boolean;
  /** Returns whether the visitor has gone nowhere since the click. */
  readonly isCurrent: () => boolean;
  /** Place of the click in the window. */
  readonly at: { readonly x: number; readonly y: number };
}

export interface DrillOptions extends Pick<FiltersOptions, 'host' | 'source' | 'access' | 'panel'> {
  readonly steps: (target: string | undefined) => readonly DrillStep[];
  readonly go: (target: string | undefined, steps: readonly DrillStep[]) => void;
  readonly filterOf: (target: string | undefined) => string | undefined;
}

/** Goes down and up, and shows rows. */
export interface Drills {
  /** Does what the row leads to, or offers the choice where it leads to several things. */
  clicked(click: RowClick): void;
  crumbs(target: string | undefined): TemplateResult | typeof nothing;
  overlay(): TemplateResult;
  afterRender(): void;
}

/** Lets visitors go down to finer data and up again, and shows the rows behind a figure. */
export interface DrillPart extends ElementPart {
  createDrills(options: DrillOptions): Drills;
}

/** Lets visitors filter an embed. */
export interface FiltersPart extends ElementPart {
  /** Creates the controller of a query with filters, given how to create that of a query alone. */
  createController(
    options: EmbedControllerOptions,
    createQuery: (options: EmbedControllerOptions) => EmbedController,
  ): EmbedController;
  createFilters(options: FiltersOptions): FilterStates;
}

/** Shows a box for questions in natural language, and their answers. */
export interface AskPart extends ElementPart {
  createController(options: EmbedControllerOptions): EmbedController;
}

/** Makes a table interactive: sorting, widths, keyboard, clipboard. */
export interface GridPart extends ElementPart {
  /** Listens to the table of `panel`. */
  controls(panel: Panel, host: Host): EventListenerObject;
}

/** Applies the settings of tables and numbers, and reports the settings of a panel that it cannot use. */
export interface FormattingPart extends ElementPart {
  /** Formats the cells and columns of a table. `chart` has the settings of the page or the tile, unchecked. */
  table(panel: Panel, answer: Answer, chart: unknown): TableFormat;
  /** Renders the target of the number at `place`, and returns the notation of its change. */
  number(
    panel: Panel,
    answer: Answer,
    place: { readonly row: number; readonly position: number },
    chart: unknown,
    formats: Formats,
  ): { readonly change: ChartSettings['change']; readonly target: TemplateResult | typeof nothing };
}

/** Shows texts in Markdown. */
export interface MarkdownPart extends ElementPart {
  /** Renders a text. `level` is the level of its largest headings in the outline of the page. */
  view(text: string, level: number): TemplateResult;
}

/** Keeps an embed current after its first answer: renews tokens and reads again. */
export interface RefreshPart extends ElementPart {
  access(
    right: { readonly token: string | undefined; readonly getToken: GetToken },
    request: TokenRequest,
    listener: TokenListener,
  ): ReleasableAccess;
  mergeAnswers(previous: Answer, now: Answer): Answer;
  refreshEvery(seconds: number, refresh: () => Promise<void> | undefined): () => void;
}

/**
 * Options of an exported chart.
 *
 * @example
 * ```ts
 * import type { ExportedImage } from 'service-embed';
 *
 * const options: ExportedImage = { type: 'png', scale: 3, tile: 'by-region' };
 * const png = await document.querySelector('service-embed')?.exportImage(options);
 * ```
 */
export interface ExportedImage {
  /** `png` (default) or `svg`. */
  readonly type?: 'png' | 'svg';
  /** Image pixels for each CSS pixel of a PNG; default 2. */
  readonly scale?: number;
  /** Id of a tile, for dashboards. */
  readonly tile?: string;
}

export interface ExportPart extends ElementPart {
  csv(panel: Panel | undefined): Blob;
  image(panel: Panel | undefined, root: ShadowRoot, options: ExportedImage): Promise<Blob>;
  /** Renders the menu of files. `formats` are those that the page offers, with commas between. */
  menu(controller: EmbedController, host: Host, formats: string): TemplateResult | typeof nothing;
}

/**
 * Lists the parts, which the first paint of a table or a number does not need. Each part is one file of the script form
 * and one dynamic import of the package form.
 */
export interface ElementParts extends Readonly<Record<`words-${Language}`, WordsPart>> {
  readonly ai: AskPart;
  readonly charts: AnswerViewPart;
  readonly dashboard: DashboardPart;
  readonly drill: DrillPart;
  readonly filters: FiltersPart;
  readonly formatting: FormattingPart;
  readonly grid: GridPart;
  readonly markdown: MarkdownPart;
  readonly matrix: AnswerViewPart;
  readonly notation: NotationPart;
  readonly export: ExportPart;
  readonly refresh: RefreshPart;
  readonly kpi: AnswerViewPart;
}

export type PartName = keyof ElementParts;

/** A part: loaded, loading, or failed to load. */
export type LazyPart<N extends PartName> = ElementParts[N] | 'loading' | 'failed';
