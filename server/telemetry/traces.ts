/** Traces with OpenTelemetry, sent by OTLP over HTTP. The libraries are loaded only with an endpoint. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Attributes,
  type Context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { LlmAnswer } from '../../router/capabilities/llm.ts';
import type { Activity, Observer } from '../../router/capabilities/observer.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import { requestIdOf } from '../http/request-id.ts';

/** Time that a stop waits for the remaining spans, in milliseconds. */
const LAST_SPANS_MS = 5_000;

export interface Tracing extends Observer {
  /** Begins the span of a request, in the trace of its header `traceparent`. */
  readonly requests: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/**
 * Opens tracing to a collector: `endpoint`, such as `http://localhost:4318`; where it is empty, the endpoint, headers and time limits of
 * OpenTelemetry's variables.
 */
export async function openTracing(endpoint: string, version: string): Promise<Tracing> {
  const [{ BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': process.env.OTEL_SERVICE_NAME || 'service',
      'service.version': version,
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(endpoint === '' ? {} : { url }))],
  });
  return tracingWith(provider.getTracer('service', version), () => provider.shutdown());
}

/** Makes spans with `tracer`; the outer activity is the parent of the inner one. */
function tracingWith(tracer: Tracer, shutdown: () => Promise<void>): Tracing {
  const present = new AsyncLocalStorage<Context>();
  return {
    requests(request, response, next) {
      const parent = contextOf(headerOf(request, 'traceparent'), headerOf(request, 'tracestate'));
      const attributes = { 'http.request.method': request.method, 'service.request_id': requestIdOf(request) };
      const span = tracer.startSpan(`HTTP ${request.method}`, { kind: SpanKind.SERVER, attributes }, parent);
      response.on('close', () => {
        span.setAttribute('http.response.status_code', response.statusCode);
        if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
      present.run(trace.setSpan(parent, span), next);
    },
    async around(activity, work) {
      const parent = present.getStore() ?? ROOT_CONTEXT;
      const { name, kind, attributes } = described(activity);
      const span = tracer.startSpan(name, { kind, attributes }, parent);
      try {
        const result = await present.run(trace.setSpan(parent, span), work);
        if (activity.kind === 'llm') noteUsage(span, result as LlmAnswer);
        return result;
      } catch (error) {
        const serviceError = toServiceError(error);
        span.setAttribute('error.type', serviceError.code ?? serviceError.kind);
        // The message may repeat the caller's text.
        if (serviceError.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    ended(activity, _result, durationMs) {
      const { name, kind, attributes } = described(activity);
      const startTime = Date.now() - durationMs;
      tracer.startSpan(name, { kind, attributes, startTime }, present.getStore() ?? ROOT_CONTEXT).end();
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LAST_SPANS_MS);
      });
      await Promise.race([shutdown().catch(() => undefined), late]).finally(() => clearTimeout(timer));
    },
  };
}

function described(activity: Activity): {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
} {
  switch (activity.kind) {
    case 'operation':
      return {
        name: activity.operation,
        kind: SpanKind.INTERNAL,
        attributes: { 'service.operation': activity.operation, 'service.request_id': activity.requestId },
      };
    case 'authentication':
      return { name: 'authenticate', kind: SpanKind.INTERNAL, attributes: { 'service.scheme': activity.scheme } };
    case 'statement':
      return {
        name: `${activity.engine} statement`,
        kind: SpanKind.CLIENT,
        attributes: { 'db.system.name': activity.engine, 'db.namespace': activity.warehouse },
      };
    case 'llm':
      return {
        name: `chat ${activity.model}`,
        kind: SpanKind.CLIENT,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': activity.provider,
          'gen_ai.request.model': activity.model,
        },
      };
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

function noteUsage(span: Span, { usage }: LlmAnswer): void {
  span.setAttribute('gen_ai.usage.input_tokens', usage.inputTokens);
  span.setAttribute('gen_ai.usage.output_tokens', usage.outputTokens);
}

/** Version, trace, parent, flags: W3C Trace Context. A later version may have further members. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads the trace context of a request; an unreadable header begins a new trace. */
function contextOf(traceparent: string | undefined, tracestate: string | undefined): Context {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(traceparent?.trim() ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || version === 'ff' || (version === '00' && more !== undefined))
    return ROOT_CONTEXT;
  const span = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags ?? '0', 16) & 1,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  };
  return isSpanContextValid(span) ? trace.setSpanContext(ROOT_CONTEXT, span) : ROOT_CONTEXT;
}
