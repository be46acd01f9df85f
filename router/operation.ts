/**
 * An operation is declared once, as a tRPC procedure with a zod input and output and the `meta` below. From that one
 * declaration come the tRPC procedure, the REST route at the documented path, its part of the OpenAPI document and
 * the typed client.
 */
import { initTRPC } from '@trpc/server';
import type { z } from 'zod';
import { requireAccess, requireScope } from './access.ts';
import type { Scope } from './capabilities/identity.ts';
import type { Observer, OperationActivity } from './capabilities/observer.ts';
import type { OperationContext, OperationMeta } from './declaration.ts';
import { errorShape } from './to-service-error.ts';
import { withoutNulls } from './without-nulls.ts';
import './schema-messages.ts';

export type {
  Access,
  HttpMethod,
  OperationContext,
  OperationMeta,
  ToolMeta,
} from './declaration.ts';

const trpc = initTRPC
  .context<OperationContext>()
  .meta<OperationMeta>()
  .create({ errorFormatter: ({ shape, error }) => errorShape(shape, error) });

/** Makes a plugin's router from its operations. */
export const operations = trpc.router;
export const createCallerFactory = trpc.createCallerFactory;

/**
 * Begins the declaration of an operation. Access and the CSRF rule are enforced before its input is read.
 *
 * @example
 * ```ts
 * import { z } from 'zod';
 * import { NotFoundError } from '../router/errors.ts';
 * import { operation } from '../router/operation.ts';
 *
 * const Thing = z.object({ id: z.string(), name: z.string() });
 * const things = new Map([['a', { id: 'a', name: 'A thing' }]]);
 *
 * export const thing = operation({
 *   summary: 'Read a thing',
 *   access: 'user',
 *   rest: { method: 'GET', path: '/rest/service/api/things/{id}' },
 * })
 *   .input(z.strictObject({ id: z.string().max(100) }))
 *   .output(Thing)
 *   .query(({ input: { id } }) => {
 *     const entry = things.get(id);
 *     if (entry === undefined) throw new NotFoundError('There is no such thing.', { path: ['id'], available: [...things.keys()] });
 *     return entry;
 *   });
 * ```
 */
export function operation(meta: OperationMeta) {
  return trpc.procedure
    .meta(meta)
    .use(({ ctx, next, path, type, getRawInput }) => {
      const { observer } = ctx;
      if (observer === undefined) return next();
      let owner: Scope | undefined;
      const actsFor = (scope: Scope): void => {
        owner = scope;
        ctx.actsFor?.(scope);
      };
      const activity = activityOf(meta, ctx, { path, type, input: getRawInput, ownerOf: () => owner });
      return watched(observer, activity, () => next({ ctx: { actsFor } }));
    })
    .use(async ({ ctx, next, path, getRawInput }) => {
      requireAccess(meta, ctx);
      requireScope(path, ctx.caller);
      const schema = ctx.inputSchema?.(path);
      const readInput = schema === undefined ? getRawInput : async () => withoutNulls(schema, await getRawInput());
      const proceed = () => next({ getRawInput: readInput });
      const result = await (ctx.within === undefined ? proceed() : ctx.within(proceed));
      return result.ok && ctx.holdBack !== undefined ? { ...result, data: ctx.holdBack(result.data) } : result;
    });
}

function activityOf(
  { access }: OperationMeta,
  { caller, address, requestId }: OperationContext,
  call: {
    readonly path: string;
    readonly type: string;
    readonly input: () => Promise<unknown>;
    readonly ownerOf: () => Scope | undefined;
  },
): OperationActivity {
  return {
    kind: 'operation',
    operation: call.path,
    access,
    writes: call.type === 'mutation',
    caller,
    get owner() {
      return call.ownerOf();
    },
    address,
    requestId,
    input: call.input,
  };
}

/** Runs an operation under an observer, which records its failure. It still resolves to the operation's error. */
async function watched<Result extends { readonly ok: boolean; readonly data?: unknown; readonly error?: unknown }>(
  observer: Observer,
  activity: OperationActivity,
  work: () => Promise<Result>,
): Promise<Result> {
  let settled: Result | undefined;
  try {
    await observer.around(activity, async () => {
      settled = await work();
      if (!settled.ok) throw settled.error;
      return settled.data;
    });
  } catch (error) {
    if (settled === undefined) throw error;
  }
  // `around` resolves and rejects with the outcome of the work, so one of the two always happens.
  return settled as Result;
}

/**
 * Makes an output schema that documents and types the answer without a check at run time, for answers with many rows. Tests check the shape instead.
 * Never use it for answers that are made from stored records with secrets.
 */
export function documented<Schema extends z.ZodType>(schema: Schema): DocumentedParser<z.output<Schema>> {
  return Object.assign((value: unknown) => value as z.output<Schema>, { documents: schema });
}

export type DocumentedParser<T> = ((value: unknown) => T) & { readonly documents: z.ZodType };

/** One event of a streamed answer. */
export interface ServerEvent {
  readonly event: string;
  readonly data: object;
}

/**
 * Like `documented`, for an answer with a type that only its maker can name: the handler may return anything, callers
 * see the schema's type.
 */
export class Documented<Schema extends z.ZodType> {
  declare readonly _input: unknown;
  declare readonly _output: z.output<Schema>;
  readonly documents: Schema;

  constructor(schema: Schema) {
    this.documents = schema;
  }

  parse(value: unknown): z.output<Schema> {
    return value as z.output<Schema>;
  }
}
