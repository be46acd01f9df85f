import type { TemplateResult } from 'lit';
import type { Answer } from './api/answer.ts';
import type { Access, Source } from './api/client.ts';
import type { ChartMode } from './chart-modes.ts';
import type { SelectDetail, WithoutSubject } from './events.ts';
import type { Formats } from './formats.ts';
import type { Settings } from './settings.ts';
import type { Panel, PanelHost } from './state/panel.ts';

/**
 * What the element, its views and its parts know of each other. In one file because these types speak of each other;
 * all else imports from here, so that no file needs the one that needs it.
 */

/** What a view may know of, and ask from, the element it is a view of. */
export interface Host extends PanelHost {
  readonly settings: Settings;
  readonly formats: Formats;
  readonly root: ShadowRoot;
  /** What is drawn now takes the place of what a server painted: it stands there at once, instead of moving in. */
  readonly isHydrating: boolean;
  /** Returns a part for a rendering: requested at the first call, and rendered with once it is here. */
  part<N extends PartName>(name: N): LazyPart<N>;
  /** Loads the part. Rejects with `PART_UNAVAILABLE`. */
  load<N extends PartName>(name: N): Promise<ElementParts[N]>;
  /** Resolves when what is shown is painted. */
  updateComplete(): Promise<unknown>;
  /** Tells those who do not see the page. */
  announce(text: string): void;
  /** Announces a selection; returns false where the host page cancelled it. */
  select(detail: WithoutSubject<SelectDetail>): boolean;
}

/** Keys of columns, where the page or the dashboard names them. */
export interface KpiColumns {
  readonly measure: string | undefined;
  readonly compare: string | undefined;
}

/** How an answer is to be shown. */
export interface AnswerViewOptions extends KpiColumns {
  readonly render: 'table' | 'chart' | 'kpi' | 'matrix';
  readonly mode: ChartMode;
  readonly title: string;
}

/** What an embed tells `getToken`: a token pins one resource. */
export interface TokenRequest {
  readonly server: string;
  readonly kind: 'query' | 'dashboard' | 'ai';
  readonly path: string;
}

/**
 * A token, or the answer of `POST …/embed/tokens` as it is, which also says when the token ends (epoch milliseconds).
 */
export type GivenToken = string | { readonly token: string; readonly expiresAt?: number };

/**
 * Gives a token for one resource, from the page's own server.
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

/** Who is told of tokens. */
export interface TokenListener {
  /** Tells that a token came after an attempt to get one had failed. */
  resumed(): void;
  /** Asks the page whether `getToken` may be called, because the token ends soon; false where it may not. */
  expiring(expiresAt: Date): boolean;
}

export type ReleasableAccess = Access & { release(): void };

/** One resource in one element: a query in its panel, or a dashboard with a panel for each tile. */
export interface EmbedController {
  readonly source: Source;
  readonly credentials: Credentials;
  readonly isLoading: boolean;
  /** Nothing is on its way: each answer is in, and drawn by the last template, or has failed. */
  readonly isSettled: boolean;
  /** Returns the panel that holds an answer: of a query its own, of a dashboard that of a tile. */
  panel(tile: string | undefined): Panel | undefined;
  start(): void;
  stop(): void;
  refresh(): Promise<void>;
  /** Reads again what failed for want of a token that has come after all. */
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
   * What stands in its place; of the same resource under another right or filter it stays until the new answer is in.
   */
  readonly previous: EmbedController | undefined;
}

/** What every part may have, beside what is its own. */
export interface ElementPart {
  /** CSS for the shadow root. */
  readonly styles?: string;
  /** Runs after each rendering, when the DOM of `root` is new. */
  afterRender?(root: ShadowRoot): void;
  /** Runs when the element has left the page; nothing may stay behind. */
  disconnected?(root: ShadowRoot): void;
}

/** Draws an answer in a form of its own: a chart, a matrix. */
export interface AnswerViewPart extends ElementPart {
  view(panel: Panel, answer: Answer, host: Host, form: AnswerViewOptions): TemplateResult;
}

/** Dashboards: the layout, and tiles that load, fail or are shown each by itself. */
export interface DashboardPart extends ElementPart {
  createController(options: EmbedControllerOptions): EmbedController;
}

/** A box for questions in natural language, and their answers. */
export interface AskPart extends ElementPart {
  createController(options: EmbedControllerOptions): EmbedController;
}

/** What makes a grid of a table: sorting, widths, the keyboard, the clipboard. */
export interface GridPart extends ElementPart {
  /** Listens to the table of `panel`. */
  controls(panel: Panel, host: Host): EventListenerObject;
}

/** What stands under one large number: how it changed, and the way it came. */
export interface SparklinePart extends ElementPart {
  /**
   * Renders the sparkline beside a number: `row` and `position` are where the number stands; `compare` the key of the
   * column to compare it with.
   */
  view(answer: Answer, row: number, position: number, compare: string | undefined, formats: Formats): TemplateResult;
}

/** What keeps an embed alive after its first answer: tokens that are renewed, and answers that are read again. */
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
 * Says how a chart is exported.
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
}

/**
 * What the element does not need for the first paint of a table or a number. Each part is one file of the script
 * form, and one dynamic import of the package form.
 */
export interface ElementParts {
  readonly ai: AskPart;
  readonly charts: AnswerViewPart;
  readonly dashboard: DashboardPart;
  readonly grid: GridPart;
  readonly matrix: AnswerViewPart;
  readonly export: ExportPart;
  readonly refresh: RefreshPart;
  readonly sparkline: SparklinePart;
}

export type PartName = keyof ElementParts;

/** A part: on its way, here, or not to be had. */
export type LazyPart<N extends PartName> = ElementParts[N] | 'loading' | 'failed';
