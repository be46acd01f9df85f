/**
 * The metrics of `/metrics`, in the text format of Prometheus. Labels are closed lists or bounded; none names a user
 * or a document.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { JobState } from '../../router/capabilities/jobs.ts';
import type { LlmAnswer } from '../../router/capabilities/llm.ts';
import type { Activity, Observer, OperationActivity } from '../../router/capabilities/observer.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import type { CacheUse } from '../cache/cache.ts';
import type { WarehouseName } from '../warehouse/index.ts';
import type { PoolGauge } from '../warehouse/pool.ts';

/** Number of warehouses with separate figures; further ones share one label, so that no tenant can flood the monitoring. */
const MAX_WAREHOUSES = 200;
const OTHERS = 'others';
/** Time limit for reading the state's figures, in milliseconds. */
const STATE_PATIENCE_MS = 2_000;
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface MetricsSources {
  readonly version: string;
  readonly cache: { readonly use: CacheUse };
  /** Counts the jobs of all nodes, by state. */
  readonly jobs: () => Promise<ReadonlyMap<JobState, number>>;
  /** The audit log's written and waiting entries. */
  readonly audit?: { readonly use: { readonly written: number; readonly waiting: number } } | undefined;
}

/** The counters of the process, and their text. */
export class Metrics implements Observer {
  readonly #registry = new Registry();
  readonly #pools = new Map<string, { readonly name: WarehouseName; readonly gauges: Set<PoolGauge> }>();
  readonly #warehouses = new Set<string>();
  readonly #operations: Histogram<'operation' | 'status'>;
  readonly #statements: Histogram<'engine' | 'warehouse' | 'outcome'>;
  readonly #llmCalls: Histogram<'provider' | 'model' | 'purpose' | 'outcome'>;
  readonly #llmCost: Counter<'provider' | 'model' | 'purpose'>;
  readonly #llmTokens: Counter<'provider' | 'model' | 'purpose' | 'direction'>;
  readonly #refused: Counter<'scheme' | 'outcome'>;
  readonly #requests: Counter<'method' | 'status'>;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Counter({
      name: 'service_http_requests_total',
      help: 'Requests that were answered.',
      labelNames: ['method', 'status'],
      registers,
    });
    this.#refused = new Counter({
      name: 'service_authentication_failures_total',
      help: 'Requests with an invalid Authorization header.',
      labelNames: ['scheme', 'outcome'],
      registers,
    });
    this.#operations = new Histogram({
      name: 'service_operation_duration_seconds',
      help: 'Operations, by the status of their answers (200 for every success).',
      labelNames: ['operation', 'status'],
      buckets: SECONDS,
      registers,
    });
    this.#statements = new Histogram({
      name: 'service_warehouse_statement_duration_seconds',
      help: 'Statements in warehouses, waits for a connection included.',
      labelNames: ['engine', 'warehouse', 'outcome'],
      buckets: SECONDS,
      registers,
    });
    this.#llmCalls = new Histogram({
      name: 'service_llm_call_duration_seconds',
      help: 'Calls of the language model.',
      labelNames: ['provider', 'model', 'purpose', 'outcome'],
      buckets: SECONDS,
      registers,
    });
    this.#llmCost = new Counter({
      name: 'service_llm_cost_usd_total',
      help: 'US dollars that calls of the language model have cost, estimated by the price list.',
      labelNames: ['provider', 'model', 'purpose'],
      registers,
    });
    this.#llmTokens = new Counter({
      name: 'service_llm_tokens_total',
      help: 'Tokens that the language model has read and written.',
      labelNames: ['provider', 'model', 'purpose', 'direction'],
      registers,
    });
  }

  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;

  /** Reads further sources from now on. */
  watch(sources: MetricsSources): void {
    const registers = [this.#registry];
    new Gauge({
      name: 'service_info',
      help: 'Always 1; the label has the version.',
      labelNames: ['version'],
      registers,
    }).set({ version: sources.version }, 1);
    for (const [member, help] of Object.entries(CACHE_COUNTERS) as [keyof typeof CACHE_COUNTERS, string][]) {
      new Counter({
        name: `service_cache_${member}_total`,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(sources.cache.use[member]);
        },
      });
    }
    for (const [member, help] of Object.entries(CACHE_GAUGES) as [keyof typeof CACHE_GAUGES, string][]) {
      new Gauge({
        name: `service_cache_${member}`,
        help,
        registers,
        collect() {
          this.set(sources.cache.use[member]);
        },
      });
    }
    const pools = this.#pools;
    new Gauge({
      name: 'service_warehouse_connections',
      help: 'Connections to warehouses: leased, idle, and callers that wait for one; limit is how many there may be.',
      labelNames: ['engine', 'warehouse', 'state'],
      registers,
      collect() {
        this.reset();
        for (const { name, gauges } of pools.values()) {
          for (const gauge of gauges) {
            const { use } = gauge;
            if (use === undefined) {
              gauges.delete(gauge);
              continue;
            }
            this.inc({ ...name, state: 'leased' }, use.leased);
            this.inc({ ...name, state: 'idle' }, use.idle);
            this.inc({ ...name, state: 'waiting' }, use.waiting);
            this.inc({ ...name, state: 'limit' }, use.size);
          }
        }
      },
    });
    new Gauge({
      name: 'service_jobs',
      help: 'Asynchronous queries of all nodes, by state; every node reports the same.',
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset();
        const counts = await inTime(sources.jobs());
        for (const [state, count] of counts ?? []) this.set({ state }, count);
      },
    });
    const { audit } = sources;
    if (audit === undefined) return;
    new Counter({
      name: 'service_audit_entries_total',
      help: 'Entries of the audit log that this node has written.',
      registers,
      collect() {
        this.reset();
        this.inc(audit.use.written);
      },
    });
    new Gauge({
      name: 'service_audit_waiting',
      help: 'Entries of the audit log that wait to be written.',
      registers,
      collect() {
        this.set(audit.use.waiting);
      },
    });
  }

  /** Counts an answered request, whichever handler answered. */
  request(method: string, status: number): void {
    this.#requests.inc({ method: METHODS.has(method) ? method : 'OTHER', status: String(status) });
  }

  pool(name: WarehouseName, gauge: PoolGauge): void {
    const bounded = this.#bounded(name);
    const key = `${bounded.engine} ${bounded.warehouse}`;
    const pool = this.#pools.get(key) ?? { name: bounded, gauges: new Set() };
    pool.gauges.add(gauge);
    this.#pools.set(key, pool);
  }

  async around<Result>(activity: Activity, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1_000;
    try {
      const result = await work();
      this.#note(activity, seconds(), undefined, result);
      return result;
    } catch (error) {
      this.#note(activity, seconds(), error, undefined);
      throw error;
    }
  }

  ended(activity: OperationActivity, result: unknown, durationMs: number): void {
    this.#note(activity, durationMs / 1_000, undefined, result);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #note(activity: Activity, seconds: number, thrown: unknown, result: unknown): void {
    const error = thrown === undefined ? undefined : toServiceError(thrown);
    const outcome = error?.kind ?? 'OK';
    switch (activity.kind) {
      case 'operation':
        this.#operations.observe({ operation: activity.operation, status: String(error?.status ?? 200) }, seconds);
        break;
      case 'authentication':
        if (error !== undefined) this.#refused.inc({ scheme: activity.scheme, outcome });
        break;
      case 'statement':
        this.#statements.observe({ ...this.#bounded(activity), outcome }, seconds);
        break;
      case 'llm': {
        const { provider, model, purpose } = activity;
        this.#llmCalls.observe({ provider, model, purpose, outcome }, seconds);
        if (error === undefined) this.#spent({ provider, model, purpose }, result as LlmAnswer);
      }
    }
  }

  #spent(labels: { provider: string; model: string; purpose: string }, { usage }: LlmAnswer): void {
    this.#llmCost.inc(labels, usage.estimatedCostUsd);
    this.#llmTokens.inc({ ...labels, direction: 'in' }, usage.inputTokens);
    this.#llmTokens.inc({ ...labels, direction: 'out' }, usage.outputTokens);
  }

  #bounded({ engine, warehouse }: WarehouseName): WarehouseName {
    const key = `${engine} ${warehouse}`;
    if (this.#warehouses.has(key)) return { engine, warehouse };
    if (this.#warehouses.size >= MAX_WAREHOUSES) return { engine, warehouse: OTHERS };
    this.#warehouses.add(key);
    return { engine, warehouse };
  }
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const CACHE_COUNTERS = {
  hits: 'Answers that were served again, or shared while they were computed.',
  misses: 'Answers that had to be computed.',
} as const;

const CACHE_GAUGES = {
  bytes: 'Bytes of kept answers.',
  entries: 'Kept answers.',
} as const;

/** Waits a limited time: a state that does not answer hides only its own figures. */
async function inTime<Result>(work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), STATE_PATIENCE_MS);
  });
  return Promise.race([work.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}
