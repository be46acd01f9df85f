/** The tiles of a dashboard on paper: vector charts, numbers, tables and texts. */
import type { Content } from 'pdfmake/interfaces';
import type { Answer } from '../src/api/parse-answer.ts';
import type { OthersRequest } from '../src/chart/frame.ts';
import { toChartMode } from '../src/chart-modes.ts';
import type { Dashboard, Tile } from '../src/dashboard/parse-dashboard.ts';
import { DASH, type Formats } from '../src/formats.ts';
import { kpiView } from '../src/kpi/view.ts';
import type { Settings } from '../src/read-attributes.ts';
import { paintChart } from '../src/ssr/chart.ts';
import { ElementStyles, renderHtml } from '../src/ssr/html.ts';
import { staticHost, staticPanel } from '../src/ssr/static-host.ts';
import { markdownContents } from './markdown.ts';
import { moreRows, paperRows, ROW_HEIGHT, tableContent } from './table.ts';
import { MUTED, PAPER_THEME } from './theme.ts';

export interface TileContext {
  readonly dashboard: Dashboard;
  readonly answers: ReadonlyMap<string, Answer>;
  readonly formats: Formats;
  readonly settings: Settings;
  /** Returns the rest of the series of a tile's chart, where it is known. */
  readonly readOthers: (tile: string, rest: OthersRequest) => Answer | undefined;
  /** Points for each CSS pixel of a screen. */
  readonly scale: number;
  /** Takes the rest of a table that is too long for its tile. */
  readonly continueBelow: (content: Content) => void;
}

/** Contents that stay together, `width` points wide. */
export function tileContents(tile: Tile, width: number, context: TileContext, isAlone: boolean): Content[] {
  const title: Content[] =
    tile.title === undefined ? [] : [{ text: tile.title, bold: true, fontSize: 9.5, margin: [0, 0, 0, 3] }];
  return [...title, ...bodyOf(tile, width, context, isAlone)];
}

function bodyOf(tile: Tile, width: number, context: TileContext, isAlone: boolean): Content[] {
  const { formats, answers } = context;
  switch (tile.kind) {
    case 'text':
      return tile.format === 'markdown' ? markdownContents(tile.text) : [{ text: tile.text }];
    case 'filter':
      return [];
    case 'unsupported':
      return [note(formats.say('This kind of tile cannot be shown here.'))];
    case 'chart':
    case 'kpi':
    case 'table': {
      const answer = answers.get(tile.id);
      if (answer === undefined) return [note(formats.say('This tile is not available.'))];
      if (answer.rows.length === 0) return [note(formats.say('No data'))];
      const contents =
        tile.kind === 'table'
          ? tableTile(tile, answer, context, isAlone)
          : tile.kind === 'kpi'
            ? numberTile(tile, answer, context)
            : chartTile(tile, answer, width, context, isAlone);
      const hidden = answer.suppressed?.count ?? 0;
      return hidden === 0
        ? contents
        : [...contents, note(formats.say('{0} with hidden values', formats.say('{0} rows', formats.number(hidden))))];
    }
  }
}

function chartTile(
  tile: Extract<Tile, { kind: 'chart' }>,
  answer: Answer,
  width: number,
  context: TileContext,
  isAlone: boolean,
): Content[] {
  const { dashboard, answers, formats, scale, readOthers } = context;
  const size = {
    width: width / scale,
    height: Math.max(80, tile.h * dashboard.rowHeight - 12 - (tile.title ? 57 : 30)),
  };
  const form = {
    render: 'chart' as const,
    title: tile.title ?? answer.title,
    mode: tile.chartType ? toChartMode(tile.chartType) : undefined,
    chart: tile.chart,
    peers: [...answers.values()],
    measure: undefined,
    compare: undefined,
  };
  const painted = paintChart(answer, formats, form, { theme: PAPER_THEME, size }, (rest) => readOthers(tile.id, rest));
  if (painted.view === 'refused') return [note(painted.reason ?? formats.say('This tile is not available.'))];
  if (painted.view === 'matrix') return tableTile(tile, answer, context, isAlone);
  const height = painted.size.height * scale;
  return [{ svg: painted.svg, width, height }, ...painted.notes.map(note)];
}

/** The large number of a tile, and below it its change and its target. */
function numberTile(tile: Extract<Tile, { kind: 'kpi' }>, answer: Answer, context: TileContext): Content[] {
  const { settings } = context;
  const host = staticHost(settings, () => {
    throw new Error('A number has no chart.');
  });
  const form = {
    render: 'kpi' as const,
    title: tile.title ?? answer.title,
    mode: undefined,
    chart: tile.chart,
    measure: tile.measure,
    compare: undefined,
  };
  const view = kpiView(staticPanel(answer, tile.id), answer, host, form);
  const [number = DASH, ...others] = paragraphs(renderHtml(view, new ElementStyles()));
  return [{ text: number, fontSize: 20, bold: true, margin: [0, 2, 0, 2] }, ...others.map(note)];
}

/** Returns the texts of the paragraphs in the element's own HTML, without marks for the eye only. */
function paragraphs(html: string): readonly string[] {
  return html
    .replace(/<svg[\s\S]*?<\/svg>|<span aria-hidden="true">[^<]*<\/span>/g, '')
    .split(/<\/p>|<\/div>/)
    .map((part) => unescaped(part.replace(/<[^>]*>/g, '')).trim())
    .filter((text) => text !== '');
}

/** Reads the references that `escapeHtml` writes. */
function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** A table beside other tiles has as many rows as its tile; the others follow below. */
function tableTile(tile: Tile, answer: Answer, context: TileContext, isAlone: boolean): Content[] {
  const { dashboard, formats, scale, continueBelow } = context;
  const shown = paperRows(answer);
  const fitting = Math.max(3, Math.floor((tile.h * dashboard.rowHeight * scale - 40) / ROW_HEIGHT));
  if (isAlone || shown <= fitting)
    return [tableContent(answer, formats, 0, shown), ...moreRows(answer, shown, formats)];
  continueBelow({
    stack: [
      {
        text: `${tile.title ?? answer.title} (${fitting + 1}–${shown})`,
        bold: true,
        fontSize: 9.5,
        margin: [0, 0, 0, 3],
      },
      tableContent(answer, formats, fitting, shown),
      ...moreRows(answer, shown, formats),
    ],
    margin: [0, 0, 0, 14],
  });
  return [
    tableContent(answer, formats, 0, fitting),
    note(`1–${fitting} / ${formats.say('{0} rows', formats.number(answer.rows.length))}`),
  ];
}

function note(text: string): Content {
  return { text, color: MUTED, fontSize: 7.5, margin: [0, 3, 0, 0] };
}
