import type { UserCaller } from '../capabilities/identity.ts';
import type { ServiceError } from '../errors.ts';
import { operations } from '../operation.ts';
import { type Plugin, routersOf } from '../plugin.ts';
import { Reply } from '../reply.ts';
import { type RestAnswer, restAdapter } from '../rest/run-rest-call.ts';

export interface RestCall {
  readonly caller?: UserCaller;
  readonly body?: unknown;
  readonly csrfVerified?: boolean;
  readonly embedToken?: string;
  /** Request headers by their lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal;
}

export interface RestClient {
  /** Calls an operation as the HTTP host would: `call('GET /rest/…?kind=query', { caller })`. */
  call(request: string, options?: RestCall): Promise<RestAnswer>;
  /** Errors that the calls so far have thrown. */
  readonly errors: readonly ServiceError[];
}

/** Calls the operations of one plugin end to end through the REST adapter, without HTTP. */
export function restClient(surface: Plugin): RestClient {
  const errors: ServiceError[] = [];
  const adapter = restAdapter({
    router: operations(routersOf([surface])),
    plugins: [surface],
    onError: (_, error) => void errors.push(error),
  });
  return {
    errors,
    async call(
      request,
      { caller, body, csrfVerified = true, embedToken, headers = {}, signal = new AbortController().signal } = {},
    ) {
      const [method = '', target = ''] = request.split(' ');
      const url = new URL(target, 'http://localhost');
      // `url.pathname` would resolve `..`, which a client may send unresolved.
      const lookup = adapter.lookup(method, target.split('?')[0] ?? '');
      if (!lookup.isFound) return { status: 404, headers: [], body: undefined };
      return adapter.call({
        route: lookup.route,
        parameters: lookup.parameters,
        query: url.searchParams,
        body,
        files: {},
        headers,
        signal,
        context: {
          caller: caller ?? { kind: 'anonymous' },
          csrfVerified,
          jsonBody: true,
          embedToken,
          address: '127.0.0.1',
          secure: false,
          requestId: 'test',
          cookies: {},
          reply: new Reply(),
        },
      });
    },
  };
}
