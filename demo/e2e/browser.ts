import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright';
import { provideChromium } from '../../scripts/provision.ts';

/** Starts Chromium without its own background traffic. */
export async function openBrowser(): Promise<Browser> {
  const installed = provideChromium();
  if (!installed.isFound) throw new Error(installed.advice);
  return chromium.launch({
    executablePath: installed.path,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Time limit that also a busy machine stays below. */
const PAGE_TIMEOUT_MS = 120_000;

/** Opens a page in its own browser context, which closes with it. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  page.context().setDefaultTimeout(PAGE_TIMEOUT_MS);
  return page;
}

/** Describes a request of a page, as the network saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | undefined;
  readonly responseHeaders: Readonly<Record<string, string>>;
}

/** Records every request of a page from now on. `all()` waits for their answers. */
export function networkLog(page: Page): { all(): Promise<readonly Seen[]> } {
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  return {
    all: () =>
      Promise.all(
        requests.map(async (request): Promise<Seen> => {
          const response = await request.response();
          return {
            method: request.method(),
            url: request.url(),
            headers: await request.allHeaders(),
            status: response?.status(),
            responseHeaders: response === null ? {} : await response.allHeaders(),
          };
        }),
      ),
  };
}

/** Collects the page's uncaught errors and console errors; a file that did not load is named. */
export function complaints(page: Page): readonly string[] {
  const seen: string[] = [];
  page.on('pageerror', (error) => seen.push(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url } = message.location();
    const path = URL.canParse(url) ? new URL(url).pathname : '';
    seen.push(message.text().startsWith('Failed to load resource') ? `${message.text()} ${path}` : message.text());
  });
  return seen;
}
