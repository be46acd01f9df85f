import { html, type TemplateResult } from 'lit';
import { styles as chartStyles } from '../chart/styles.ts';
import type { Host } from '../contract.ts';
import { type Dashboard, parseDashboard } from '../dashboard/layout.ts';
import { styles as dashboardStyles } from '../dashboard/styles.ts';
import { dashboardView } from '../dashboard/view.ts';
import { styles as matrixStyles } from '../matrix/styles.ts';
import { type Answer, parseAnswer } from '../read/answer.ts';
import { readSettings, type Settings } from '../settings.ts';
import { styles as trendStyles } from '../trend/styles.ts';
import { answerView } from '../view/answer-view.ts';
import { honesty } from '../view/honesty.ts';
import { styles } from '../view/styles.ts';
import { paintedChart, paintedStyles } from './chart.ts';
import { ElementStyles, escaped, htmlOf } from './html.ts';
import { stillHost, stillPanel, writable } from './still.ts';

interface Rendered {
  /**
   * Attributes of the element by their names, such as `{ server, path, render: 'chart', mode: 'line' }`; also those of
   * HTML, such as `id`, and `dir` for charts that run from right to left.
   */
  readonly attributes: Readonly<Record<string, string>>;
  /** For pages whose policy allows styles by a nonce only. */
  readonly nonce?: string;
  /** CSS pixels that the element is taken to be wide: 800 for a query, 1080 for a dashboard. Charts are painted for it. */
  readonly width?: number;
}

/** A saved query. */
export interface QueryToRender extends Rendered {
  /** The body of `GET /rest/service/api/embed/query/{path}`, which the server of the page has read. */
  readonly answer: unknown;
  /** Height of a chart in CSS pixels; default 400. A browser fits it into its place until the element draws its own. */
  readonly height?: number;
}

/** A dashboard; `attributes` has `kind: 'dashboard'`. */
export interface DashboardToRender extends Rendered {
  /** The body of `GET /rest/service/api/embed/dashboard/{path}`. */
  readonly layout: unknown;
  /** The bodies of `…/{path}/tiles/{id}` by id. A tile of which there is none, or no answer, says that it is not available. */
  readonly tiles: Readonly<Record<string, unknown>>;
}

export type RenderOptions = QueryToRender | DashboardToRender;

/**
 * The element as HTML with a declarative shadow root: the table, the number, the matrix, or the chart as SVG, to be read
 * without JavaScript; of a dashboard the layout with all of its tiles. In a browser with JavaScript the element takes
 * over: it reads for itself, and draws in their place when all is here. Of a long table the first 500 rows are written.
 * Do not put a token in `attributes` of a page that a cache may keep. Throws a `TypeError` where `answer` or `layout` is
 * not what its name says.
 */
export async function renderToString(options: RenderOptions): Promise<string> {
  const { attributes, nonce } = options;
  const settings = settingsOf(attributes);
  const dashboard = 'layout' in options;
  if (dashboard !== (settings.kind === 'dashboard')) {
    throw new TypeError('renderToString needs { layout, tiles } for kind="dashboard", and { answer } for any other.');
  }
  const own = new ElementStyles();
  const view = dashboard ? renderedDashboard(options, settings, own) : renderedQuery(options, settings, own);
  const body = htmlOf(
    html`<div class="surface ${settings.kind}" part="surface" .style=${`min-height:${settings.height}`}>${view}</div>`,
    own,
  );
  const attribute = ([name, value]: readonly [string, string]): string => ` ${name}="${escaped(value)}"`;
  const css = [styles.cssText, dashboardStyles, chartStyles, paintedStyles, matrixStyles, trendStyles, own.rules].join(
    '',
  );
  return `<service-embed${Object.entries(attributes).filter(isAttribute).map(attribute).join('')}><template shadowrootmode="open"><style${
    nonce === undefined ? '' : attribute(['nonce', nonce])
  }>${css}</style>${body}</template></service-embed>`;
}

function renderedQuery(
  { answer: json, attributes, width, height }: QueryToRender,
  settings: Settings,
  own: ElementStyles,
): TemplateResult {
  const answer = answerOf(json);
  const { render } = settings;
  // Only what stands in rows is cut; a chart of half its points would be another chart.
  const shown = render === 'table' || render === 'matrix' ? writable(answer) : answer;
  const size = { width: width ?? 800, height: height ?? 400 };
  const host = stillHost(settings, (_, drawn, of, form) =>
    paintedChart(drawn, of, form, { size, rtl: attributes.dir === 'rtl', styles: own }),
  );
  const meta = honesty(shown, host.formats, {
    stale: false,
    rows: render === 'table' && shown.rows.length > 0,
    sorted: false,
  });
  return html`${answerView(stillPanel(shown, undefined), shown, host, { ...settings, title: answer.title })}${meta}`;
}

function renderedDashboard(
  { layout, tiles, attributes, width = 1_080 }: DashboardToRender,
  settings: Settings,
  own: ElementStyles,
): TemplateResult {
  const dashboard = dashboardOf(layout);
  const panels = new Map(
    dashboard.tiles.map(({ id }) => [id, stillPanel(Object.hasOwn(tiles, id) ? tileOf(tiles[id]) : undefined, id)]),
  );
  const host: Host = stillHost(settings, (panel, answer, of, form) =>
    paintedChart(answer, of, form, {
      size: roomOf(dashboard, panel.tile, width),
      rtl: attributes.dir === 'rtl',
      styles: own,
    }),
  );
  return dashboardView({ dashboard, panel: (id) => panels.get(id), host });
}

/** The room that a chart has in its tile: see `dashboard/styles.ts`. */
function roomOf(
  { tiles, columns }: Dashboard,
  id: string | undefined,
  width: number,
): { width: number; height: number } {
  const { w = columns, h = 4, title } = tiles.find((tile) => tile.id === id) ?? {};
  const column = (width + 12) / columns;
  return { width: Math.max(120, w * column - 12 - 34), height: Math.max(80, h * 96 - 12 - 30 - (title ? 27 : 0)) };
}

function answerOf(json: unknown): Answer {
  try {
    return parseAnswer(json);
  } catch {
    throw new TypeError('renderToString needs the answer of an embed read of a query.');
  }
}

function dashboardOf(json: unknown): Dashboard {
  try {
    return parseDashboard(json);
  } catch {
    throw new TypeError('renderToString needs the layout of an embed read of a dashboard.');
  }
}

/** As in a browser: one tile that has no answer fails alone. */
function tileOf(json: unknown): Answer | undefined {
  try {
    return parseAnswer(json);
  } catch {
    return undefined;
  }
}

/** A name that cannot end the tag it stands in. */
function isAttribute([name]: readonly [string, string]): boolean {
  return /^[a-z][a-z-]*$/.test(name);
}

function settingsOf(attributes: Readonly<Record<string, string>>): Settings {
  const { 'time-zone': timeZone, height = '', ...rest } = attributes;
  const settings = readSettings({ ...rest, timeZone }, () => {});
  // Without a browser nothing tells a CSS length from what is none but its letters.
  return { ...settings, height: /^[\d.]+(px|r?em|vh|%)$/.test(height) ? height : settings.height };
}
