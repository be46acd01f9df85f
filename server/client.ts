/**
 * The typed client: every operation as a function, with the types of its declaration.
 *
 * ```ts
 * const service = serviceClient({ url: 'http://localhost:8080', apiKey });
 * const models = await service.semantic.models.query();
 * ```
 */
import { createTRPCClient, type HTTPBatchLinkOptions, httpBatchLink } from '@trpc/client';
import { MAX_BATCH_CALLS } from '../router/limits.ts';
import type { AppRouter } from './launcher.ts';

export type { AppRouter } from './launcher.ts';

export interface ServiceClientOptions {
  /** Origin of the service. */
  readonly url: string;
  /** An API key; without it the calls are anonymous, or carry what `headers` and `fetch` give. */
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: NonNullable<HTTPBatchLinkOptions<AppRouter['_def']['_config']['$types']>['fetch']>;
}

export function serviceClient({ url, apiKey, headers = {}, fetch }: ServiceClientOptions) {
  return createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: new URL('/rest/service/api/trpc', url).href,
        maxItems: MAX_BATCH_CALLS,
        headers: { ...headers, ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
        ...(fetch === undefined ? {} : { fetch }),
      }),
    ],
  });
}

export type ServiceClient = ReturnType<typeof serviceClient>;
