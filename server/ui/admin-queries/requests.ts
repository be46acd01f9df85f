import type { Client } from '../api-client/client.ts';
import { readList, readObject, readText, readTextOrDefault, readTime } from '../api-client/json.ts';

const BASE = '/rest/service/api/admin';

export interface RunningQuery {
  readonly id: string;
  /** Empty for a statement of the process itself. */
  readonly user: string;
  /** The label of an API key; empty for a person. */
  readonly userLabel: string;
  readonly viewer: string;
  readonly operation: string;
  readonly warehouse: string;
  readonly sql: string;
  readonly startedAt: Date;
  readonly durationMs: number;
}

export interface SlowQuery extends RunningQuery {
  readonly outcome: string;
  /** Undefined while the warehouse has not told it. */
  readonly plan: string | undefined;
}

export interface Queries {
  readonly running: readonly RunningQuery[];
  readonly slow: readonly SlowQuery[];
}

export async function readQueries(client: Client, signal: AbortSignal): Promise<Queries> {
  const [running, slow] = await Promise.all([
    client.get(`${BASE}/queries`, (json) => readList(json, 'the running queries', parseRunning), signal),
    client.get(`${BASE}/slow-queries`, (json) => readList(json, 'the slow queries', parseSlow), signal),
  ]);
  return { running, slow };
}

export function cancelQuery(client: Client, id: string): Promise<void> {
  return client.delete(`${BASE}/queries/${encodeURIComponent(id)}`, () => undefined);
}

function parseRunning(item: unknown): RunningQuery {
  const record = readObject(item, 'a query');
  return {
    id: readText(record, 'id'),
    user: readTextOrDefault(record, 'user', ''),
    userLabel: readTextOrDefault(record, 'userLabel', ''),
    viewer: readTextOrDefault(record, 'viewer', ''),
    operation: readTextOrDefault(record, 'operation', ''),
    warehouse: readText(record, 'warehouse'),
    sql: readText(record, 'sql'),
    startedAt: readTime(record, 'startedAt'),
    durationMs: Number(record.durationMs),
  };
}

function parseSlow(item: unknown): SlowQuery {
  const record = readObject(item, 'a query');
  const plan = readTextOrDefault(record, 'plan', '');
  return { ...parseRunning(item), outcome: readText(record, 'outcome'), plan: plan === '' ? undefined : plan };
}
