import { html, type TemplateResult } from 'lit';
import { isRecord } from '../api/json.ts';
import { type Answer, parseAnswer } from '../api/parse-answer.ts';
import { type AskBox, parseAskBox } from '../ask/ask-box.ts';
import type { Asker } from '../ask/exchange.ts';
import { styles as askStyles } from '../ask/styles.ts';
import { askView } from '../ask/view.ts';
import { styles as chartStyles } from '../chart/styles.ts';
import { type Dashboard, parseDashboard } from '../dashboard/parse-dashboard.ts';
import { styles as dashboardStyles } from '../dashboard/styles.ts';
import { dashboardView } from '../dashboard/view.ts';
import { formatsFor } from '../formats.ts';
import { styles as formattingStyles } from '../formatting/styles.ts';
import { styles as kpiStyles } from '../kpi/styles.ts';
import { styles as markdownStyles } from '../markdown/part.ts';
import { styles as matrixStyles } from '../matrix/styles.ts';
import { inNotation } from '../notation/part.ts';
import { readSettings, type Settings } from '../read-attributes.ts';
import { answerView } from '../render/answer-view.ts';
import { headingView } from '../render/placeholders.ts';
import { resultStatus } from '../render/result-status.ts';
import { styles } from '../render/styles.ts';
import type { Host } from '../types.ts';
import { type PaintedChart, renderChart, renderedChartStyles } from './chart.ts';
import { ElementStyles, escapeHtml, renderHtml } from './html.ts';
import { loadFormats } from './load-formats.ts';
import { MoreReads, type MoreToRead } from './more-reads.ts';
import { type ReadMore, staticHost, staticPanel, truncateRows } from './static-host.ts';

interface CommonRenderOptions {
  /**
   * Attributes of the element by name, such as `{ server, path, render: 'chart', mode: 'line' }`; also HTML attributes
   * such as `id`, and `dir` for charts that run from right to left.
   */
  readonly attributes: Readonly<Record<string, string>>;
  /** For pages whose policy allows styles by a nonce only. */
  readonly nonce?: string;
  /**
   * Assumed width of the element in CSS pixels: default 800 for a query, 1080 for a dashboard. Charts are painted for
   * it.
   */
  readonly width?: number;
  /**
   * Reads the address of `answer`, or of a tile, with one more query parameter, and returns the body. Charts read the
   * rest of many series as one (`others`), and matrices their subtotals (`without`). Without it, or where a read fails,
   * charts note what they leave out.
   */
  readonly readMore?: (more: MoreToRead) => Promise<unknown>;
}

/** A saved query. */
export interface QueryToRender extends CommonRenderOptions {
  /** The body of `GET /rest/service/api/embed/query/{path}`, which the page's server has read. */
  readonly answer: unknown;
  /** Height of a chart in CSS pixels; default 400. A browser scales it to its place until the element draws its own. */
  readonly height?: number;
}

/** A dashboard; `attributes` has `kind: 'dashboard'`. */
export interface DashboardToRender extends CommonRenderOptions {
  /** The body of `GET /rest/service/api/embed/dashboard/{path}`. */
  readonly layout: unknown;
  /** The bodies of `…/{path}/tiles/{id}` by id. A tile without a valid answer reports that it is not available. */
  readonly tiles: Readonly<Record<string, unknown>>;
}

/** A box for questions; `attributes` has `kind: 'ai'`. */
export interface AskBoxToRender extends CommonRenderOptions {
  /** The body of `GET /rest/service/api/embed/ai/{path}`. */
  readonly box: unknown;
}

export type RenderOptions = QueryToRender | DashboardToRender | AskBoxToRender;

/**
 * Renders the element as HTML with a declarative shadow root, readable without JavaScript: a table, a number, a matrix,
 * or
 * a chart as SVG; a dashboard as its layout with all tiles; a box for questions as its title and suggestions, with
 * disabled controls. In a browser with JavaScript the element reads for itself, and replaces this rendering when
 * everything
 * is loaded. A long table has its first 500 rows. Do not put a token in `attributes` of a page that a cache may keep.
 *
 * @throws TypeError where `answer`, `layout` or `box` has another shape than its name promises, or does not fit `kind`.
 *
 * @example
 * ```ts
 * import { renderToString } from 'service-embed/ssr';
 *
 * const server = 'https://analytics.example.com';
 * const path = 'shared/demo/sales-by-region.service';
 * const response = await fetch(`${server}/rest/service/api/embed/query/${path}`);
 * const html = await renderToString({ attributes: { server, path, render: 'chart' }, answer: await response.json() });
 * ```
 */
export function renderToString(options: RenderOptions): Promise<string> {
  return renderElement(options);
}

/** Renders the element as `renderToString` does. `onPainted` receives the chart of a query. */
export async function renderElement(
  options: RenderOptions,
  onPainted?: (painted: PaintedChart) => void,
): Promise<string> {
  const { attributes, nonce } = options;
  const settings = parseSettings(attributes);
  await loadFormats(settings.locale, settings.timeZone);
  const given = 'layout' in options ? 'dashboard' : 'box' in options ? 'ai' : 'query';
  if (given !== settings.kind) {
    throw new TypeError(
      'renderToString needs { layout, tiles } for kind="dashboard", { box } for kind="ai", and { answer } for any other.',
    );
  }
  const { readMore } = options;
  const reads = readMore && new MoreReads(async (more) => shownAnswer(parseAnswer(await readMore(more)), settings));
  const draw =
    'layout' in options
      ? dashboardDrawing(options, settings, reads?.read)
      : 'box' in options
        ? () => renderAskBox(options, settings)
        : queryDrawing(options, settings, reads?.read, onPainted);
  const write = () => {
    const elementStyles = new ElementStyles();
    const surface = html`<div class="surface ${settings.kind}" part="surface" .style=${`min-height:${settings.height}`}>${headingView(attributes.heading, titled(options))}${draw(elementStyles)}</div>`;
    return { body: renderHtml(surface, elementStyles), elementStyles };
  };
  const first = write();
  const { body, elementStyles } = (await reads?.all()) === true ? write() : first;
  const attribute = ([name, value]: readonly [string, string]): string => ` ${name}="${escapeHtml(value)}"`;
  const css = [
    styles.cssText,
    dashboardStyles,
    chartStyles,
    renderedChartStyles,
    matrixStyles,
    kpiStyles,
    markdownStyles,
    formattingStyles,
    askStyles,
    elementStyles.rules,
  ].join('');
  return `<service-embed${Object.entries(attributes).filter(isAttribute).map(attribute).join('')}><template shadowrootmode="open"><style${
    nonce === undefined ? '' : attribute(['nonce', nonce])
  }>${css}</style>${body}</template></service-embed>`;
}

/** Returns where the heading of a rendering finds the title of its document. */
function titled(options: RenderOptions): Parameters<typeof headingView>[1] {
  const json = 'layout' in options ? options.layout : 'box' in options ? options.box : options.answer;
  const title = isRecord(json) && typeof json.title === 'string' ? json.title : '';
  return { contents: () => ({ title, tiles: [] }), panel: () => undefined };
}

/** Draws the view of a document; what was read since is drawn at the next call. */
type Drawing = (elementStyles: ElementStyles) => TemplateResult;

function queryDrawing(
  { answer: json, attributes, width, height }: QueryToRender,
  settings: Settings,
  readMore: ReadMore | undefined,
  onPainted: ((painted: PaintedChart) => void) | undefined,
): Drawing {
  const answer = shownAnswer(parseAnswerOrThrow(json), settings);
  const { render } = settings;
  // Only views with rows are cut: half the points of a chart would be another chart.
  const shown = render === 'table' || render === 'matrix' ? truncateRows(answer) : answer;
  const size = { width: width ?? 800, height: height ?? 400 };
  const panel = staticPanel(shown, undefined, readMore);
  return (styles) => {
    const host = staticHost(settings, (_, plotted, renderHost, form) =>
      renderChart(panel, plotted, renderHost, form, { size, rtl: attributes.dir === 'rtl', styles, onPainted }),
    );
    const meta = resultStatus(shown, host.formats, {
      stale: false,
      rows: render === 'table' && shown.rows.length > 0,
      sorted: false,
    });
    return html`${answerView(panel, shown, host, { ...settings, title: answer.title, peers: [answer] })}${meta}`;
  };
}

function dashboardDrawing(
  { layout, tiles, attributes, width = 1_080 }: DashboardToRender,
  settings: Settings,
  readMore: ReadMore | undefined,
): Drawing {
  const dashboard = parseDashboardOrThrow(layout);
  const panels = new Map(
    dashboard.tiles.map(({ id }) => [
      id,
      staticPanel(Object.hasOwn(tiles, id) ? parseTileAnswer(tiles[id], settings) : undefined, id, readMore),
    ]),
  );
  return (styles) => {
    const host: Host = staticHost(settings, (panel, answer, renderHost, form) =>
      renderChart(panel, answer, renderHost, form, {
        size: chartSizeInTile(dashboard, panel.tile, width),
        rtl: attributes.dir === 'rtl',
        styles,
      }),
    );
    return dashboardView({ dashboard, panel: (id) => panels.get(id), filters: undefined, host });
  };
}

/** Renders a box without a conversation, with disabled controls until the element replaces it. */
function renderAskBox({ box }: AskBoxToRender, settings: Settings): TemplateResult {
  const none = async (): Promise<void> => {};
  const nobody: Asker = {
    exchanges: [],
    isAsking: false,
    canAsk: false,
    ask: none,
    correct: () => false,
    markWrong: none,
    cancel() {},
    startOver() {},
  };
  return askView(
    nobody,
    parseAskBoxOrThrow(box),
    staticHost(settings, () => html``),
  );
}

/** Returns the size of a chart in its tile: see `dashboard/styles.ts`. */
function chartSizeInTile(
  { tiles, columns }: Dashboard,
  id: string | undefined,
  width: number,
): { width: number; height: number } {
  const { w = columns, h = 4, title } = tiles.find((tile) => tile.id === id) ?? {};
  const column = (width + 12) / columns;
  return { width: Math.max(120, w * column - 12 - 34), height: Math.max(80, h * 96 - 12 - 30 - (title ? 27 : 0)) };
}

function parseAnswerOrThrow(json: unknown): Answer {
  try {
    return parseAnswer(json);
  } catch {
    throw new TypeError('renderToString needs the answer of an embed read of a query.');
  }
}

function parseAskBoxOrThrow(json: unknown): AskBox {
  try {
    return parseAskBox(json);
  } catch {
    throw new TypeError('renderToString needs the answer of an embed read of a box for questions.');
  }
}

function parseDashboardOrThrow(json: unknown): Dashboard {
  try {
    return parseDashboard(json);
  } catch {
    throw new TypeError('renderToString needs the layout of an embed read of a dashboard.');
  }
}

/** Parses the answer of a tile; undefined where it is none. One tile fails alone, as in a browser. */
function parseTileAnswer(json: unknown, settings: Settings): Answer | undefined {
  try {
    return shownAnswer(parseAnswer(json), settings);
  } catch {
    return undefined;
  }
}

/** Returns an answer as the element shows it: with `locale`, in its notation. */
function shownAnswer(answer: Answer, { locale, timeZone }: Settings): Answer {
  return locale === undefined ? answer : inNotation(answer, formatsFor(locale, timeZone));
}

/** Returns whether a name is safe inside a tag. */
function isAttribute([name]: readonly [string, string]): boolean {
  return /^[a-z][a-z-]*$/.test(name);
}

function parseSettings(attributes: Readonly<Record<string, string>>): Settings {
  const { 'time-zone': timeZone, height = '', ...rest } = attributes;
  const settings = readSettings({ ...rest, timeZone }, () => {});
  // Without a browser, only the letters of a CSS length can be checked.
  return { ...settings, height: /^[\d.]+(px|r?em|vh|%)$/.test(height) ? height : settings.height };
}
