import { type Answer, parseAnswer } from './answer.ts';
import { Failure, failureOfStatus } from './failure.ts';
import { MALFORMED_FILTER } from './filter.ts';

/** What one embed shows. */
export interface Source {
  /** Address of the service, with or without a path prefix: `https://analytics.example.com`. */
  readonly server: string;
  /** Repository path with unencoded slashes: `shared/demo/sales.service`. */
  readonly path: string;
  readonly kind: 'query' | 'dashboard' | 'ai';
  /** Undefined where nothing is filtered; see `filterText`. */
  readonly filter: string | undefined;
}

/**
 * Stands for a token on pages of the service itself, which read by the session of their signed-in user. Cookies go to
 * the page's own origin alone, so that a page of another origin reads nothing by it.
 */
export const SESSION = 'session';

/** By which right an embed is read. */
export interface Access {
  /** Returns the token to send; undefined for a public grant. */
  token(): Promise<string | undefined> | string | undefined;
  /** Gets another token, after the server refused `refused`; undefined where there is none to be had. */
  renew(refused: string | undefined): Promise<string | undefined> | undefined;
}

/** Reads the answer of a saved query. */
export function readQuery(source: Source, access: Access, signal: AbortSignal): Promise<Answer> {
  return readJson(source, access, `query/${encodePath(source.path)}${filterQuery(source)}`, signal, parseAnswer);
}

/** Reads the layout of a dashboard as JSON; the part of the element that shows dashboards parses it. */
export function readLayout(source: Source, access: Access, signal: AbortSignal): Promise<unknown> {
  // A filter narrows tiles, not the layout. One that cannot be read stops here already.
  filterQuery(source);
  return readJson(source, access, `dashboard/${encodePath(source.path)}`, signal, (json) => json);
}

/** Reads the answer of one tile of a dashboard. */
export function readTile(source: Source, access: Access, tileId: string, signal: AbortSignal): Promise<Answer> {
  const tail = `dashboard/${encodePath(source.path)}/tiles/${encodeSegment(tileId)}${filterQuery(source)}`;
  return readJson(source, access, tail, signal, parseAnswer);
}

/**
 * Sends the request and parses its answer. The token is the only credential and travels only in the header: an address
 * would leak into logs, history and Referer, and a cookie would let a host page read with its visitor's rights.
 */
async function readJson<T>(
  source: Source,
  access: Access,
  tail: string,
  signal: AbortSignal,
  parse: (json: unknown) => T,
): Promise<T> {
  const response = await send(source, access, tail, signal);
  try {
    return parse(await response.json());
  } catch {
    throw new Failure('INVALID_ANSWER');
  }
}

/** Sends a request, once more with another token where the first is refused. */
export async function send(
  source: Source,
  access: Access,
  tail: string,
  signal: AbortSignal,
  init?: RequestInit,
): Promise<Response> {
  const request = (token: string | undefined): Promise<Response> => {
    const [door, credentials] = token === SESSION ? (['view', 'same-origin'] as const) : (['embed', 'omit'] as const);
    let headers: Headers;
    try {
      headers = new Headers({
        ...init?.headers,
        Accept: 'application/json',
        ...(token && { 'X-Service-Embed-Token': token }),
      });
    } catch {
      throw new Failure('INVALID_SETTINGS');
    }
    signal.throwIfAborted();
    const url = `${baseUrl(source.server)}/rest/service/api/${door}/${tail}`;
    return fetch(url, { ...init, credentials, headers, referrerPolicy: 'no-referrer', signal }).catch(() => {
      throw new Failure('NETWORK_ERROR');
    });
  };
  const token = await access.token();
  let response = await request(token);
  if (response.status === 401) {
    const fresh = await access.renew(token);
    if (fresh !== undefined && fresh !== token) response = await request(fresh);
  }
  // The body of a failure is not read: what it says is for the owner of the service, not for the visitor of this page.
  if (!response.ok) throw failureOfStatus(response.status);
  return response;
}

function filterQuery({ filter }: Source): string {
  if (filter === MALFORMED_FILTER) throw new Failure('INVALID_FILTER');
  return filter === undefined ? '' : `?filter=${encodeURIComponent(filter)}`;
}

function baseUrl(server: string): string {
  const url = URL.canParse(server, document.baseURI) ? new URL(server, document.baseURI) : undefined;
  if (!url || !/^https?:/.test(url.href)) throw new Failure('INVALID_SETTINGS');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

export function encodePath(path: string): string {
  return path.replace(/^\/+/, '').split('/').map(encodeSegment).join('/');
}

/** Refuses what a URL parser folds away: `a/../b` would ask for a resource other than the one that is written. */
function encodeSegment(segment: string): string {
  try {
    if (!/^\.{0,2}$/.test(segment)) return encodeURIComponent(segment);
  } catch {
    // Half of a surrogate pair is no text.
  }
  throw new Failure('INVALID_SETTINGS');
}
