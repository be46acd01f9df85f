/** Binds the REST adapter to Express. */
import type { Request, RequestHandler, Response } from 'express';
import { requireAccess } from '../../router/access.ts';
import type { AnonymousCaller } from '../../router/capabilities/identity.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { CsrfRejectedError, NotFoundError, ServiceError } from '../../router/errors.ts';
import { FileAnswer } from '../../router/file-answer.ts';
import type { OperationContext, ServerEvent } from '../../router/operation.ts';
import { Reply } from '../../router/reply.ts';
import { assembleInput } from '../../router/rest/input.ts';
import type { FoundRoute, Route } from '../../router/rest/routes.ts';
import type { RestAdapter, RestAnswer } from '../../router/rest/run-rest-call.ts';
import { StreamedAnswer } from '../../router/streamed-answer.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import { sharedBy, sharerOf } from '../fair-share/counted-user.ts';
import { noteViewer, withViewer } from '../fair-share/present-viewer.ts';
import { basePathOf } from './base-path.ts';
import { type BodyReader, hasBody, UNREAD_BODY } from './body.ts';
import { sendEvents } from './events.ts';
import { cookiesOf, type Identification, type Identified, identify } from './identify-caller.ts';
import { observerOf } from './observer.ts';
import type { RepeatedReads } from './repeated-reads.ts';
import { requestIdOf } from './request-id.ts';
import { noteOperation } from './request-log.ts';
import { sendJson } from './send-json.ts';
import { sendStream } from './send-stream.ts';

export interface RestBinding {
  readonly repeatedReads: RepeatedReads;
  readonly adapter: RestAdapter;
  readonly identity: Identification;
  readonly readBody: BodyReader;
}

const ANONYMOUS: Identified = { caller: { kind: 'anonymous' } satisfies AnonymousCaller, csrfVerified: false };

/** Answers every request with the path of an operation; passes the others on. */
export function restHandler({ adapter, identity, readBody, repeatedReads }: RestBinding): RequestHandler {
  return async (request, response, next) => {
    const method = request.method === 'OPTIONS' ? request.get('access-control-request-method') : request.method;
    const lookup = adapter.lookup(method === 'HEAD' ? 'GET' : (method ?? ''), pathOf(request));
    if (!lookup.isFound) {
      if (lookup.allowed.length === 0) return next();
      response.set('Allow', [...lookup.allowed, 'OPTIONS'].join(', '));
      if (request.method === 'OPTIONS') response.status(204).end();
      else
        response.status(405).json({ error: 'METHOD_NOT_ALLOWED', message: `Use ${lookup.allowed.join(' or ')} here.` });
      return;
    }
    const { route, parameters } = lookup;
    noteOperation(request, route.procedure);
    crossOrigin(route, response);
    if (request.method === 'OPTIONS') {
      response.status(204).end();
      return;
    }
    const aborted = abortOnHangUp(response);
    try {
      if (route.meta.rest.form === true) refuseForeignForm(request);
      // Embed reads use one credential, the token; other credentials of the browser are not read.
      const identified = route.meta.access === 'embed' ? ANONYMOUS : await identify(identity, request, response);
      const context = { ...contextOf(request, identified, true), ...repeating(repeatedReads, request, lookup) };
      const read = isLetIn(route, context) ? await readBody(route, request, response, identified.caller) : UNREAD_BODY;
      const answer = await adapter
        .call({
          route,
          parameters,
          query: queryOf(request),
          body: read.body,
          files: read.files,
          headers: request.headers,
          context: read.json ? context : { ...context, jsonBody: false },
          signal: aborted,
        })
        .finally(read.release);
      await writeResponse(route, request, response, answer);
    } catch (thrown) {
      // The started answer cannot be withdrawn: the connection closes, so the caller sees that it is incomplete.
      if (response.headersSent) response.destroy();
      else await writeResponse(route, request, response, adapter.failure(route, toServiceError(thrown)));
    } finally {
      endUnread(request);
    }
  };
}

/** Lets an operation of embeds say how its answer is found again. Only there the address and the token decide the answer. */
function repeating(
  reads: RepeatedReads,
  request: Request,
  { route, parameters }: FoundRoute,
): Pick<OperationContext, 'repeats'> {
  if (route.meta.access !== 'embed' || request.method !== 'GET' || hasBody(request)) return {};
  return {
    repeats(again) {
      const input = assembleInput(route, { parameters, query: queryOf(request), body: undefined, files: {} });
      reads.remember(request, { operation: route.procedure, input, again });
    },
  };
}

/**
 * Returns whether a caller may use a route, so that the body of a refused caller, or for a disabled route, is not read. The operation itself refuses
 * that caller, on every transport, and is observed.
 */
function isLetIn({ meta }: Route, context: OperationContext): boolean {
  try {
    requireAccess(meta, context);
    return meta.isOff !== true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** Time that a refused caller may continue to send, so that it can read the answer, in milliseconds. */
const LINGER_MS = 2_000;

/** Ends the connection of a request with an unread body. */
function endUnread(request: Request): void {
  if (request.complete || !hasBody(request)) return;
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
}

/**
 * Refuses a form that another site's page sends: it needs no preflight, and signing in an unaware user is an attack.
 * Callers that are not browsers send neither header.
 *
 * @throws CsrfRejectedError
 */
function refuseForeignForm(request: Request): void {
  const site = request.get('sec-fetch-site');
  const origin = request.get('origin');
  const isForeign =
    site === undefined ? origin !== undefined && hostOf(origin) !== request.host : !OWN_SITES.has(site.toLowerCase());
  if (isForeign) throw new CsrfRejectedError('Forms of other sites are not taken here.');
}

/** Sent by one of the product's own pages, or by the browser's user directly. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Answers a path without an operation. */
export const notFoundHandler: RequestHandler = (_request, response) => {
  const error = new NotFoundError(
    'There is nothing at this address. The operations are listed at /rest/service/api/openapi.json.',
  );
  response.status(error.status).json(standardErrorFormat(error));
};

/**
 * Returns the path as sent: the adapter decodes each segment separately, so an encoded slash stays inside its segment.
 */
function pathOf(request: Request): string {
  const { url } = request;
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

function queryOf({ originalUrl }: Request): URLSearchParams {
  const start = originalUrl.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : originalUrl.slice(start));
}

export function contextOf(request: Request, { caller, csrfVerified }: Identified, jsonBody: boolean): OperationContext {
  return {
    caller,
    csrfVerified,
    jsonBody,
    embedToken: request.get('x-service-embed-token'),
    address: request.ip ?? '',
    secure: request.secure,
    basePath: basePathOf(request),
    requestId: requestIdOf(request),
    cookies: cookiesOf(request),
    reply: new Reply(),
    observer: observerOf(request),
    actsFor: ({ viewer }) => noteViewer(viewer?.id),
    within: (work) => withViewer(() => sharedBy(sharerOf(caller, request.ip ?? ''), work)),
  };
}

function crossOrigin({ meta }: Route, response: Response): void {
  const { crossOrigin: rule, method } = meta.rest;
  if (rule === undefined) return;
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': method,
    'Access-Control-Allow-Headers': rule.requestHeaders.join(', '),
    'Access-Control-Max-Age': '600',
    // The element waits for a server that is still loading.
    'Access-Control-Expose-Headers': 'Retry-After',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
}

/** Returns a signal that aborts when the caller leaves before the answer is sent. */
export function abortOnHangUp(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

async function writeResponse({ meta }: Route, request: Request, response: Response, answer: RestAnswer): Promise<void> {
  if (response.headersSent || response.destroyed) return;
  response.status(answer.status);
  for (const [name, value] of answer.headers) {
    // Cookies add up; any other header replaces the host's default.
    if (name === 'Set-Cookie') response.append(name, value);
    else response.set(name, value);
  }
  if (answer.status === 401 && meta.access !== 'embed') challenge(request, response);
  if (meta.rest.events === true && answer.status === 200)
    await sendEvents(response, answer.body as AsyncIterable<ServerEvent>);
  else if (answer.body instanceof StreamedAnswer) await sendStream(response, answer.body);
  else if (answer.body instanceof FileAnswer) sendFile(response, answer.body);
  else if (answer.contentType !== undefined) response.type(answer.contentType).send(String(answer.body));
  else if (answer.body === undefined) response.status(answer.status === 200 ? 204 : answer.status).end();
  else {
    // Pages of others read embeds: nothing of those answers may be recognised later.
    const isTagged = meta.rest.method === 'GET' && meta.access !== 'embed' && answer.status === 200;
    await sendJson(request, response, answer.body, { isTagged, isRevalidated: meta.rest.isRevalidated === true });
  }
}

function sendFile(response: Response, { bytes, contentType, disposition }: FileAnswer): void {
  response.set({ 'Content-Type': contentType, 'Content-Disposition': disposition });
  response.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** Sets the challenge. A browser opens its password box for a Basic challenge, so it is only for requests that do not come from a script. */
function challenge(request: Request, response: Response): void {
  if (request.url.startsWith('/me/')) response.set('WWW-Authenticate', 'Bearer');
  else if (
    request.get('x-requested-with') === undefined &&
    !(request.get('accept') ?? '').includes('application/json')
  ) {
    response.set('WWW-Authenticate', 'Basic realm="service", charset="UTF-8"');
  }
}
