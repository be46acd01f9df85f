import { parseCookie, parseSetCookie } from 'cookie';

/** The last page of a browser's redirects. */
export interface Landed {
  readonly url: URL;
  readonly response: Response;
}

const MAX_REDIRECTS = 20;

/** Follows links as a browser does, with the cookies of each origin. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Opens an address and follows its redirects until a page answers, or until `until` accepts an address. */
  async go(address: string | URL, until: (url: URL) => boolean = () => false): Promise<Landed> {
    let url = new URL(address);
    for (let hops = 0; hops < MAX_REDIRECTS; hops++) {
      const response = await this.fetch(url);
      const location = response.headers.get('location');
      if (location === null) return { url, response };
      url = new URL(location, url);
      if (until(url)) return { url, response };
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects`);
  }

  /** Requests one address with its cookies, and stores the cookies of the answer. */
  async fetch(url: URL, init: RequestInit = {}): Promise<Response> {
    const jar = this.cookiesOf(url.origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Accept: 'application/json', ...init.headers, ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const text of response.headers.getSetCookie()) {
      const { name, value, maxAge } = parseSetCookie(text);
      if (maxAge === 0 || value === undefined || value === '') jar.delete(name);
      else jar.set(name, parseCookie(`x=${value}`).x ?? value);
    }
    return response;
  }

  cookiesOf(origin: string): Map<string, string> {
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    return jar;
  }
}
