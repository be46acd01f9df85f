import { type AnyTRPCRouter, callTRPCProcedure } from '@trpc/server';
import type { OperationContext } from './declaration.ts';
import { requestTurn } from './request-turns.ts';
import { toServiceError } from './to-service-error.ts';

/** An operation and the arguments of a call. */
export interface OperationCall {
  readonly router: AnyTRPCRouter;
  /** The procedure's path in the router: `semantic.query`. */
  readonly procedure: string;
  readonly type: 'query' | 'mutation';
  /** Returns the input as the caller sent it. It is read after access is granted, and the operation checks it. */
  readonly readInput: () => unknown;
  readonly context: OperationContext;
  readonly signal: AbortSignal | undefined;
}

/**
 * Calls an operation like its callers do, independent of the transport.
 *
 * @throws ServiceError
 */
export async function callOperation(call: OperationCall): Promise<unknown> {
  const { router, procedure, type, readInput, context, signal } = call;
  await requestTurn();
  try {
    return (await callTRPCProcedure({
      router,
      path: procedure,
      getRawInput: async () => readInput(),
      ctx: context,
      type,
      signal,
      batchIndex: 0,
    })) as unknown;
  } catch (thrown) {
    throw toServiceError(thrown);
  }
}
