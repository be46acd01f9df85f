import type { AnyTRPCRouter } from '@trpc/server';
import { z } from 'zod';
import { Documented, type HttpMethod, type OperationMeta } from '../operation.ts';
import type { Plugin } from '../plugin.ts';
import { moreSpecificFirst, parseTemplate, type Template } from './template.ts';

/** One operation as a REST route. */
export interface Route {
  /** The procedure's path in the router: `semantic.models`. */
  readonly procedure: string;
  readonly type: 'query' | 'mutation';
  readonly meta: OperationMeta;
  readonly template: Template;
  readonly input: z.ZodType | undefined;
  readonly output: z.ZodType | undefined;
  readonly plugin: Plugin;
}

/** Returns all routes of the plugins, the more literal paths first. Two operations at one address are refused. */
export function collectRoutes(plugins: readonly Plugin[]): readonly Route[] {
  const routes = plugins.flatMap(routesOf);
  const taken = new Map<string, Route>();
  for (const route of routes) {
    const address = `${route.meta.rest.method} ${route.template.shape}`;
    const other = taken.get(address);
    if (other !== undefined) throw new Error(`${route.procedure} and ${other.procedure} are both at ${address}`);
    taken.set(address, route);
  }
  return routes.sort((left, right) => moreSpecificFirst(left.template, right.template));
}

function routesOf(plugin: Plugin): Route[] {
  return Object.entries(proceduresOf(plugin.router)).map(([name, definition]) => {
    const procedure = `${plugin.name}.${name}`;
    const { meta, type, output } = definition;
    if (meta === undefined) throw new Error(`${procedure} is not declared with operation()`);
    const template = parseTemplate(meta.rest.path);
    const route: Route = {
      procedure,
      type,
      meta,
      template,
      input: inputOf(definition),
      output: schemaOf(output),
      plugin,
    };
    checkMembers(route);
    return route;
  });
}

/** Returns a function that finds the schema of an operation's input by its path in the router, `plugin.operation`. */
export function inputSchemas(router: AnyTRPCRouter): (path: string) => z.ZodType | undefined {
  const inputs = new Map(
    Object.entries(proceduresOf(router)).map(([path, definition]) => [path, inputOf(definition)] as const),
  );
  return (path) => inputs.get(path);
}

function inputOf({ inputs }: ProcedureDefinition): z.ZodType | undefined {
  return inputs.find((parser) => parser instanceof z.ZodType);
}

/** The data that tRPC keeps of a procedure. Its types do not show them, so only this place reads them. */
interface ProcedureDefinition {
  readonly type: 'query' | 'mutation';
  readonly meta: OperationMeta | undefined;
  readonly inputs: readonly unknown[];
  readonly output: unknown;
}

function proceduresOf(router: AnyTRPCRouter): Record<string, ProcedureDefinition> {
  const procedures = router._def.procedures as Record<string, { readonly _def: ProcedureDefinition }>;
  return Object.fromEntries(Object.entries(procedures).map(([name, procedure]) => [name, procedure._def]));
}

function schemaOf(output: unknown): z.ZodType | undefined {
  if (output instanceof z.ZodType) return output;
  if (output instanceof Documented) return output.documents;
  if (typeof output === 'function' && 'documents' in output && output.documents instanceof z.ZodType)
    return output.documents;
  return undefined;
}

/** Refuses at the start a declared member that the input schema lacks: its value would be lost silently. */
function checkMembers({ procedure, meta, template, input }: Route): void {
  const { query = [], body, files = [], rawBody, requestHeaders = {} } = meta.rest;
  const named = [
    ...template.parameters,
    ...query,
    ...files,
    ...Object.keys(requestHeaders),
    ...(rawBody === undefined ? [] : [rawBody]),
    ...(body === undefined || body === '*' ? [] : [body]),
  ];
  if (named.length === 0) return;
  const members = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
  for (const member of named) {
    if (!members.includes(member)) throw new Error(`${procedure}: its input has no member ${member}`);
  }
  if (new Set(named).size !== named.length) throw new Error(`${procedure}: a member has two sources`);
}

export interface FoundRoute {
  readonly isFound: true;
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

export type RouteLookup = FoundRoute | { readonly isFound: false; readonly allowed: readonly HttpMethod[] };
