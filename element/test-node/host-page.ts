import { type Browser, type BrowserContextOptions, chromium, type Page, type Route } from 'playwright';
import { build } from 'vite';
import { provideChromium } from '../../scripts/provision.ts';

/** The service's answer to a read, or its events for a question; `never` leaves the request open. */
export type Reply =
  | 'never'
  | { readonly status?: number; readonly body: unknown }
  | { readonly events: readonly (readonly [event: string, data: object])[] };

/** The origin of host page and service. It does not exist: the test answers every request. */
const ORIGIN = 'https://host.test';

export async function openChromium(...more: readonly string[]): Promise<Browser> {
  const installed = provideChromium();
  if (!installed.isFound) throw new Error(installed.advice);
  return chromium.launch({
    executablePath: installed.path,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', ...more],
  });
}

/**
 * Bundles the package form like a host's own bundler: files by their names. `index.js` registers the element;
 * `echarts.js` is `echarts.ts`.
 */
export async function bundledElement(): Promise<ReadonlyMap<string, string>> {
  const built = await build({
    configFile: false,
    root: new URL('../', import.meta.url).pathname,
    logLevel: 'warn',
    define: { VERSION: '"0.0.0"', 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: { index: 'src/index.ts', echarts: 'test-node/echarts.ts' }, formats: ['es'] },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((each) => ('output' in each ? each.output : []));
  return new Map(outputs.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code]] : [])));
}

export interface HostPage {
  readonly files: ReadonlyMap<string, string>;
  /** Body of the page. */
  readonly html: string;
  /** Answers a read of the service, by the path below `/rest/service/api/embed/`. */
  readonly answers?: (path: string, method: string) => Reply | Promise<Reply>;
  readonly context?: BrowserContextOptions;
  /** HTML for the head of the page. */
  readonly head?: string;
  /** Statements of the module before it loads the element. */
  readonly before?: string;
  /** Returns other files of the page. */
  readonly asset?: (path: string) => { readonly contentType: string; readonly body: Buffer } | undefined;
  /** False for a page without the element's script. */
  readonly script?: boolean;
  /** Content security policy of the page. */
  readonly policy?: string;
  readonly lang?: string;
  readonly dir?: 'rtl' | 'ltr';
}

/** Opens a host page in its own browser context. The caller closes the context. */
export async function openHostPage(browser: Browser, host: HostPage): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...host.context });
  const page = await context.newPage();
  await showHostPage(page, host);
  return page;
}

/** Shows a host page in an existing page, within its browser context. */
export async function showHostPage(page: Page, host: HostPage): Promise<void> {
  await page.unrouteAll();
  await page.route(`${ORIGIN}/**`, (route) => answer(route, host));
  await page.goto(`${ORIGIN}/`);
}

async function answer(
  route: Route,
  { files, html, answers, policy, head = '', before, asset, script = true, lang = 'en', dir = 'ltr' }: HostPage,
): Promise<void> {
  const { pathname, search } = new URL(route.request().url());
  const file = files.get(pathname.slice('/element/'.length));
  if (file !== undefined) return route.fulfill({ contentType: 'text/javascript', body: file });
  const read = /^\/rest\/service\/api\/embed\/(.*)$/.exec(pathname)?.[1];
  if (read !== undefined) {
    const reply = (await answers?.(read + search, route.request().method())) ?? {
      status: 401,
      body: { error: 'EMBED_INVALID' },
    };
    if (reply === 'never') return;
    if ('body' in reply) return route.fulfill({ status: reply.status ?? 200, json: reply.body });
    const text = reply.events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
    return route.fulfill({ contentType: 'text/event-stream', body: text });
  }
  const other = asset?.(pathname);
  if (other !== undefined) return route.fulfill(other);
  if (pathname !== '/') return route.fulfill({ status: 404, body: '' });
  const loading =
    before === undefined
      ? '<script type="module" src="/element/index.js"></script>'
      : `<script type="module">${before} await import('/element/index.js');</script>`;
  const body = `<!doctype html><html lang="${lang}" dir="${dir}"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1"><title>Host page</title>
    <link rel="icon" href="data:,">
    ${head}${script ? loading : ''}</head><body>${html}</body></html>`;
  const headers = policy === undefined ? {} : { 'Content-Security-Policy': policy };
  return route.fulfill({ contentType: 'text/html; charset=utf-8', headers, body });
}
