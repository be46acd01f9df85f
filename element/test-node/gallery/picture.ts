import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { type HostPage, openHostPage, showHostPage } from '../host-page.ts';
import { AWAIT_FONTS, FONT_PROPERTIES, FONTS_PATH, fontFile, fontRules } from './fonts.ts';
import type { Scene } from './scenes.ts';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Background of the page around the element: it differs from the element's own, so that the edges are visible. */
const GROUND: Readonly<Record<Theme, string>> = { light: '#f4f5f7', dark: '#0d1015' };
const MARGIN = 16;
const GAP = 16;

export interface Stage {
  readonly browser: Browser;
  /** The files of `bundledElement`. */
  readonly files: ReadonlyMap<string, string>;
  /** Pages to reuse for the next scenes. A new page starts three processes, which cost more than the scene. */
  readonly idle?: Page[];
}

/** Opens the scene in a page, waits until it is complete, and calls `use`. The page shows no other scene meanwhile. */
export async function withScene<T>(
  { browser, files, idle }: Stage,
  scene: Scene,
  theme: Theme,
  use: (page: Page) => Promise<T>,
  more: BrowserContextOptions = {},
): Promise<T> {
  const { attributes, reply, ready, widths, width = totalWidth(widths) ?? 640, dir = 'ltr', css = '', act } = scene;
  const extension = { dashboard: 'servicedash', ai: 'serviceask' }[attributes.kind ?? ''] ?? 'service';
  const path = `shared/${scene.name}.${extension}`;
  const all = { server: '/', path, theme, locale: 'en-GB', 'time-zone': 'UTC', ...attributes };
  const written = Object.entries(all).map(([name, value]) => ` ${name}='${value}'`);
  const host: HostPage = {
    files,
    dir,
    lang: all.locale,
    head: `<style>${fontRules()}</style>`,
    before: AWAIT_FONTS,
    asset: (requested) =>
      requested.startsWith(FONTS_PATH) ? { contentType: 'font/woff2', body: fontFile(requested) } : undefined,
    html: `<style>body { margin: 0; padding: ${MARGIN}px; background: ${GROUND[theme]}; }
      service-embed { ${FONT_PROPERTIES} } ${css}</style>
      ${widths === undefined ? `<service-embed${written.join('')}></service-embed>` : `<div style="display:flex;align-items:flex-start;gap:${GAP}px">${widths.map((each) => `<service-embed style="flex:0 0 ${each}px"${written.join('')}></service-embed>`).join('')}</div>`}`,
    answers: (read, method) => (typeof reply === 'function' ? reply(read, method) : reply),
  };
  const viewport = { width: width + 2 * MARGIN, height: 300 };
  const used = Object.keys(more).length === 0 ? idle?.pop() : undefined;
  const context = { viewport, reducedMotion: 'reduce', colorScheme: theme, ...more } as const;
  const page = used ?? (await openHostPage(browser, { ...host, context }));
  if (used !== undefined) {
    await used.setViewportSize(viewport);
    await used.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await showHostPage(used, host);
  }
  try {
    for (const selector of ready)
      for (let at = 0; at < (widths?.length ?? 1); at++)
        await page.locator('service-embed').nth(at).locator(selector).first().waitFor({ state: 'attached' });
    await act?.(page);
    // Two frames: one to paint the last change, one for the charts that it made draw.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const result = await use(page);
    // The pointer position would carry over to the next scene.
    if (act !== undefined) await page.mouse.move(0, 0);
    if (Object.keys(more).length === 0) idle?.push(page);
    return result;
  } finally {
    if (idle?.includes(page) !== true) await page.context().close();
  }
}

/** Returns the width of elements side by side. */
function totalWidth(widths: readonly number[] | undefined): number | undefined {
  return widths?.reduce((sum, each) => sum + each + GAP, -GAP);
}

/** Takes the page as PNG, one pixel per CSS pixel. */
export function takePicture(page: Page): Promise<Buffer> {
  return page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' });
}
