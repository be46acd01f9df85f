import type { AnyTRPCRouter } from '@trpc/server';
import type { Migrations } from './capabilities/state.ts';
import type { ErrorFormat } from './error-body.ts';

/**
 * A surface of the product: a folder under `plugins/`, made by a function of the capabilities it needs.
 * Adding one is adding the folder and one line in the launcher.
 */
export interface Plugin<Name extends string = string, Router extends AnyTRPCRouter = AnyTRPCRouter> {
  /** Name of the plugin's router in the typed client, and the tag of its operations in the API reference. */
  readonly name: Name;
  readonly title: string;
  readonly router: Router;
  /** Writes errors in the format of this surface. */
  readonly errorFormat: ErrorFormat;
  /** Migrations of the tables this plugin owns. */
  readonly migrations?: Migrations;
}

/**
 * Makes a plugin: keeps the literal name and the router's type, which the typed client is made of.
 *
 * @example
 * ```ts
 * import { z } from 'zod';
 * import type { Clock } from '../router/capabilities/clock.ts';
 * import { standardErrorFormat } from '../router/error-body.ts';
 * import { operation, operations } from '../router/operation.ts';
 * import { plugin } from '../router/plugin.ts';
 *
 * export function time({ clock }: { readonly clock: Clock }) {
 *   return plugin({
 *     name: 'time',
 *     title: 'Time',
 *     errorFormat: standardErrorFormat,
 *     router: operations({
 *       now: operation({
 *         summary: 'Tell the time',
 *         access: 'public',
 *         rest: { method: 'GET', path: '/rest/service/api/time' },
 *       })
 *         .output(z.object({ epochMillis: z.number() }))
 *         .query(() => ({ epochMillis: clock() })),
 *     }),
 *   });
 * }
 * ```
 */
export function plugin<const Name extends string, Router extends AnyTRPCRouter>(
  definition: Plugin<Name, Router>,
): Plugin<Name, Router> {
  return definition;
}

/** The routers of a list of plugins, by name. */
export type RoutersOf<Plugins extends readonly Plugin[]> = {
  [Each in Plugins[number] as Each['name']]: Each['router'];
};

/** Returns the routers of a list of plugins, by name; refuses two plugins of one name. */
export function routersOf<const Plugins extends readonly Plugin[]>(plugins: Plugins): RoutersOf<Plugins> {
  const routers: Record<string, AnyTRPCRouter> = {};
  for (const { name, router } of plugins) {
    if (Object.hasOwn(routers, name)) throw new Error(`two plugins are called ${name}`);
    routers[name] = router;
  }
  return routers as RoutersOf<Plugins>;
}
