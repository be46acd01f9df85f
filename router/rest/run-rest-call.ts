/**
 * REST over the router, independent of any web framework: finds the route, builds the input, calls the procedure
 * through the router's own caller and returns the answer. `server/http` binds it to Express.
 */
import type { AnyTRPCRouter } from '@trpc/server';
import { callOperation } from '../call-operation.ts';
import type { ErrorFormat } from '../error-body.ts';
import { type ServiceError, ValidationError } from '../errors.ts';
import type { OperationContext, ServerEvent } from '../operation.ts';
import type { Plugin } from '../plugin.ts';
import { StreamedAnswer } from '../streamed-answer.ts';
import { toServiceError } from '../to-service-error.ts';
import { assembleInput, hasMember, membersOutsideBody, type RestInput } from './input.ts';
import { routeLookup } from './lookup.ts';
import { collectRoutes, type Route, type RouteLookup } from './routes.ts';

export type Header = readonly [name: string, value: string];

export interface RestAnswer {
  readonly status: number;
  readonly headers: readonly Header[];
  /** JSON unless `contentType` is given; then `body` is text of that type. */
  readonly body: unknown;
  readonly contentType?: string | undefined;
}

export interface RestRequest extends RestInput {
  readonly route: Route;
  readonly context: OperationContext;
  readonly signal: AbortSignal;
}

export interface RestAdapter {
  readonly routes: readonly Route[];
  lookup(method: string, path: string): RouteLookup;
  call(request: RestRequest): Promise<RestAnswer>;
  /** Answers an error of this route in the envelope of its surface. */
  failure(route: Route, error: ServiceError, headers?: readonly Header[]): RestAnswer;
}

export interface RestAdapterOptions {
  readonly router: AnyTRPCRouter;
  readonly plugins: readonly Plugin[];
  /** Receives every failed call with the thrown error, for the log. */
  readonly onError: (route: Route, error: ServiceError, context: OperationContext) => void;
}

export function restAdapter({ router, plugins, onError }: RestAdapterOptions): RestAdapter {
  const routes = collectRoutes(plugins);

  return {
    routes,
    lookup: routeLookup(routes),
    failure,
    async call(request) {
      const { route, context, signal } = request;
      try {
        const { procedure, type, meta } = route;
        const readInput = () => assembleInput(route, request);
        const output = await callOperation({ router, procedure, type, readInput, context, signal });
        const bodyOf = (thrown: unknown) => route.plugin.errorFormat(failed(thrown));
        const body =
          output instanceof StreamedAnswer
            ? output.withFailures(bodyOf)
            : meta.rest.events === true
              ? await begun(output as AsyncIterable<ServerEvent>, bodyOf)
              : output;
        return success(route, body, context.reply.headers);
      } catch (thrown) {
        return failure(route, failed(thrown), context.reply.headers);
      }

      function failed(thrown: unknown): ServiceError {
        const error = withRestPaths(route, toServiceError(thrown));
        onError(route, error, context);
        return error;
      }
    },
  };
}

/**
 * Waits for the first event, so that an earlier failure is answered with its status. A later failure is the last event, in the envelope of the
 * surface.
 */
async function begun(
  events: AsyncIterable<ServerEvent>,
  envelopeOf: (thrown: unknown) => Readonly<Record<string, unknown>>,
): Promise<AsyncIterable<ServerEvent>> {
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value;
    } catch (thrown) {
      yield { event: 'error', data: envelopeOf(thrown) };
    } finally {
      await iterator.return?.();
    }
  })();
}

function success({ meta }: Route, output: unknown, headers: readonly Header[]): RestAnswer {
  const { status = 200, contentType } = meta.rest;
  return {
    status: typeof status === 'number' ? status : status.of(output as never),
    headers: [...Object.entries(meta.rest.headers ?? {}), ...headers],
    body: output,
    contentType,
  };
}

function failure({ meta, plugin }: Route, error: ServiceError, headers: readonly Header[] = []): RestAnswer {
  const format: ErrorFormat = plugin.errorFormat;
  return {
    status: error.status,
    headers: [
      ...Object.entries(meta.rest.headers ?? {}),
      ...headers,
      ...(error.retryAfterSeconds === undefined ? [] : [['Retry-After', String(error.retryAfterSeconds)] as const]),
    ],
    body: format(error),
  };
}

/**
 * Converts a validation error to the request as a REST caller knows it: paths start at the body (`query.rows[0]` ->
 * `rows[0]`), and candidates leave out members that the path, the query or a header gives.
 */
function withRestPaths(route: Route, error: ServiceError): ServiceError {
  const { body } = route.meta.rest;
  if (!(error instanceof ValidationError) || body === undefined) return error;
  if (body !== '*') return error.moved((path) => (path[0] === body ? path.slice(1) : path));
  const elsewhere = membersOutsideBody(route);
  return error.reworded((problem) =>
    problem.path.length === 1 && !hasMember(route, problem.path[0])
      ? { ...problem, available: problem.available?.filter((name) => !elsewhere.has(name)) }
      : problem,
  );
}
