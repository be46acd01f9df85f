/** Draws charts as PNG. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { FONT, INK, PAPER_THEME } from '../paper/theme.ts';
import { escapeHtml } from '../src/ssr/html.ts';

export const PICTURE_SIZE = { width: 800, height: 400 };
export const PICTURE_THEME = PAPER_THEME;

const MARGIN = 16;
const TITLE_HEIGHT = 28;
/** Pixels for each CSS pixel: sharp on a screen, and small for a language model that looks at it. */
const SCALE = 1.5;
/** Letters of a title that fit above a chart. */
const MAX_TITLE_LENGTH = 90;

/** Draws the SVG of a chart below its title. */
export async function drawPng(
  svg: string,
  { width, height }: { readonly width: number; readonly height: number },
  title: string,
): Promise<Uint8Array> {
  const fonts = await loadLibrary();
  const shown = title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH - 1)}…` : title;
  const whole = { width: width + 2 * MARGIN, height: height + TITLE_HEIGHT + 2 * MARGIN };
  const framed = `<svg xmlns="http://www.w3.org/2000/svg" width="${whole.width}" height="${whole.height}">
    <rect width="100%" height="100%" fill="#ffffff"/>
    <text x="${MARGIN}" y="${MARGIN + 15}" font-family="${FONT}" font-size="17" font-weight="500" fill="${INK}">${escapeHtml(shown)}</text>
    <g transform="translate(${MARGIN} ${MARGIN + TITLE_HEIGHT})">${svg}</g></svg>`;
  const drawing = new Resvg(framed, {
    font: { fontBuffers: [...fonts], defaultFontFamily: FONT, sansSerifFamily: FONT },
    fitTo: { mode: 'zoom', value: SCALE },
  });
  const image = drawing.render();
  try {
    return image.asPng();
  } finally {
    image.free();
    drawing.free();
  }
}

let library: Promise<readonly Uint8Array[]> | undefined;

/** Loads the library and the fonts, once for a thread. */
function loadLibrary(): Promise<readonly Uint8Array[]> {
  library ??= (async () => {
    const { resolve } = createRequire(import.meta.url);
    await initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')));
    const folder = join(dirname(resolve('pdfmake/package.json')), 'fonts/Roboto');
    return ['Regular', 'Medium'].map((name) => readFileSync(join(folder, `Roboto-${name}.ttf`)));
  })();
  return library;
}
