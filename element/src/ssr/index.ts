import { html, type TemplateResult } from 'lit';
import { styles as chartStyles } from '../chart/styles.ts';
import type { Host, Parts } from '../contract.ts';
import { formatsFor } from '../formats.ts';
import { styles as matrixStyles } from '../matrix/styles.ts';
import { matrixView } from '../matrix/view.ts';
import { parseAnswer } from '../read/answer.ts';
import { Failure } from '../read/failure.ts';
import { readSettings, type Settings } from '../settings.ts';
import * as trend from '../trend/part.ts';
import { styles as trendStyles } from '../trend/styles.ts';
import { honesty } from '../view/honesty.ts';
import { kpiView } from '../view/kpi-view.ts';
import { AnswerPanel } from '../view/panel.ts';
import { empty } from '../view/states.ts';
import { styles } from '../view/styles.ts';
import { plainTable, tableView } from '../view/table-view.ts';
import { paintedChart } from './chart.ts';
import { escaped, htmlOf } from './html.ts';

export interface RenderOptions {
  /** The body of `GET /rest/service/api/embed/query/{path}`, which the server of the page has read. */
  readonly answer: unknown;
  /** Attributes of the element by their names, such as `{ server, path, render: 'chart', mode: 'line' }`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** For pages whose policy allows styles by a nonce only. */
  readonly nonce?: string;
  /** Size of a chart in CSS pixels; default 800 by 400. A browser stretches it until the element draws its own. */
  readonly width?: number;
  readonly height?: number;
}

/**
 * The element as HTML with a declarative shadow root: the table, the number, the matrix, or the chart as SVG, to be read
 * without JavaScript. In a browser with JavaScript the element takes over, reads for itself, and draws anew.
 * Do not put a token in `attributes` of a page that a cache may keep. Throws a `TypeError` where `answer` is no answer,
 * and for dashboards.
 */
export async function renderToString(options: RenderOptions): Promise<string> {
  const { attributes, nonce } = options;
  const settings = settingsOf(attributes);
  const answer = answerOf(options.answer);
  const host = stillHost(settings);
  const panel = new AnswerPanel(host, () => Promise.reject(new Failure('NETWORK_ERROR')));
  const { title } = answer;
  const form = { ...settings, title };
  const isTable = settings.render === 'table';
  const view = async (): Promise<string> => {
    if (answer.rows.length === 0) return htmlOf(empty());
    switch (settings.render) {
      case 'table':
        return htmlOf(tableView(answer, panel.table, host.formats));
      case 'kpi':
        return htmlOf(kpiView(answer, settings, host));
      case 'matrix':
        return htmlOf(matrixView(panel, answer, host, form));
      case 'chart': {
        const chart = await paintedChart(answer, settings, host.formats, options.width ?? 800, options.height ?? 400);
        return chart === undefined
          ? htmlOf(html`<div class="scroller">${plainTable(answer, host.formats, title)}</div>`)
          : `${chart}${htmlOf(html`<div class="unseen">${plainTable(answer, host.formats, title)}</div>`)}`;
      }
    }
  };
  const meta: TemplateResult = honesty(answer, host.formats, { stale: false, rows: isTable, sorted: false });
  const attribute = ([name, value]: readonly [string, string]): string => ` ${name}="${escaped(value)}"`;
  const css = [styles.cssText, chartStyles, matrixStyles, trendStyles].join('');
  return `<service-embed${Object.entries(attributes).filter(isAttribute).map(attribute).join('')}><template shadowrootmode="open"><style${
    nonce === undefined ? '' : attribute(['nonce', nonce])
  }>${css}</style><div class="surface query" part="surface" style="min-height:${escaped(settings.height)}">${await view()}${htmlOf(meta)}</div></template></service-embed>`;
}

function answerOf(json: unknown): ReturnType<typeof parseAnswer> {
  try {
    return parseAnswer(json);
  } catch {
    throw new TypeError('renderToString needs the answer of an embed read of a query.');
  }
}

/** A name that cannot end the tag it stands in. */
function isAttribute([name]: readonly [string, string]): boolean {
  return /^[a-z][a-z-]*$/.test(name);
}

function settingsOf(attributes: Readonly<Record<string, string>>): Settings {
  const { 'time-zone': timeZone, height = '', ...rest } = attributes;
  const settings = readSettings({ ...rest, timeZone }, () => {});
  if (settings.kind === 'dashboard') throw new TypeError('renderToString writes queries, not dashboards.');
  // Without a browser nothing tells a CSS length from what is none but its letters.
  return { ...settings, height: /^[\d.]+(px|r?em|vh|%)$/.test(height) ? height : settings.height };
}

/** An element that never changes: what is loaded later is here, and nobody listens. */
function stillHost(settings: Settings): Host {
  const absent = (): never => {
    throw new Error('There is no page, only its HTML.');
  };
  const here: Partial<Parts> = { trend };
  return {
    settings,
    formats: formatsFor(settings.locale, settings.timeZone),
    part: (name) => here[name] ?? 'failed',
    load: absent,
    changed() {},
    painted: () => Promise.resolve(),
    announce() {},
    loaded() {},
    rendered() {},
    failed() {},
    select: () => false,
    get root() {
      return absent();
    },
  };
}
