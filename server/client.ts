/** The typed client: every operation as a function, with the types of its declaration. */
import { createTRPCClient, type HTTPBatchLinkOptions, httpBatchLink } from '@trpc/client';
import { asciiJson } from '../router/ascii-json.ts';
import { MAX_BATCH_CALLS } from '../router/limits.ts';
import { VIEW_AS_HEADER, type ViewAs } from '../router/view-as.ts';
import type { AppRouter } from './launcher-service.ts';

export type { AppRouter } from './launcher-service.ts';

export interface ServiceClientOptions {
  /** Address of the service: its origin, with a proxy's base path. */
  readonly url: string;
  /** An API key; without it the calls are anonymous, or carry what `headers` and `fetch` give. */
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For administrators: whom to view as. The answers contain at most what both may see. */
  readonly viewAs?: ViewAs;
  readonly fetch?: NonNullable<HTTPBatchLinkOptions<AppRouter['_def']['_config']['$types']>['fetch']>;
}

/**
 * Makes a client of one service. A mistake in a call does not compile; a call that fails throws a `TRPCClientError`, whose
 * `data` holds what the service answered.
 *
 * @example
 * ```ts
 * import { serviceClient } from 'service/client';
 *
 * const service = serviceClient({ url: 'http://localhost:8080', apiKey: 'a-key' });
 * const models = await service.semantic.models.query();
 * for (const { connectionName, modelName } of models) console.log(connectionName, modelName);
 * ```
 */
export function serviceClient({ url, apiKey, headers = {}, viewAs, fetch }: ServiceClientOptions) {
  return createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `${url.replace(/\/+$/, '')}/rest/service/api/trpc`,
        maxItems: MAX_BATCH_CALLS,
        headers: {
          ...headers,
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          ...(viewAs === undefined ? {} : { [VIEW_AS_HEADER]: asciiJson(viewAs) }),
        },
        ...(fetch === undefined ? {} : { fetch }),
      }),
    ],
  });
}

export type ServiceClient = ReturnType<typeof serviceClient>;
