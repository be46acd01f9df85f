import { type Answer, parseAnswer } from './answer.ts';
import { type Dashboard, parseDashboard } from './dashboard.ts';

/** What one embed shows, and by which right. */
export interface Source {
  /** Address of the service, with or without a path prefix: `https://analytics.example.com`. */
  readonly server: string;
  /** Repository path with unencoded slashes: `shared/demo/sales.service`. */
  readonly path: string;
  readonly kind: 'query' | 'dashboard';
  /** Undefined for a public grant. */
  readonly token: string | undefined;
}

export function readQuery(source: Source, signal: AbortSignal): Promise<Answer> {
  return read(source, `query/${encodePath(source.path)}`, signal, parseAnswer);
}

export function readDashboard(source: Source, signal: AbortSignal): Promise<Dashboard> {
  return read(source, `dashboard/${encodePath(source.path)}`, signal, parseDashboard);
}

export function readTile(source: Source, tileId: string, signal: AbortSignal): Promise<Answer> {
  return read(source, `dashboard/${encodePath(source.path)}/tiles/${encodeSegment(tileId)}`, signal, parseAnswer);
}

/**
 * The token is the only credential and travels only in the header: an address would leak into logs, history and
 * Referer, and a cookie would let a host page read with its visitor's rights.
 */
async function read<T>(source: Source, tail: string, signal: AbortSignal, parse: (json: unknown) => T): Promise<T> {
  const headers = new Headers({ Accept: 'application/json' });
  if (source.token !== undefined) headers.set('X-Service-Embed-Token', source.token);
  const response = await fetch(`${baseOf(source.server)}/rest/service/api/embed/${tail}`, {
    credentials: 'omit',
    headers,
    referrerPolicy: 'no-referrer',
    signal,
  });
  // The body of a failure is not read: what it says is for the owner of the service, not for the visitor of this page.
  if (!response.ok) throw new Error(`The embed read was answered with status ${response.status}.`);
  return parse(await response.json());
}

function baseOf(server: string): string {
  const url = new URL(server, document.baseURI);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('The server is not an http address.');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function encodePath(path: string): string {
  return path.replace(/^\/+/, '').split('/').map(encodeSegment).join('/');
}

/** Refuses what a URL parser folds away: `a/../b` would ask for a resource other than the one that is written. */
function encodeSegment(segment: string): string {
  if (segment === '' || segment === '.' || segment === '..') throw new Error('The path has an empty or a dot segment.');
  return encodeURIComponent(segment);
}
