/** Makes agent tools from operations: name, schemas and call, from the same declaration as the REST route. */
import type { AnyTRPCRouter } from '@trpc/server';
import { z } from 'zod';
import { missingScope } from '../access.ts';
import { callOperation } from '../call-operation.ts';
import type { Caller } from '../capabilities/identity.ts';
import type { ToolMeta } from '../declaration.ts';
import type { ErrorKind, ServiceError } from '../errors.ts';
import { type JsonSchema, objectSchema } from '../json-schema.ts';
import type { OperationContext } from '../operation.ts';
import { isRecord } from '../record.ts';
import type { Route } from '../rest/routes.ts';
import { toServiceError } from '../to-service-error.ts';
import { withoutNulls } from '../without-nulls.ts';
import { outlineOf, withSharedParts } from './agent-schema.ts';

/** The outcome of a call: the answer, or an error in the envelope of its surface. */
export type ToolOutcome =
  | { readonly ok: true; readonly output: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      readonly envelope: Readonly<Record<string, unknown>>;
      /** Set for an error of an operation. */
      readonly kind?: ErrorKind;
    };

export interface Tool extends ToolMeta {
  /** JSON Schema 2020-12 of an object, complete in itself. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /** Returns whether a caller's API key has the scope of the tool. */
  isFor(caller: Caller): boolean;
  call(input: unknown, context: OperationContext, signal: AbortSignal): Promise<ToolOutcome>;
}

export interface ToolOptions {
  readonly router: AnyTRPCRouter;
  readonly routes: readonly Route[];
  /** Receives every failed call with the thrown error. */
  readonly onError: (route: Route, error: ServiceError, context: OperationContext) => void;
}

/**
 * Returns the tools among the operations, by name. Operations of several surfaces may be one tool, if each says which calls
 * are its own (`part` of its declaration); any other two operations with one name are refused.
 */
export function collectTools(options: ToolOptions): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>();
  for (const route of options.routes.toSorted(inOrderOfDeclaration)) {
    const { tool: meta } = route.meta;
    if (meta === undefined) continue;
    const tool = toolOf(route, meta, options);
    const former = tools.get(meta.name);
    tools.set(meta.name, former === undefined ? tool : joined(former, tool));
  }
  return tools;
}

/** Returns the tool of two operations: the call decides which of them answers. */
function joined(former: Tool, latter: Tool): Tool {
  const { part } = latter;
  if (former.part === undefined || part === undefined) throw new Error(`two operations are the tool ${latter.name}`);
  const properties = membersOf(former.inputSchema, latter.inputSchema);
  const isLatter = (input: unknown) => isRecord(input) && isPartOf(input, part);
  return {
    ...former,
    inputSchema: { ...former.inputSchema, properties },
    outputSchema: { type: 'object', properties: membersOf(latter.outputSchema, former.outputSchema) },
    isFor: (caller) => former.isFor(caller) || latter.isFor(caller),
    call: (input, context, signal) => (isLatter(input) ? latter : former).call(input, context, signal),
  };
}

/** Returns the members of objects of several schemas; of two with one name, the one of the later schema. */
function membersOf(...schemas: readonly JsonSchema[]): JsonSchema {
  return Object.fromEntries(
    schemas.flatMap(({ properties }) => (isRecord(properties) ? Object.entries(properties) : [])),
  );
}

/** Returns whether the member of an input that decides between operations is that of this one. */
function isPartOf(input: Readonly<Record<string, unknown>>, { in: place, has }: ToolPart): boolean {
  const deciding = place === undefined ? input : input[place];
  return isRecord(deciding) && deciding[has] !== undefined;
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
    inputSchema: route.input === undefined ? EMPTY : inputSchema(objectSchema(route.input, 'input'), meta),
    outputSchema: outputSchema(route, listAs),
    isFor: (caller) => missingScope(route.procedure, caller) === undefined,
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
        return { ok: false, envelope: route.plugin.errorFormat(error), kind: error.kind };
      }
    },
  };
}

/** Returns an input with the defaults of the tool. The schema refuses an input that is not an object. */
function completed(input: unknown, defaults: Defaults): unknown {
  return isRecord(input) ? { ...defaults, ...input } : input;
}

type Defaults = NonNullable<ToolMeta['defaults']>;
type ToolPart = NonNullable<ToolMeta['part']>;

/** Returns the schema of a tool's input. Long parts are written once, or by the tool that takes the same request. */
function inputSchema(
  whole: JsonSchema,
  { defaults = {}, sameAs, outlines = {}, examples, leftOut = [] }: ToolMeta,
): JsonSchema {
  const base = withDefaults(whole, defaults);
  const shaped = sameAs === undefined ? base : { ...outlineOf(base), description: `Members as of ${sameAs}.` };
  const kept = Object.entries(Object(shaped.properties) as Record<string, unknown>).filter(
    ([name]) => !leftOut.includes(name),
  );
  const properties = kept.map(([name, member]) => [
    name,
    outlines[name] === undefined ? member : { type: 'object', description: outlines[name] },
  ]);
  const { $defs, ...schema }: JsonSchema = { ...shaped, properties: Object.fromEntries(properties) };
  const used = usedDefinitions(schema, isRecord($defs) ? $defs : {});
  return {
    ...withSharedParts(Object.keys(used).length === 0 ? schema : { ...schema, $defs: used }),
    ...(examples === undefined ? {} : { examples }),
  };
}

/** Returns the definitions that a schema refers to, directly or by others. */
function usedDefinitions(schema: JsonSchema, definitions: JsonSchema): JsonSchema {
  const used = new Map<string, unknown>();
  const seek = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (used.has(name) || definitions[name] === undefined) continue;
      used.set(name, definitions[name]);
      seek(definitions[name]);
    }
  };
  seek(schema);
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => used.has(name)));
}

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

/** Returns the outline of an answer: its members with their types. */
function outputSchema({ output, procedure }: Route, listAs: string | undefined): JsonSchema {
  if (output === undefined) throw new Error(`${procedure} is a tool without an output schema`);
  const whole = objectSchema(listAs === undefined ? output : z.object({ [listAs]: output }), 'output');
  const forms = Array.isArray(whole.anyOf) ? whole.anyOf.filter(isRecord) : [whole];
  return { type: 'object', properties: membersOf(...forms.map(outlineOf)) };
}
