import type { Client } from '../api-client/client.ts';
import { isObject, readList, readObject, readOption, readText, readTime } from '../api-client/json.ts';
import { readTexts } from '../parts/read-attributes.ts';

const BASE = '/rest/service/api/admin';

export interface SystemState {
  readonly version: string;
  readonly startedAt: Date;
  readonly status: 'OK' | 'DEGRADED' | 'NOT_READY';
  readonly missing: readonly string[];
  /** Asynchronous queries of the tenant, by state. */
  readonly jobs: Readonly<Record<string, number>>;
  /** Of the node that answers; undefined for administrators of other tenants than the first. */
  readonly process: ProcessState | undefined;
}

export interface ProcessState {
  readonly node: string;
  readonly residentBytes: number;
  readonly freeDiskBytes: number;
  readonly state: string;
  readonly cache: Readonly<Record<'hits' | 'misses' | 'bytes' | 'entries' | 'maxBytes', number>>;
  /** Undefined where none is configured. */
  readonly languageModel: string | undefined;
}

export interface PurposeSpend {
  readonly purpose: 'ask' | 'propose';
  readonly period: 'day' | 'month';
  /** Undefined without a limit. */
  readonly budgetUsd: number | undefined;
  readonly periods: readonly {
    readonly period: string;
    readonly spentUsd: number;
    readonly calls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  }[];
}

export interface System {
  readonly state: SystemState;
  readonly spend: readonly PurposeSpend[];
}

export async function readSystem(client: Client, signal: AbortSignal): Promise<System> {
  const [state, spend] = await Promise.all([
    client.get(`${BASE}/system`, parseState, signal),
    client.get(`${BASE}/spend`, parseSpend, signal),
  ]);
  return { state, spend };
}

export function clearCache(client: Client): Promise<void> {
  return client.post(`${BASE}/cache/clear`, {}, () => undefined);
}

function parseState(json: unknown): SystemState {
  const record = readObject(json, 'the health');
  return {
    version: readText(record, 'version'),
    startedAt: readTime(record, 'startedAt'),
    status: readOption(record, 'status', ['OK', 'DEGRADED', 'NOT_READY']),
    missing: readTexts(record.missing, 'the missing parts'),
    jobs: Object.fromEntries(
      Object.entries(readObject(record.jobs, 'jobs')).map(([name, count]) => [name, Number(count)]),
    ),
    process: isObject(record.process) ? parseProcess(record.process) : undefined,
  };
}

function parseProcess(record: Readonly<Record<string, unknown>>): ProcessState {
  const cache = readObject(record.cache, 'the cache');
  return {
    node: readText(record, 'node'),
    residentBytes: Number(record.residentBytes),
    freeDiskBytes: Number(record.freeDiskBytes),
    state: readText(record, 'state'),
    cache: {
      hits: Number(cache.hits),
      misses: Number(cache.misses),
      bytes: Number(cache.bytes),
      entries: Number(cache.entries),
      maxBytes: Number(cache.maxBytes),
    },
    languageModel: record.languageModel === null ? undefined : readText(record, 'languageModel'),
  };
}

function parseSpend(json: unknown): readonly PurposeSpend[] {
  return readList(readObject(json, 'the spend').purposes, 'purposes', (item): PurposeSpend => {
    const record = readObject(item, 'a purpose');
    return {
      purpose: readOption(record, 'purpose', ['ask', 'propose']),
      period: readOption(record, 'period', ['day', 'month']),
      budgetUsd: record.budgetUsd === null ? undefined : Number(record.budgetUsd),
      periods: readList(record.periods, 'periods', (each) => {
        const period = readObject(each, 'a period');
        return {
          period: readText(period, 'period'),
          spentUsd: Number(period.spentUsd),
          calls: Number(period.calls),
          inputTokens: Number(period.inputTokens),
          outputTokens: Number(period.outputTokens),
        };
      }),
    };
  });
}
