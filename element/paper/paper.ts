/** Dashboards and answers as PDF: the server-painted form of the element, on pages. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import pdfmake from 'pdfmake';
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces';
import { readList, readRecord, readText } from '../src/api/json.ts';
import { type Answer, parseAnswer } from '../src/api/parse-answer.ts';
import { type Dashboard, parseDashboard, type Tile } from '../src/dashboard/parse-dashboard.ts';
import type { Formats } from '../src/formats.ts';
import { inNotation } from '../src/notation/part.ts';
import { readSettings } from '../src/read-attributes.ts';
import { loadFormats } from '../src/ssr/load-formats.ts';
import { type Arrangement, arrange } from './bands.ts';
import { FONT, INK, LINE, MUTED } from './theme.ts';
import { type TileContext, tileContents } from './tiles.ts';

/** Letters and signs that the font has not; it draws an empty box for each. */
const OTHER_SCRIPTS =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|\p{Emoji_Presentation}/u;

/** Points of a page, lying: a dashboard is wider than high. */
const PAGES = { a4: { width: 841.89, height: 595.28 }, letter: { width: 792, height: 612 } } as const;
const MARGIN = 36;
const GAP = 16;
/** The width of a screen, in CSS pixels, of which the page is a picture. */
const SCREEN_WIDTH = 1_080;

/** The rests of series that charts draw as one, by tile: the JSON of the parameter `others` of a tile's read. */
export interface OthersNeeded {
  readonly others: Readonly<Record<string, string>>;
}

/**
 * Writes a document, or asks for the rests of series that its charts draw as one. The task is JSON, as the embed reads
 * answer it; see `PaperTask` of the server. A task with `others` is written in any case.
 *
 * @throws UnexpectedAnswer where the layout is none
 */
export async function writePaper(json: unknown): Promise<Uint8Array | OthersNeeded> {
  const task = readRecord(json);
  const locale = readText(task.locale);
  const timeZone = readText(task.timeZone);
  const page = task.paper === 'letter' ? PAGES.letter : PAGES.a4;
  const dashboard = parseDashboard(task.layout);
  const formats = await loadFormats(locale, timeZone);
  const answers = answersOf(dashboard, readRecord(task.tiles), formats);
  const others = answersOf(dashboard, readRecord(task.others ?? {}), formats);
  const needed = new Map<string, string>();
  const hasOtherScripts = OTHER_SCRIPTS.test(JSON.stringify([task.layout, task.tiles, task.filters]));
  const definition = documentOf(
    dashboard,
    answers,
    (tile, rest) => {
      needed.set(tile, JSON.stringify(rest));
      return others.get(tile);
    },
    formats,
    page,
    readList(task.filters).map(readText),
    hasOtherScripts,
  );
  if (needed.size > 0 && task.others === undefined) return { others: Object.fromEntries(needed) };
  loadFonts();
  return pdfmake.createPdf(definition).getBuffer();
}

/** Reads the answers. A document is in one notation: the axes of charts and their numbers are alike. */
function answersOf(
  dashboard: Dashboard,
  tiles: Readonly<Record<string, unknown>>,
  formats: Formats,
): ReadonlyMap<string, Answer> {
  return new Map(
    dashboard.tiles.flatMap(({ id }): [string, Answer][] => {
      if (!Object.hasOwn(tiles, id)) return [];
      return [[id, inNotation(parseAnswer(tiles[id]), formats)]];
    }),
  );
}

function documentOf(
  dashboard: Dashboard,
  answers: ReadonlyMap<string, Answer>,
  readOthers: TileContext['readOthers'],
  formats: Formats,
  page: { readonly width: number; readonly height: number },
  filters: readonly string[],
  hasOtherScripts: boolean,
): TDocumentDefinitions {
  const width = page.width - 2 * MARGIN;
  const continued: Content[] = [];
  const context: TileContext = {
    dashboard,
    answers,
    readOthers,
    formats,
    settings: readSettings({ locale: formats.locale, timeZone: formats.timeZone }, () => {}),
    scale: width / SCREEN_WIDTH,
    continueBelow: (content) => continued.push(content),
  };
  const arrangement = arrange(dashboard.tiles, dashboard.columns);
  const bands = arrangement.kind === 'stack' ? arrangement.parts : [arrangement];
  const content = bands.flatMap((band): Content[] => {
    const isTable = band.kind === 'tile' && band.tile.kind === 'table';
    const stack = bandContents(band, width, context, true);
    const rest = continued.splice(0);
    // Only a table goes on on the next page; everything else stays whole.
    return [{ stack, unbreakable: !isTable, margin: [0, 0, 0, GAP] }, ...rest];
  });
  return {
    pageSize: { width: page.width, height: page.height },
    pageMargins: [MARGIN, MARGIN, MARGIN, MARGIN + 10],
    info: { title: dashboard.title },
    defaultStyle: { font: FONT, fontSize: 9, color: INK, lineHeight: 1.15 },
    content: [
      ...headOf(dashboard, answers, formats, filters, width),
      ...scriptNote(formats, hasOtherScripts),
      ...content,
    ],
    footer: (current, total) => ({
      columns: [
        { text: dashboard.title, alignment: 'left' },
        { text: `${formats.number(current)} / ${formats.number(total)}`, alignment: 'right' },
      ],
      color: MUTED,
      fontSize: 7.5,
      margin: [MARGIN, 10, MARGIN, 0],
    }),
  };
}

/** The title, the description, the age of the oldest answer, and what narrows all of them. */
function headOf(
  { title, description }: Dashboard,
  answers: ReadonlyMap<string, Answer>,
  formats: Formats,
  filters: readonly string[],
  width: number,
): Content[] {
  const times = [...answers.values()].map(({ computedAt }) => +computedAt).filter((time) => !Number.isNaN(time));
  const oldest = times.length === 0 ? undefined : new Date(Math.min(...times));
  const asOf =
    oldest === undefined
      ? []
      : [formats.say('As of {0}', formats.date(oldest, { dateStyle: 'medium', timeStyle: 'short' }))];
  return [
    { text: title, fontSize: 16, bold: true },
    ...(description === undefined ? [] : [{ text: description, margin: [0, 2, 0, 0] } satisfies Content]),
    { text: [...asOf, ...filters].join(' · '), color: MUTED, fontSize: 8, margin: [0, 2, 0, 6] },
    {
      canvas: [{ type: 'line', x1: 0, y1: 0, x2: width, y2: 0, lineColor: LINE, lineWidth: 0.6 }],
      margin: [0, 0, 0, 12],
    },
  ];
}

/** Says what the boxes in a document are, where its texts have letters that the font has not. */
function scriptNote(formats: Formats, hasOtherScripts: boolean): Content[] {
  if (!hasOtherScripts) return [];
  const text = formats.say('Boxes are letters that this document cannot show. The Excel workbook has them.');
  return [{ text, color: MUTED, fontSize: 8, margin: [0, 0, 0, 10] }];
}

function bandContents(part: Arrangement<Tile>, width: number, context: TileContext, isAlone: boolean): Content[] {
  switch (part.kind) {
    case 'tile':
      return tileContents(part.tile, width, context, isAlone);
    case 'stack':
      return part.parts.map((each, at) => ({
        stack: bandContents(each, width, context, false),
        margin: [0, 0, 0, at === part.parts.length - 1 ? 0 : GAP],
      }));
    case 'row': {
      const all = part.shares.reduce((sum, share) => sum + share, 0);
      const free = width - GAP * (part.parts.length - 1);
      return [
        {
          columns: part.parts.map((each, at) => {
            const own = (free * (part.shares[at] ?? 0)) / all;
            return { width: own, stack: bandContents(each, own, context, false) };
          }),
          columnGap: GAP,
        },
      ];
    }
  }
}

let hasFonts = false;

/** Loads the fonts of the library; the files that a document could name are refused. */
function loadFonts(): void {
  if (hasFonts) return;
  hasFonts = true;
  const folder = join(dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')), 'fonts/Roboto');
  const file = (name: string) => join(folder, `Roboto-${name}.ttf`);
  pdfmake.addFonts({
    [FONT]: {
      normal: file('Regular'),
      bold: file('Medium'),
      italics: file('Italic'),
      bolditalics: file('MediumItalic'),
    },
  });
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((path) => path.startsWith(folder));
}
