/** Binds the MCP endpoint to Express: caller, address and body; the plugin implements the protocol. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Request as HttpRequest, Response as HttpResponse, RequestHandler } from 'express';
import { requireAccess } from '../../router/access.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { ForbiddenError, MalformedBodyError } from '../../router/errors.ts';
import { readJson } from '../../router/json.ts';
import { MAX_BATCH_CALLS } from '../../router/limits.ts';
import type { OperationContext, OperationMeta } from '../../router/operation.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import type { Config } from '../config/settings.ts';
import { hasBody, textReader } from './body.ts';
import { allowPages } from './cross-origin.ts';
import { type Identification, identify } from './identify-caller.ts';
import { observedAs } from './observer.ts';
import { noteOperation } from './request-log.ts';
import { abortOnHangUp, contextOf } from './rest.ts';

export const MCP_PATH = '/rest/service/api/mcp';

/** Like every POST of the query surfaces: a signed-in user, with the CSRF pair where a browser could send the request. */
const ACCESS: OperationMeta = { summary: 'MCP', access: 'user', rest: { method: 'POST', path: MCP_PATH } };

export interface McpBinding {
  fetch(request: Request, context: OperationContext, body: unknown): Promise<Response>;
}

export interface McpHandlerOptions {
  readonly endpoint: McpBinding;
  readonly identity: Identification;
  readonly maxBodyBytes: number;
  /** Host names for this server; `undefined` where they are unknown, behind a proxy or beyond loopback. */
  readonly allowedHosts: readonly string[] | undefined;
  /** Returns the address of the metadata with the issuer of access tokens for this endpoint; `undefined` without one. */
  readonly metadataUrl?: ((request: HttpRequest) => string) | undefined;
  /** True where agents in pages of other origins may call, with a token of their own. */
  readonly isOpenToPages?: boolean | undefined;
}

/** Host names of a server that listens only on loopback. */
const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
const LOOPBACK_ADDRESSES: readonly string[] = ['localhost', '127.0.0.1', '::1'];

/** Returns the host names that MCP clients may use; `undefined` for any. */
export function allowedHosts(config: Config): readonly string[] | undefined {
  const named = config['service.http.allowedHosts'].split(',').flatMap((name) => name.trim().toLowerCase() || []);
  if (named.length > 0) return named;
  const isPrivate = LOOPBACK_ADDRESSES.includes(config['service.http.host']) && !config['service.http.trustProxy'];
  return isPrivate ? LOOPBACK_NAMES : undefined;
}

/** Answers MCP requests. */
export function mcpHandler(options: McpHandlerOptions): RequestHandler {
  const { endpoint, identity, maxBodyBytes } = options;
  const text = textReader(maxBodyBytes);
  return async (request, response) => {
    noteOperation(request, 'mcp');
    try {
      if (admitPage(request, response, options) === 'preflight') {
        response.status(204).end();
        return;
      }
      const identified = await identify(identity, request, response, 'mcp');
      const context = contextOf(request, identified, true);
      await requireUser(request, context);
      const body = hasBody(request) ? readJson(await text(request, response)) : undefined;
      if (Array.isArray(body) && body.length > MAX_BATCH_CALLS)
        throw new MalformedBodyError(`A batch has at most ${MAX_BATCH_CALLS} messages.`);
      const answer = await endpoint.fetch(webRequest(request, response), { ...context, csrfVerified: true }, body);
      send(answer, response);
    } catch (thrown) {
      const error = toServiceError(thrown);
      if (error.kind === 'UNAUTHENTICATED') response.set('WWW-Authenticate', challengeOf(request, options));
      response.status(error.status).json(standardErrorFormat(error));
    }
  };
}

/** Refuses callers without credentials. Observes only refusals: the called operations are observed themselves. */
async function requireUser(request: HttpRequest, context: OperationContext): Promise<void> {
  try {
    requireAccess(ACCESS, context);
  } catch (refusal) {
    const { caller } = context;
    await observedAs(request, { operation: 'mcp', access: ACCESS.access, writes: false, caller }, () =>
      Promise.reject(refusal),
    );
  }
}

/**
 * Writes the challenge of RFC 6750, section 3, with the address of the metadata (RFC 9728, section 5.1), where agents
 * begin to sign in.
 */
function challengeOf(request: HttpRequest, { metadataUrl }: McpHandlerOptions): string {
  const parameters = [
    ...(request.get('authorization') === undefined ? [] : ['error="invalid_token"']),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl(request)}"`]),
  ];
  return ['Bearer', ...(parameters.length === 0 ? [] : [parameters.join(', ')])].join(' ');
}

/** The protocol's own headers have any names (`MCP-Protocol-Version`, `Mcp-Param-…`). */
const OPEN_TO_PAGES = {
  methods: 'GET, POST, DELETE',
  requestHeaders: 'Authorization, *',
  answerHeaders: 'WWW-Authenticate, Mcp-Session-Id, Retry-After',
} as const;

/**
 * Refuses pages of other sites. They may not reach a server on the visitor's own machine, neither by its address nor by a name of theirs that
 * resolves to it (DNS rebinding). Where agents sign in at this server, a page of another site is admitted with a bearer token: nothing that the
 * browser has by itself counts.
 */
function admitPage(
  request: HttpRequest,
  response: HttpResponse,
  { allowedHosts, isOpenToPages }: McpHandlerOptions,
): 'call' | 'preflight' {
  const host = request.get('host') ?? '';
  const hostname = host.replace(/:\d+$/, '').toLowerCase();
  if (allowedHosts !== undefined && !allowedHosts.includes(hostname)) {
    throw new ForbiddenError('This server is not called by that name. Set service.http.allowedHosts to allow it.');
  }
  const origin = request.get('origin');
  if (origin === undefined || isSameHost(origin, host)) return 'call';
  const authorization = request.get('authorization');
  if (isOpenToPages !== true || (authorization !== undefined && !/^bearer /i.test(authorization)))
    throw new ForbiddenError('Pages of other sites cannot call this address.');
  allowPages(response, OPEN_TO_PAGES);
  if (request.method === 'OPTIONS') return 'preflight';
  delete request.headers.cookie;
  return 'call';
}

function isSameHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** Converts to a web request. The body has been read by then and travels beside it. */
function webRequest(request: HttpRequest, response: HttpResponse): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const url = `${request.protocol}://${request.get('host') ?? 'localhost'}${request.originalUrl}`;
  return new Request(url, { method: request.method, headers, signal: abortOnHangUp(response) });
}

function send(answer: Response, response: HttpResponse): void {
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.set(name, value);
  // Compression would buffer events.
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    response.set('Cache-Control', 'no-store, no-transform');
  }
  if (answer.body === null) {
    response.end();
    return;
  }
  const stream = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  // The caller disconnected, or the protocol ended the stream early: no answer is needed.
  stream.on('error', () => response.destroy());
  response.on('close', () => stream.destroy());
  stream.pipe(response);
}
