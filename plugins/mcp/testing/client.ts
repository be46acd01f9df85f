import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { PicturePool } from '../../../router/capabilities/answer-pictures.ts';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import { standardErrorFormat } from '../../../router/error-body.ts';
import { ValidationError } from '../../../router/errors.ts';
import type { KeyScope } from '../../../router/key-scopes.ts';
import { type OperationContext, operation, operations } from '../../../router/operation.ts';
import { plugin, routersOf } from '../../../router/plugin.ts';
import { collectRoutes } from '../../../router/rest/routes.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { userContext } from '../../../router/testing/user-context.ts';
import { collectTools, type Tool } from '../../../router/tools/tools.ts';
import { skills } from '../../skills/index.ts';
import type { KeptCalls, McpEndpoint } from '../index.ts';
import type { KeptCall } from '../kept-calls.ts';
import { KEEP_CALLS_MS } from '../limits.ts';
import { mcp } from '../plugin.ts';

export function contextOf(user: string, scopes?: readonly KeyScope[]): OperationContext {
  return userContext({ kind: 'user', via: 'api-key', tenant: 't' as TenantId, user, roles: ['ROLE_USER'], scopes });
}

/** The calls of the stand-in surface, and how often its slow tool was started and stopped. */
export interface Surface {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly begun: number;
  readonly stopped: number;
  /** Changes the rows that later calls answer. */
  changeRows(): void;
}

/** The answer of every query of the surface: two regions, one of which is hidden. */
const SALES = {
  columns: [
    { key: 'region', label: 'Region', type: 'dimension', dataType: 'text' },
    { key: 'net', label: 'Net sales', type: 'metric', dataType: 'decimal' },
  ],
  records: [
    { region: 'Northland', net: { value: 1234.5, formatted: '1,234.50' } },
    { region: 'Southland', net: { value: 987.25, formatted: '987.25' } },
    { region: 'Westland', net: { value: null, formatted: '***', suppressed: true } },
  ],
  meta: { rowCount: 3, truncated: false, suppressed: { count: 1, reason: 'fewer than 5' } },
  freshness: { computedAtMillis: Date.UTC(2026, 10, 26, 5, 30), cached: false },
};

/** Makes a surface with the tools that resources use, and one that takes a given time. */
export function surface(models: readonly string[]): Surface {
  let begun = 0;
  let stopped = 0;
  let change = 0;
  const rest = (path: `/${string}`) => ({ method: 'POST', path, body: '*' }) as const;
  const listing = (name: string) => ({ connectionName: 'warehouse', modelName: name, description: `About ${name}` });
  const router = operations({
    models: operation({
      summary: 'l',
      access: 'user',
      tool: { name: 'list_semantic_models', title: 'List', description: 'Lists.', listAs: 'models' },
      rest: { method: 'GET', path: '/models' },
    })
      .output(z.array(z.object({ connectionName: z.string(), modelName: z.string(), description: z.string() })))
      .query(() => models.map(listing)),
    cubes: operation({
      summary: 'c',
      access: 'user',
      tool: { name: 'list_cubes', title: 'List', description: 'Lists.', listAs: 'cubes' },
      rest: { method: 'GET', path: '/cubes' },
    })
      .output(
        z.array(
          z.object({ connectionName: z.string(), catalog: z.string(), schema: z.string(), cubeName: z.string() }),
        ),
      )
      .query(() => [{ connectionName: 'c', catalog: 'a b', schema: 's', cubeName: 'Sales/2' }]),
    describe: operation({
      summary: 'd',
      access: 'user',
      tool: { name: 'describe_semantic_model', title: 'Describe', description: 'Describes.' },
      rest: rest('/describe'),
    })
      .input(z.strictObject({ connection: z.string(), model: z.string() }))
      .output(z.object({ modelId: z.string(), user: z.string() }))
      .mutation(async ({ input, ctx }) => {
        if (!models.includes(input.model)) throw ValidationError.at(['model'], 'There is no such model.', models);
        // Others are served meanwhile.
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { modelId: input.model, user: ctx.caller.kind === 'user' ? ctx.caller.user : '' };
      }),
    cube: operation({
      summary: 'd',
      access: 'user',
      tool: { name: 'describe_cube', title: 'Describe', description: 'Describes.' },
      rest: rest('/cube'),
    })
      .input(z.strictObject({ cubeId: z.string() }))
      .output(z.object({ cubeId: z.string(), members: z.array(z.string()).optional() }))
      // A cube called by a number has so many members of ten characters.
      .mutation(({ input: { cubeId } }) => {
        const count = Number(cubeId);
        return count > 0 ? { cubeId, members: Array<string>(count).fill('abcdefghij') } : { cubeId };
      }),
    wait: operation({
      summary: 'w',
      access: 'user',
      tool: { name: 'wait', title: 'Wait', description: 'Waits.' },
      rest: rest('/wait'),
    })
      .input(z.strictObject({ milliseconds: z.number(), rows: z.number().optional() }))
      .output(
        z.object({ done: z.boolean(), records: z.array(z.object({ n: z.number(), text: z.string() })).optional() }),
      )
      .mutation(async ({ input, signal }) => {
        begun++;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, input.milliseconds);
          signal?.addEventListener('abort', () => {
            stopped++;
            clearTimeout(timer);
            resolve();
          });
        });
        if (input.rows === undefined) return { done: true };
        const row = (n: number) => ({ n, text: `${change} row ${String(n).padStart(6, '0')}`.padEnd(16) });
        return { done: true, records: Array.from({ length: input.rows }, (_, n) => row(n)) };
      }),
    viewed: operation({
      summary: 'v',
      access: 'user',
      tool: { name: 'view_answer', title: 'View', description: 'Views.', isInner: true },
      rest: rest('/viewed'),
    })
      .input(
        z.strictObject({
          title: z.string().optional(),
          source: z.strictObject({ surface: z.string(), request: z.looseObject({ model: z.string().optional() }) }),
        }),
      )
      .output(z.looseObject({ title: z.string() }))
      .mutation(({ input: { title = '', source } }) => {
        if (source.request.model === 'shp')
          throw ValidationError.at(['source', 'request', 'model'], 'There is no such model.', models);
        return { ...SALES, title };
      }),
    secret: operation({ summary: 's', access: 'user', rest: rest('/secret') })
      .output(z.object({}))
      .mutation(() => ({})),
  });
  const made = plugin({ name: 'stand', title: 'Stand-in', router, errorFormat: standardErrorFormat });
  return {
    tools: collectTools({ router: operations(routersOf([made])), routes: collectRoutes([made]), onError: () => {} }),
    get begun() {
      return begun;
    },
    changeRows() {
      change++;
    },
    get stopped() {
      return stopped;
    },
  };
}

export function endpoint(
  { tools }: Surface,
  skillsDirectory: string,
  { calls = callsInMemory(), ...showing }: Showing = NO_PICTURES,
): McpEndpoint {
  const { folders } = skills({ directoryOf: async () => skillsDirectory, clock: Date.now });
  return mcp({ tools, skills: folders, calls, version: '1.2.3', log: silentLog, ...showing });
}

/** What an endpoint needs to show answers. */
interface Showing {
  readonly calls?: KeptCalls;
  readonly pictures: PicturePool;
  readonly pageScript: () => Promise<string>;
}

/** For endpoints whose tools show nothing. */
export const NO_PICTURES: Showing = {
  pictures: { size: 1, run: () => Promise.reject(new Error('nothing is painted here')) },
  pageScript: () => Promise.reject(new Error('there is no page here')),
};

/** Keeps calls in this process, for as long as the service does. */
export function callsInMemory(clock: Clock = Date.now): KeptCalls {
  const calls = new Map<string, { readonly call: KeptCall; readonly owner: string; readonly at: number }>();
  return {
    async keep(call, { user }) {
      const handle = randomUUID();
      calls.set(handle, { call, owner: user, at: clock() });
      return handle;
    },
    async find(handle, { user }) {
      const kept = calls.get(handle);
      return kept?.owner === user && kept.at >= clock() - KEEP_CALLS_MS ? kept.call : undefined;
    },
  };
}

export interface ConnectOptions {
  readonly user?: string;
  readonly isLegacy?: boolean;
  readonly isStructured?: boolean;
  readonly isFlat?: boolean;
  /** It has the MCP Apps extension. */
  readonly hasApps?: boolean;
  /** The scopes of the caller's API key; all without them. */
  readonly scopes?: readonly KeyScope[];
}

/**
 * Connects the official client to the endpoint, in this process, as `user`.
 *
 * `isLegacy`: it speaks the protocol of 2025. `isStructured`: it reads structured content. `isFlat`: it follows no references.
 */
export async function connect(
  served: McpEndpoint,
  {
    user = 'ann',
    isLegacy = false,
    isStructured = false,
    isFlat = false,
    hasApps = false,
    scopes,
  }: ConnectOptions = {},
): Promise<Client> {
  const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
  const client = new Client(
    { name: 'test', version: '1' },
    {
      ...(isLegacy ? {} : { versionNegotiation: { mode: 'auto' } }),
      ...(hasApps ? { capabilities: { extensions } } : {}),
    },
  );
  const transport = new StreamableHTTPClientTransport(
    new URL(`http://localhost/mcp?structured=${isStructured}&flat=${isFlat}`),
    {
      fetch: async (url, init) => {
        const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
        const { body: _, ...rest } = init ?? {};
        return served.fetch(new Request(url, rest), contextOf(user, scopes), body);
      },
    },
  );
  await client.connect(transport);
  return client;
}
