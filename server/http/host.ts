import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { AnyTRPCRouter } from '@trpc/server';
import compression from 'compression';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Router,
} from 'express';
import helmet from 'helmet';
import type { Log } from '../../router/capabilities/log.ts';
import type { Observer } from '../../router/capabilities/observer.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { MalformedBodyError, ServiceError } from '../../router/errors.ts';
import { once } from '../../router/once.ts';
import type { RestAdapter } from '../../router/rest/run-rest-call.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import { below, setBasePath } from './base-path.ts';
import { bodyReader } from './body.ts';
import type { Identification } from './identify-caller.ts';
import { mapFiles } from './map-files.ts';
import { MCP_PATH, type McpHandlerOptions, mcpHandler } from './mcp.ts';
import { countRequests, type MetricsHandlerOptions, metricsHandler } from './metrics.ts';
import { noStore } from './no-store.ts';
import { setObserver } from './observer.ts';
import { type Health, readiness } from './readiness.ts';
import { RepeatedReads, type TraceRequest } from './repeated-reads.ts';
import { requestId, requestIdOf } from './request-id.ts';
import { logRequests } from './request-log.ts';
import { notFoundHandler, restHandler } from './rest.ts';
import { missingPage, missingPages, pages } from './static-files.ts';
import { typedCalls } from './typed-calls.ts';
import type { UploadLimits } from './uploads/receive.ts';

export interface HostOptions {
  readonly router: AnyTRPCRouter;
  readonly adapter: RestAdapter;
  readonly identity: Identification;
  /** Answers agents; optional in tests. */
  readonly mcp?: Pick<McpHandlerOptions, 'endpoint' | 'allowedHosts' | 'metadataUrl' | 'isOpenToPages'> | undefined;
  /** Addresses of sign-in besides the operations: single sign-on, for browsers and agents. */
  readonly signOn?: readonly Router[] | undefined;
  /** Makes the OpenAPI document, when it is first read. */
  readonly openApi: () => object;
  /** Reports what keeps the process from answering, and what is degraded; returns at once. */
  readonly health: () => Promise<Health>;
  readonly log: Log;
  /** Counts answers and serves the counts; optional in tests. */
  readonly metrics?: Omit<MetricsHandlerOptions, 'identity'> | undefined;
  /** Begins the traces of requests, where tracing is on. */
  readonly traces?: TraceRequest | undefined;
  /** Observes operations. */
  readonly observer?: Observer | undefined;
  readonly uiDirectory: string;
  /** Folders of earlier versions of the element. */
  readonly keptElements?: readonly string[];
  /** Folder with the maps of charts. */
  readonly mapDirectory?: string;
  readonly uploads: UploadLimits;
  readonly maxBodyBytes: number;
  readonly trustProxy: boolean;
  /** The base path, such as `/analytics`; empty for none. */
  readonly basePath?: string;
  /** The documents of the gallery: `GET /ui/showcase.json`. */
  readonly showcase: readonly object[];
}

/** Builds the Express application: everything the process answers on its one port. */
export function application(options: HostOptions): RequestListener {
  const { router, adapter, identity, openApi, health, log, uiDirectory, basePath = '' } = options;
  const app = express();
  setBasePath(app, basePath);
  app.disable('etag');
  app.disable('x-powered-by');
  app.set('trust proxy', options.trustProxy ? 1 : false);
  setObserver(app, options.observer);
  app.use(requestId, logRequests(log), securityHeaders(), noStore, compression());
  if (options.traces !== undefined) app.use(options.traces);
  if (options.metrics !== undefined) {
    app.use(countRequests(options.metrics.metrics));
    app.get('/metrics', metricsHandler({ ...options.metrics, identity }));
  }
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'OK' });
  });
  app.get('/readyz', readiness(health, log));
  app.get('/', (_request, response) => {
    response.redirect(302, `${basePath}/ui/`);
  });
  app.get('/ui/showcase.json', (_request, response) => {
    response.json(options.showcase);
  });
  if (options.mapDirectory !== undefined) app.use('/ui/maps', mapFiles(options.mapDirectory));
  app.use(
    '/ui',
    pages(uiDirectory, options.keptElements),
    missingPages(uiDirectory) ?? [missingPage(uiDirectory), notFoundHandler],
  );
  const openApiText = once(() => JSON.stringify(openApi()));
  app.get('/rest/service/api/openapi.json', (_request, response) => {
    response.type('application/json').send(openApiText());
  });
  app.use('/rest/service/api/trpc', typedCalls({ router, identity, log, maxBodyBytes: options.maxBodyBytes }));
  if (options.mcp !== undefined) {
    app.all(MCP_PATH, mcpHandler({ ...options.mcp, identity, maxBodyBytes: options.maxBodyBytes }));
  }
  for (const routes of options.signOn ?? []) app.use(routes);
  const readBody = bodyReader(options);
  const repeatedReads = new RepeatedReads({
    log,
    observer: options.observer,
    metrics: options.metrics?.metrics,
    traces: options.traces,
    addressOf: (request) => addressOf(app, request),
  });
  app.use(restHandler({ adapter, identity, readBody, repeatedReads }));
  app.use(notFoundHandler);
  const lastResort: ErrorRequestHandler = (thrown, request, response, next) => {
    // Express and its file server throw this for a path with invalid percent-encoding, for ranges and the like.
    const error = isCallersFault(thrown)
      ? new MalformedBodyError('This address cannot be read.', { cause: thrown })
      : toServiceError(thrown);
    if (error.kind === 'INTERNAL')
      log.error({ err: thrown, requestId: requestIdOf(request) }, 'failed outside any operation');
    if (response.headersSent) return next(thrown);
    response.set('Cache-Control', 'no-store');
    response.status(error.status).json(standardErrorFormat(error));
  };
  app.use(lastResort);
  return repeatedReads.before(below(basePath, app));
}

/** Returns the address of a request's caller in the way of the routes, before a route has it. */
function addressOf({ request: prototype }: Express, { headers, socket }: IncomingMessage): string {
  if (headers['x-forwarded-for'] === undefined) return socket.remoteAddress ?? '';
  const request: Pick<Request, 'ip'> = Object.create(prototype, {
    headers: { value: headers },
    socket: { value: socket },
  });
  return request.ip ?? '';
}

function isCallersFault(thrown: unknown): boolean {
  if (thrown instanceof URIError) return true;
  const { status } = Object(thrown) as { readonly status?: unknown };
  return !(thrown instanceof ServiceError) && typeof status === 'number' && status >= 400 && status < 500;
}

/**
 * Sets the headers of every answer. Pages may load only what this origin serves, and no other page may frame them.
 */
function securityHeaders(): RequestHandler {
  return sameHeaders(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          connectSrc: ["'self'"],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
      xFrameOptions: { action: 'deny' },
      // HSTS is set by the proxy that terminates TLS.
      strictTransportSecurity: false,
    }),
  );
}

/** Makes a handler that sets the headers that another one sets always. It asks the other one for them once. */
function sameHeaders(handler: ReturnType<typeof helmet>): RequestHandler {
  const headers = new Map<string, string>();
  const recorder = new ServerResponse(new IncomingMessage(new Socket()));
  recorder.setHeader = (name, value) => {
    headers.set(name, String(value));
    return recorder;
  };
  handler(recorder.req, recorder, () => undefined);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
