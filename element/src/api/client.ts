import { Failure, toFailure } from './failure.ts';
import { MALFORMED_FILTER } from './filter.ts';
import { type Answer, parseAnswer } from './parse-answer.ts';

/** Names the resource that one embed shows. */
export interface Source {
  /** Address of the service, with or without a path prefix: `https://analytics.example.com`. */
  readonly server: string;
  /** Repository path with unencoded slashes: `shared/demo/sales.service`. */
  readonly path: string;
  readonly kind: 'query' | 'dashboard' | 'ai';
  /** Undefined where there is no filter; see `serializeFilter`. */
  readonly filter: string | undefined;
  /** What visitors may filter by, as the attribute `filters` has it; undefined where the page shows no filters. */
  readonly filters?: string | undefined;
  /** Whether a click does what the document allows: narrows other tiles, goes down, shows rows. */
  readonly drill?: boolean | undefined;
  /** The steps that the visitor went down, as JSON; undefined where there are none. */
  readonly steps?: string | undefined;
  /** Reads the answer in place of the server. */
  readonly reader?: AnswerReader | undefined;
}

/**
 * Returns the JSON of an answer, as the server writes it. With `more`, a view asks for the rest of a series (`others`) or
 * for subtotals (`without`), each a text as the query of an embed's address has it; reject where there is none.
 */
export type AnswerReader = (
  signal: AbortSignal,
  more?: { readonly others: string } | { readonly without: string },
) => Promise<unknown>;

/**
 * Takes the place of a token on the service's own pages, which read with the session of the signed-in user. Only the
 * page's own origin receives cookies, so a page of another origin cannot read with it.
 */
export const SESSION = 'session';

/** Supplies the right by which an embed is read. */
export interface Access {
  /** Returns the token to send; undefined for a public grant. */
  token(): Promise<string | undefined> | string | undefined;
  /** Returns another token after the server refused `refused`; undefined where there is none. */
  renew(refused: string | undefined): Promise<string | undefined> | undefined;
}

/** Reads the answer of a saved query. `more` asks for another part of its query in place of the whole. */
export function readQuery(source: Source, access: Access, signal: AbortSignal, more?: object): Promise<Answer> {
  return readJson(source, access, `query/${encodePath(source.path)}${filterQuery(source, more)}`, signal, parseAnswer);
}

/** Reads the layout of a dashboard as JSON. The dashboard part parses it. */
export function readLayout(source: Source, access: Access, signal: AbortSignal): Promise<unknown> {
  // A filter narrows tiles, not the layout. A malformed one already fails here.
  filterQuery(source);
  return readJson(source, access, `dashboard/${encodePath(source.path)}`, signal, (json) => json);
}

/** Reads the answer of one tile of a dashboard. */
export function readTile(
  source: Source,
  access: Access,
  tileId: string,
  signal: AbortSignal,
  more?: object,
): Promise<Answer> {
  const tail = `dashboard/${encodePath(source.path)}/tiles/${encodeSegment(tileId)}${filterQuery(source, more)}`;
  return readJson(source, access, tail, signal, parseAnswer);
}

/**
 * Sends the request and parses its answer. The token is the only credential and is sent only in the header: an address
 * would leak it into logs, history and Referer, and a cookie would let a host page read with its visitor's rights.
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

/** Sends a request, and sends it once more with another token where the server refuses the first. */
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
  // The body of a failure is not read: its text is for the owner of the service, not for the visitor of this page.
  if (!response.ok) throw toFailure(response);
  return response;
}

function filterQuery({ filter, steps: drill }: Source, more?: object): string {
  if (filter === MALFORMED_FILTER) throw new Failure('INVALID_FILTER');
  const query = Object.entries({ filter, drill, ...more }).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  );
  return query.length > 0 ? `?${query.join('&')}` : '';
}

function baseUrl(server: string): string {
  const url = URL.canParse(server, document.baseURI) ? new URL(server, document.baseURI) : undefined;
  if (!url || !/^https?:/.test(url.href)) throw new Failure('INVALID_SETTINGS');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

export function encodePath(path: string): string {
  return path.replace(/^\/+/, '').split('/').map(encodeSegment).join('/');
}

/** Refuses a segment that a URL parser would resolve: `a/../b` would ask for another resource than its author wrote. */
function encodeSegment(segment: string): string {
  try {
    if (!/^\.{0,2}$/.test(segment)) return encodeURIComponent(segment);
  } catch {
    // Half of a surrogate pair is no text.
  }
  throw new Failure('INVALID_SETTINGS');
}
