/** Serves the typed client: tRPC over HTTP, with the body limits of REST. */
import type { AnyTRPCRouter } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express, { type Request, type Router } from 'express';
import type { Log } from '../../router/capabilities/log.ts';
import type { ServiceError } from '../../router/errors.ts';
import { checkedJson } from '../../router/json.ts';
import { MAX_BATCH_CALLS } from '../../router/limits.ts';
import type { OperationContext } from '../../router/operation.ts';
import { inputSchemas } from '../../router/rest/routes.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import { hasBody, textReader } from './body.ts';
import { type Identification, identify } from './identify-caller.ts';
import { LongAnswers } from './long-answers.ts';
import { noteOperation } from './request-log.ts';
import { contextOf } from './rest.ts';

export interface TypedCallsOptions {
  readonly router: AnyTRPCRouter;
  readonly identity: Identification;
  readonly log: Log;
  readonly maxBodyBytes: number;
}

/** Serves the router to tRPC's own clients. */
export function typedCalls({ router, identity, log, maxBodyBytes }: TypedCallsOptions): Router {
  const text = textReader(maxBodyBytes);
  const inputSchema = inputSchemas(router);
  /** The problem of a body, for tRPC to report in its own format when it makes the call's context. */
  const refusals = new WeakMap<Request, ServiceError>();
  const handler = express.Router();
  handler.use(async (request, response, next) => {
    noteOperation(request, 'typed-client');
    try {
      if (request.is('application/json') && hasBody(request)) request.body = checkedJson(await text(request, response));
    } catch (thrown) {
      refusals.set(request, toServiceError(thrown));
      request.body = '';
    }
    next();
  });
  handler.use(
    createExpressMiddleware({
      router,
      maxBatchSize: MAX_BATCH_CALLS,
      maxBodySize: maxBodyBytes,
      async createContext({ req, res }): Promise<OperationContext> {
        const refusal = refusals.get(req);
        if (refusal !== undefined) throw refusal;
        // tRPC's client can send any method as POST: the CSRF rule of each operation still applies, by its REST method.
        const longAnswers = new LongAnswers();
        longAnswers.fillIn(res);
        return {
          ...contextOf(req, await identify(identity, req, res), true),
          holdBack: longAnswers.holdBack,
          inputSchema,
        };
      },
      responseMeta({ ctx }: { readonly ctx?: OperationContext }) {
        const headers = new Headers();
        for (const [name, value] of ctx?.reply.headers ?? []) headers.append(name, value);
        return { headers };
      },
      onError({ error, path, ctx }) {
        const service = toServiceError(error);
        if (service.kind === 'INTERNAL')
          log.error({ err: service.cause ?? error, operation: path, requestId: ctx?.requestId }, 'failed');
      },
    }),
  );
  return handler;
}
