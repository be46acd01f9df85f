/** Requests that a language model writes: each is about one model or cube, regardless of the name in it. */

import { z } from 'zod';
import type { AskSubject } from '../../router/ask-source.ts';
import { callOperation, type OperationCall } from '../../router/call-operation.ts';
import { objectSchema } from '../../router/json-schema.ts';
import { once } from '../../router/once.ts';
import { parseInput } from '../../router/parse-input.ts';
import { isRecord } from '../../router/record.ts';
import { withoutNulls } from '../../router/without-nulls.ts';

const Properties = z.record(z.string(), z.looseObject({}));

/** A surface's operations, called for the caller. They check and answer the requests that the language model writes. */
export type Operations = Pick<OperationCall, 'router' | 'context'>;

/**
 * Returns the functions that check and run the requests of a surface.
 *
 * @param tool name of the function that the language model calls with a request
 */
export function pinnedRequests(tool: string, schema: z.ZodObject) {
  const whole = once(() => objectSchema(schema, 'input'));
  return (
    pins: Readonly<Record<string, string>>,
    { router, context }: Operations,
  ): Pick<AskSubject, 'tool' | 'check' | 'run'> => {
    const constants = Object.fromEntries(Object.entries(pins).map(([member, value]) => [member, { const: value }]));
    const call = (procedure: 'preview' | 'query', request: object, signal: AbortSignal | undefined) =>
      callOperation({ router, procedure, type: 'mutation', readInput: () => request, context, signal });
    const pin = (request: unknown): object => {
      const written = withoutNulls(schema, request);
      return isRecord(written) ? { ...written, ...pins } : { ...pins };
    };
    return {
      tool: {
        name: tool,
        inputSchema: { ...whole(), properties: { ...Properties.parse(whole().properties), ...constants } },
      },
      async check(request, signal) {
        const pinned = pin(request);
        await call('preview', pinned, signal);
        return parseInput(schema, pinned);
      },
      run: async (request, signal) => Object(await call('query', request, signal)) as object,
    };
  };
}

/** Returns the members of a checked request, or of an ask box, that name the target. Optional members may be null. */
export function targetOf<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  request: unknown,
): z.output<z.ZodObject<Shape>> {
  return schema.parse(withoutNulls(schema, request));
}

/**
 * Returns `target`, which must have the members that `schema` requires; optional members may be null. Does not look it up.
 *
 * @throws ValidationError
 */
export function readTarget<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  target: unknown,
): z.output<z.ZodObject<Shape>> {
  return parseInput(z.strictObject(schema.shape), target);
}
