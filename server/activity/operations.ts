/** Lets administrators see and stop running statements, read slow ones, and look at health, cache and spend. */
import { z } from 'zod';
import { Name } from '../../router/bounded.ts';
import { userOf } from '../../router/calling-user.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { JobState } from '../../router/capabilities/jobs.ts';
import { LLM_PURPOSES } from '../../router/capabilities/llm.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { NotFoundError } from '../../router/errors.ts';
import { operation, operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import { type KeyLabels, labelOf, UserLabel } from '../identity/key-labels.ts';
import type { StatementRegister } from './statement-register.ts';
import { activityMigrations } from './tables.ts';

const BASE = '/rest/service/api/admin';
const CHOICE = 'Path and payload of the administrative interface are a choice of this product.';
const MAX_LISTED = 200;
const DEFAULT_LISTED = 50;

const Instant = z.iso.datetime();

const LongStatement = z.strictObject({
  id: z.string(),
  user: z.string().nullable().describe('Null for a statement of the process itself.'),
  userLabel: UserLabel,
  viewer: z.string().nullable().describe('The reader of an embed, by the host’s name.'),
  operation: z.string().nullable().describe('Such as `semantic.query`.'),
  engine: z.string(),
  warehouse: z.string().describe('Its address, without user and password.'),
  sql: z.string().describe('Without the values of parameters; at most 20,000 characters.'),
  startedAt: Instant,
  durationMs: z.number(),
});

const RunningQuery = LongStatement.meta({ id: 'RunningQuery' });

const SlowQuery = LongStatement.extend({
  outcome: z.string().describe('`OK`, or the code of an error.'),
  plan: z.string().nullable().describe('The plan of the warehouse, in its own words; null while it is not known.'),
}).meta({ id: 'SlowQuery' });

const JobCounts = z.record(z.string(), z.int()).describe('Asynchronous queries of the tenant, by state.');

const CacheUse = z.strictObject({
  hits: z.int(),
  misses: z.int(),
  bytes: z.int(),
  entries: z.int(),
  maxBytes: z.int(),
});

const SystemState = z
  .strictObject({
    version: z.string(),
    startedAt: Instant,
    status: z.enum(['OK', 'DEGRADED', 'NOT_READY']),
    missing: z.array(z.string()).describe('The parts that are missing: `state`, `disk`, `datasources`.'),
    jobs: JobCounts,
    process: z
      .strictObject({
        node: z.string().describe('The version of Node.'),
        residentBytes: z.int(),
        freeDiskBytes: z.int(),
        state: z.string().describe('The engine of the state: `sqlite` or `postgresql`.'),
        cache: CacheUse,
        languageModel: z.string().nullable().describe('The provider; null where none is configured.'),
      })
      .optional()
      .describe('Of the node that answers; for administrators of the tenant `default`.'),
  })
  .meta({ id: 'SystemState' });

const Spend = z
  .strictObject({
    purposes: z.array(
      z.strictObject({
        purpose: z.enum(Object.keys(LLM_PURPOSES) as (keyof typeof LLM_PURPOSES)[]),
        period: z.enum(['day', 'month']),
        budgetUsd: z.number().nullable().describe('Of a period; null without a limit.'),
        periods: z
          .array(
            z.strictObject({
              period: z.string().describe('`2026-11-26` or `2026-11`, in UTC.'),
              spentUsd: z.number(),
              calls: z.int(),
              inputTokens: z.int(),
              outputTokens: z.int(),
            }),
          )
          .describe('The last periods with a call, the newest first.'),
      }),
    ),
  })
  .meta({ id: 'LanguageModelSpend' });

const Done = z.strictObject({ status: z.literal('OK') });

/** Describes the process. */
export interface ProcessFacts {
  readonly version: string;
  readonly startedAtMillis: number;
  health(): Promise<{ readonly missing: readonly string[]; readonly degraded: readonly unknown[] }>;
  jobsOf(tenant: TenantId): Promise<ReadonlyMap<JobState, number>>;
  process(): Promise<NonNullable<z.infer<typeof SystemState>['process']>>;
  spendOf(tenant: TenantId): Promise<z.infer<typeof Spend>['purposes']>;
  /** Drops the kept answers of a tenant. */
  dropAnswers(tenant: TenantId): Promise<void>;
}

export interface ActivityOptions {
  readonly register: StatementRegister;
  readonly facts: ProcessFacts;
  readonly clock: () => number;
  /** The operators' tenant: its administrators also see statements of the process itself. */
  readonly operators: TenantId;
  readonly keyLabels: KeyLabels;
}

type Row = Awaited<ReturnType<StatementRegister['running']>>[number];

export function activityPlugin({ register, facts, clock, operators, keyLabels }: ActivityOptions) {
  return plugin({
    name: 'activity',
    title: 'Running queries and health',
    errorFormat: standardErrorFormat,
    migrations: activityMigrations,
    router: operations({
      running: operation({
        summary: 'List the statements of the tenant that run in warehouses for a second or longer',
        description: 'Of all nodes, the oldest first. Shorter ones are not listed.',
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'GET', path: `${BASE}/queries` },
      })
        .output(z.array(RunningQuery))
        .query(async ({ ctx }) => {
          const { tenant } = userOf(ctx);
          const now = clock();
          const labels = await keyLabels(tenant);
          return (await register.running(tenant, tenant === operators)).map((row) => listing(row, now, labels));
        }),

      cancel: operation({
        summary: 'Stop a running statement',
        description: 'It stops in the warehouse, on any node within seconds. Its request is answered with an error.',
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'DELETE', path: `${BASE}/queries/{id}` },
      })
        .input(z.strictObject({ id: Name }))
        .output(Done)
        .mutation(async ({ ctx, input: { id } }) => {
          const { tenant } = userOf(ctx);
          if (!(await register.cancel(id, tenant, tenant === operators)))
            throw new NotFoundError('No such statement runs any more.');
          return { status: 'OK' } as const;
        }),

      slow: operation({
        summary: 'List the slow statements of the tenant with their plans, the last first',
        description:
          'Statements that took at least `service.query.slowMilliseconds`, of the last seven days and of all nodes.',
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'GET', path: `${BASE}/slow-queries`, query: ['limit'] },
      })
        .input(
          z.strictObject({
            limit: z.coerce.number().int().min(1).max(MAX_LISTED).optional().describe(`${DEFAULT_LISTED} without it.`),
          }),
        )
        .output(z.array(SlowQuery))
        .query(async ({ ctx, input: { limit = DEFAULT_LISTED } }) => {
          const { tenant } = userOf(ctx);
          const labels = await keyLabels(tenant);
          const rows = await register.slow(tenant, tenant === operators, limit);
          return rows.map((row) => ({
            ...listing(row, row.ended_at ?? clock(), labels),
            outcome: row.outcome ?? 'OK',
            plan: row.plan,
          }));
        }),

      system: operation({
        summary: 'Read the health of the service',
        description: 'The figures of the process are for administrators of the tenant `default`.',
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'GET', path: `${BASE}/system` },
      })
        .output(SystemState)
        .query(async ({ ctx }) => {
          const { tenant } = userOf(ctx);
          const [{ missing, degraded }, jobs] = await Promise.all([facts.health(), facts.jobsOf(tenant)]);
          const isUp = missing.length === 0;
          return {
            version: facts.version,
            startedAt: new Date(facts.startedAtMillis).toISOString(),
            status: isUp ? (degraded.length === 0 ? 'OK' : 'DEGRADED') : 'NOT_READY',
            missing: [...missing],
            jobs: Object.fromEntries(jobs),
            ...(tenant === operators ? { process: await facts.process() } : {}),
          } as const;
        }),

      clearCache: operation({
        summary: 'Forget the kept answers of the tenant',
        description: 'On the node that answers. The next queries read their warehouses again.',
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'POST', path: `${BASE}/cache/clear`, body: '*', bodyOptional: true },
      })
        .input(z.strictObject({}))
        .output(Done)
        .mutation(async ({ ctx }) => {
          await facts.dropAnswers(userOf(ctx).tenant);
          return { status: 'OK' } as const;
        }),

      spend: operation({
        summary: 'Read what the tenant has spent on language models',
        description: 'In US dollars, estimated by the price list, by purpose and period.',
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'GET', path: `${BASE}/spend` },
      })
        .output(Spend)
        .query(async ({ ctx }) => ({ purposes: await facts.spendOf(userOf(ctx).tenant) })),
    }),
  });
}

function listing(
  { id, actor, viewer, operation: name, engine, warehouse, sql, started_at }: Row,
  endMillis: number,
  labels: ReadonlyMap<string, string>,
): z.infer<typeof RunningQuery> {
  return {
    id,
    user: actor,
    ...labelOf(actor, labels),
    viewer,
    operation: name,
    engine,
    warehouse,
    sql,
    startedAt: new Date(started_at).toISOString(),
    durationMs: Math.max(0, endMillis - started_at),
  };
}
