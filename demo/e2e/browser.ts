import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright';
import { provideChromium } from '../../scripts/provision.ts';

/** Returns the real Chromium, without the background traffic of its own. */
export async function openBrowser(): Promise<Browser> {
  const found = provideChromium();
  if (!found.isFound) throw new Error(found.advice);
  return chromium.launch({
    executablePath: found.path,
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

/** A busy machine does not reach it. */
const PAGE_TIMEOUT_MS = 120_000;

/** Opens a page in a browser context of its own, which closes with it. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  page.context().setDefaultTimeout(PAGE_TIMEOUT_MS);
  return page;
}

/** One request that a page made, as the network saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | undefined;
  readonly responseHeaders: Readonly<Record<string, string>>;
}

/** Notes every request of a page from now on. `all()` waits for their answers. */
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

/** Returns what a page complained of: errors that nobody caught, and errors on the console. */
export function complaints(page: Page): readonly string[] {
  const seen: string[] = [];
  page.on('pageerror', (error) => seen.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') seen.push(message.text());
  });
  return seen;
}
