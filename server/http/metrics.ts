/** Serves `GET /metrics` for Prometheus to permitted readers. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { isAdministrator, type TenantId } from '../../router/capabilities/identity.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { NotFoundError, UnauthenticatedError } from '../../router/errors.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import type { Config } from '../config/settings.ts';
import { sha256 } from '../identity/secrets.ts';
import { type Identification, identify } from './identify-caller.ts';

export interface MetricsEndpoint {
  readonly contentType: string;
  text(): Promise<string>;
  request(method: string, status: number): void;
}

export interface MetricsHandlerOptions {
  readonly metrics: MetricsEndpoint;
  readonly readers: Config['service.metrics.readers'];
  readonly token: string;
  readonly identity: Identification;
  /** The tenant of the installation's operators. */
  readonly operators: TenantId;
}

/** Counts every answer. */
export function countRequests(metrics: MetricsEndpoint): RequestHandler {
  return (request, response, next) => {
    countAnswer(metrics, request, response);
    next();
  };
}

/** Counts a request when its answer is written. */
export function countAnswer(
  metrics: MetricsEndpoint,
  { method = '' }: IncomingMessage,
  response: ServerResponse,
): void {
  response.once('finish', () => metrics.request(method, response.statusCode));
}

export function metricsHandler(options: MetricsHandlerOptions): RequestHandler {
  const { metrics } = options;
  return async (request, response) => {
    try {
      await requireReader(options, request, response);
      response.set('Content-Type', metrics.contentType).send(await metrics.text());
    } catch (thrown) {
      const error = toServiceError(thrown);
      if (error.kind === 'UNAUTHENTICATED') response.set('WWW-Authenticate', 'Bearer');
      response.status(error.status).json(standardErrorFormat(error));
    }
  };
}

async function requireReader(
  { readers, token, identity, operators }: MetricsHandlerOptions,
  request: Request,
  response: Parameters<RequestHandler>[1],
): Promise<void> {
  switch (readers) {
    case 'loopback':
      if (!isLocal(request))
        throw new NotFoundError('Metrics are served to this machine only; see service.metrics.readers.');
      return;
    case 'token':
      if (!carries(request, token)) throw new UnauthenticatedError('Metrics need the token of service.metrics.token.');
      return;
    case 'administrator': {
      const { caller } = await identify(identity, request, response);
      if (caller.kind === 'anonymous')
        throw new UnauthenticatedError('Metrics are for administrators: send credentials.');
      if (caller.tenant !== operators || !isAdministrator(caller))
        throw new NotFoundError('Metrics are for administrators.');
      return;
    }
    case 'nobody':
      throw new NotFoundError('Metrics are switched off; see service.metrics.readers.');
  }
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
/** A proxy on this machine adds these headers: its client is on another machine. */
const FORWARDED: readonly string[] = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/** Returns whether the sender is on this machine: not through a proxy, and not a page in a browser. */
function isLocal(request: Request): boolean {
  const { remoteAddress = '' } = request.socket;
  const isForwarded = FORWARDED.some((header) => request.get(header) !== undefined);
  const isPage = request.get('origin') !== undefined || request.get('sec-fetch-site') !== undefined;
  return LOOPBACK.has(remoteAddress) && !isForwarded && !isPage;
}

function carries(request: Request, token: string): boolean {
  const [, sent = ''] = /^Bearer +([^ ]+) *$/i.exec(request.get('authorization') ?? '') ?? [];
  // Hashes have one length, which `timingSafeEqual` requires.
  return token !== '' && timingSafeEqual(Buffer.from(sha256(sent)), Buffer.from(sha256(token)));
}
