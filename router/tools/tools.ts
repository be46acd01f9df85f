/** Makes agent tools from operations: name, schemas and call, from the same declaration as the REST route. */
import type { AnyTRPCRouter } from '@trpc/server';
import { z } from 'zod';
import { callOperation } from '../call-operation.ts';
import type { ToolMeta } from '../declaration.ts';
import type { ServiceError } from '../errors.ts';
import { type JsonSchema, objectSchema } from '../json-schema.ts';
import type { OperationContext } from '../operation.ts';
import { isRecord } from '../record.ts';
import type { Route } from '../rest/routes.ts';
import { toServiceError } from '../to-service-error.ts';
import { withoutNulls } from '../without-nulls.ts';

/** The outcome of a call: the answer, or an error in the envelope of its surface. */
export type ToolOutcome =
  | { readonly ok: true; readonly output: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly envelope: Readonly<Record<string, unknown>> };

export interface Tool extends ToolMeta {
  /** JSON Schema 2020-12 of an object, complete in itself. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  call(input: unknown, context: OperationContext, signal: AbortSignal): Promise<ToolOutcome>;
}

export interface ToolOptions {
  readonly router: AnyTRPCRouter;
  readonly routes: readonly Route[];
  /** Receives every failed call with the thrown error. */
  readonly onError: (route: Route, error: ServiceError, context: OperationContext) => void;
}

/** Returns the tools among the operations, by name. Two operations with one tool name are refused. */
export function collectTools(options: ToolOptions): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>();
  for (const route of options.routes.toSorted(inOrderOfDeclaration)) {
    const { tool: meta } = route.meta;
    if (meta === undefined) continue;
    if (tools.has(meta.name)) throw new Error(`two operations are the tool ${meta.name}`);
    tools.set(meta.name, toolOf(route, meta, options));
  }
  return tools;
}

/**
 * Sorts tools for agents, which read the list from the top: a surface's operations stay together, in the order of its
 * router.
 */
function inOrderOfDeclaration(left: Route, right: Route): number {
  return left.plugin === right.plugin
    ? place(left) - place(right)
    : left.plugin.name.localeCompare(right.plugin.name, 'en');
}

function place({ plugin, procedure }: Route): number {
  return Object.keys(plugin.router._def.procedures).indexOf(procedure.slice(plugin.name.length + 1));
}

function toolOf(route: Route, meta: ToolMeta, { router, onError }: ToolOptions): Tool {
  const { listAs, defaults = {} } = meta;
  return {
    ...meta,
    inputSchema: route.input === undefined ? EMPTY : withDefaults(objectSchema(route.input, 'input'), defaults),
    outputSchema: outputSchema(route, listAs),
    async call(input, context, signal) {
      try {
        const { procedure, type } = route;
        const output = await callOperation({
          router,
          procedure,
          type,
          readInput: () => (route.input === undefined ? input : completed(withoutNulls(route.input, input), defaults)),
          context,
          signal,
        });
        return { ok: true, output: listAs === undefined ? (output as Record<string, unknown>) : { [listAs]: output } };
      } catch (thrown) {
        const error = toServiceError(thrown);
        onError(route, error, context);
        return { ok: false, envelope: route.plugin.errorFormat(error) };
      }
    },
  };
}

/** Returns an input with the defaults of the tool. The schema refuses an input that is not an object. */
function completed(input: unknown, defaults: Defaults): unknown {
  return isRecord(input) ? { ...defaults, ...input } : input;
}

type Defaults = NonNullable<ToolMeta['defaults']>;

function withDefaults(schema: JsonSchema, defaults: Defaults): JsonSchema {
  const { properties } = schema;
  if (!isRecord(properties) || Object.keys(defaults).length === 0) return schema;
  const declared = Object.entries(defaults).map(([name, value]) => {
    const member = properties[name];
    return [name, { ...(isRecord(member) ? member : {}), default: value }];
  });
  return { ...schema, properties: { ...properties, ...Object.fromEntries(declared) } };
}

const EMPTY: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

function outputSchema({ output, procedure }: Route, listAs: string | undefined): JsonSchema {
  if (output === undefined) throw new Error(`${procedure} is a tool without an output schema`);
  return objectSchema(listAs === undefined ? output : z.object({ [listAs]: output }), 'output');
}
