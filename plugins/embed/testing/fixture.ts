import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { AnswerFiles } from '../../../router/capabilities/answer-files.ts';
import type { Drill } from '../../../router/capabilities/drilling.ts';
import type { EmbedSignatures } from '../../../router/capabilities/embed-signatures.ts';
import type { Scope, TenantId, UserCaller } from '../../../router/capabilities/identity.ts';
import type { Others, QuerySource, RuntimeFilter, TabularAnswer } from '../../../router/capabilities/query-source.ts';
import type { Repository } from '../../../router/capabilities/repository.ts';
import type { State } from '../../../router/capabilities/state.ts';
import { ValidationError } from '../../../router/errors.ts';
import { type KeptLog, keptLog } from '../../../router/testing/kept-log.ts';
import { type RestClient, restClient } from '../../../router/testing/rest-client.ts';
import { writeWorkbook } from '../../files/index.ts';
import { skills } from '../../skills/index.ts';
import { embed, viewing } from '../index.ts';

export const tenant = 'tenant-1' as TenantId;
const otherTenant = 'tenant-2' as TenantId;
const user = (name: string, roles: readonly string[], of: TenantId = tenant): UserCaller => ({
  kind: 'user',
  via: 'session',
  tenant: of,
  user: name,
  roles,
});
export const ana = user('ana', ['ROLE_USER', 'ROLE_SALES']);
export const bob = user('bob', ['ROLE_USER']);
export const admin = user('admin', ['ROLE_ADMIN']);
export const stranger = user('ana', ['ROLE_ADMIN'], otherTenant);

export const START = 1_790_000_000_000;
export const HOUR = 3_600_000;
export const EMBED = '/rest/service/api/embed';
export const VIEW = '/rest/service/api/view';

export const answer: TabularAnswer = {
  columns: [
    { key: 'stores.region', label: 'Region', type: 'dimension', dataType: 'text' },
    { key: 'net_sales', label: 'Net sales', type: 'metric', dataType: 'decimal', aggregationKind: 'sum' },
  ],
  records: [
    { 'stores.region': 'North', net_sales: { value: 1234.5, formatted: '1,234.50' } },
    { 'stores.region': null, net_sales: { value: null, formatted: null, suppressed: true } },
  ],
  meta: { rowCount: 2, truncated: false, suppressed: { count: 1, reason: 'fewer than 5' } },
  freshness: { computedAtMillis: START, cached: true },
};

/** Returns the rests that a chart of the dashboard needs, where its title says so: `Chart needs {"field": …}`. */
function othersOf(layout: unknown): Readonly<Record<string, string>> | undefined {
  const Layout = z.object({ tiles: z.array(z.object({ id: z.string(), title: z.string().optional() })) });
  const needed = Layout.parse(layout).tiles.flatMap(({ id, title = '' }): [string, string][] => {
    const [, rest] = /needs (.*)$/.exec(title) ?? [];
    return rest === undefined ? [] : [[id, rest]];
  });
  return needed.length === 0 ? undefined : Object.fromEntries(needed);
}

/** Writes workbooks in the calling thread. A document is the JSON of its task: only the process has the element. */
const files: AnswerFiles = {
  workbooks: { size: 1, run: writeWorkbook },
  papers: {
    size: 1,
    async run(task) {
      const { layout, others } = task;
      const needed = others === undefined ? othersOf(layout) : undefined;
      return needed === undefined ? new TextEncoder().encode(JSON.stringify(task)) : { others: needed };
    },
  },
};

/** A query surface that keeps each request with its caller, and returns `answers`. */
export interface KeepingSource extends QuerySource {
  readonly runs: {
    readonly request: unknown;
    readonly scope: Scope;
    readonly runtimeFilters?: readonly RuntimeFilter[];
    readonly drill?: Drill;
    readonly others?: Others;
    /** What `rows` was asked for. */
    readonly rows?: object;
  }[];
  answers: () => Promise<TabularAnswer>;
}

function keepingSource(): KeepingSource {
  const source: KeepingSource = {
    surface: 'toy',
    runs: [],
    answers: async () => answer,
    prepare(request) {
      if (!z.strictObject({ of: z.string() }).safeParse(request).success)
        throw ValidationError.at(['of'], 'Say of what.');
      return {
        dimensions: ['stores.region'],
        checkTimeAxis() {},
        run(scope, { runtimeFilters, drill, others }) {
          source.runs.push({
            request,
            scope,
            ...(runtimeFilters === undefined || runtimeFilters.length === 0 ? {} : { runtimeFilters }),
            ...(drill === undefined ? {} : { drill }),
            ...(others === undefined ? {} : { others }),
          });
          return source.answers();
        },
        async rows(scope, { drill, at, fields, limit, runtimeFilters = [] }) {
          source.runs.push({ request, scope, runtimeFilters, rows: { drill, at, fields, limit } });
          return source.answers();
        },
        keysBelow: async (_, down) => down.flatMap(({ to = [] }) => to),
        async offer(scope, { field, text = '', runtimeFilters = [] }) {
          source.runs.push({ request, scope, ...(runtimeFilters.length === 0 ? {} : { runtimeFilters }) });
          const values = ['North', 'South'].filter((value) => value.includes(text));
          return {
            label: `Label of ${field}`,
            dataType: 'text',
            values: values.map((value) => ({ value, label: value })),
            truncated: false,
          };
        },
      };
    },
  };
  return source;
}

export const query = (of: string) => ({
  version: 1,
  title: `Of ${of}`,
  description: 'A query',
  source: { surface: 'toy', request: { of } },
});

export const dashboard = {
  version: 1,
  title: 'Shop',
  layout: { columns: 12, rowHeight: 40 },
  tiles: [
    { id: 'intro', kind: 'text', text: 'Hello', format: 'markdown', x: 0, y: 0, w: 12, h: 1 },
    {
      id: 'chart',
      kind: 'chart',
      title: 'By region',
      chartType: 'bar',
      query: { path: 'shared/q.service' },
      x: 0,
      y: 1,
      w: 6,
      h: 4,
    },
    { id: 'own', kind: 'chart', query: { path: 'homes/ana/q.service' }, x: 6, y: 1, w: 6, h: 4 },
    {
      id: 'kpi',
      kind: 'kpi',
      title: 'Revenue',
      measure: 'net_sales',
      query: { source: { surface: 'toy', request: { of: 'kpi' } } },
      x: 0,
      y: 5,
      w: 3,
      h: 2,
    },
    { id: 'lost', kind: 'chart', query: { path: 'shared/none.service' }, x: 3, y: 5, w: 3, h: 2 },
    { id: 'map', kind: 'map', secretZoom: { sql: 'select 1' }, x: 6, y: 5, w: 3, h: 2 },
  ],
};

/** One installation: documents on disk, a state, two accounts and an administrator. */
export interface Installation {
  readonly rest: RestClient;
  /** The reads of our own pages. */
  readonly pages: RestClient;
  readonly source: KeepingSource;
  readonly log: KeptLog;
  /** When each account that exists was made, by `tenant user`. Remove one to remove the account. */
  readonly accounts: Map<string, number>;
  readonly time: { now: number };
  place(path: string, document: unknown): Promise<void>;
  remove(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface InstallationOptions {
  readonly state: State;
  /** Opens the repository over a folder, with `tenant` as the default tenant. */
  readonly openRepository: (directory: string) => Promise<Repository>;
  readonly tokensPerUser?: number;
  /** Makes the verification of signed tokens, over the installation's clock. */
  readonly signatures?: ((clock: () => number) => EmbedSignatures) | undefined;
}

export async function install({
  state,
  openRepository,
  tokensPerUser = 200,
  signatures,
}: InstallationOptions): Promise<Installation> {
  const root = await mkdtemp(join(tmpdir(), 'service-embed-'));
  const repository = await openRepository(root);
  const source = keepingSource();
  const log = keptLog();
  const time = { now: START };
  const accounts = new Map([ana, bob, admin, stranger].map((each) => [`${each.tenant} ${each.user}`, START]));
  const viewed = {
    repository,
    sources: [source],
    askSources: [],
    asking: {
      llm: undefined,
      skills: skills({ directoryOf: async () => join(root, 'skills'), clock: Date.now }).folders,
      clock: Date.now,
      settings: { maxSchemaTokens: 1_000, sharesValues: false },
      questions: { keep: async () => false },
    },
    log,
    files,
  };
  const rest = restClient(
    embed({
      ...viewed,
      state,
      accounts: {
        async find(of, name) {
          const createdAtMillis = accounts.get(`${of} ${name}`);
          return createdAtMillis === undefined ? undefined : { roles: ['ROLE_NOW'], createdAtMillis };
        },
      },
      tenants: {
        first: ana.tenant,
        find: async (name) => [ana, stranger].find(({ tenant }) => tenant === name)?.tenant,
        nameOf: async (tenant) => tenant,
      },
      clock: () => time.now,
      signatures: signatures?.(() => time.now),
      settings: { tokensPerUser },
    }),
  );
  const installation: Installation = {
    rest,
    pages: restClient(viewing(viewed)),
    source,
    log,
    accounts,
    time,
    async place(path, document) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), typeof document === 'string' ? document : JSON.stringify(document));
    },
    remove: (path) => rm(join(root, path)),
    close: () => rm(root, { recursive: true, force: true }),
  };
  await installation.place('shared/q.service', query('shared'));
  await installation.place('homes/ana/q.service', query('ana'));
  await installation.place('homes/bob/q.service', query('bob'));
  await installation.place('shared/d.servicedash', dashboard);
  return installation;
}

/** Makes a token as the REST interface gives it. */
export async function tokenFor(
  { rest }: Installation,
  caller: UserCaller,
  resourcePath: string,
  more: object = {},
): Promise<string> {
  const resourceKind = resourcePath.endsWith('.servicedash') ? 'dashboard' : 'query';
  const { body } = await rest.call(`POST ${EMBED}/tokens`, { caller, body: { resourceKind, resourcePath, ...more } });
  return z.object({ token: z.string() }).parse(body).token;
}
