/** The requests of scheduled refreshes. */
import type { Client } from '../api-client/client.ts';
import { readBoolean, readList, readObject, readText, readTextOrDefault, readTime } from '../api-client/json.ts';
import { inWords } from '../words/server-words.ts';
import { type Comparison, parseComparison } from './change-requests.ts';

const REFRESHES = '/rest/service/api/admin/data/refreshes';

export interface RefreshEntry {
  readonly id: string;
  readonly name: string;
  /** Empty where the data comes from elsewhere. */
  readonly folder: string;
  /** The id of the connection that tables are copied from; empty where the data comes from elsewhere. */
  readonly connection: string;
  readonly links: readonly string[];
  /** The roll-up that is refreshed; empty where the data of the model is. */
  readonly rollup: string;
  readonly everyMinutes: number | undefined;
  /** A time of day, `06:30`, in the time zone. */
  readonly at: string;
  readonly timeZone: string;
  readonly isPaused: boolean;
  readonly isRunning: boolean;
  readonly nextRun: Date | undefined;
  readonly lastRun: Date | undefined;
  readonly isFailed: boolean;
  /** Whether the files that were last read have a comparison. */
  readonly isCompared: boolean;
  readonly message: string;
}

export type RefreshSource = 'folder' | 'links' | 'connection';

export interface NewRefresh {
  readonly datasource: string;
  readonly source: RefreshSource;
  readonly folder?: string;
  readonly connection?: string;
  readonly everyMinutes?: number;
  readonly at?: string;
  readonly timeZone?: string;
}

export function parseRefresh(item: unknown): RefreshEntry {
  const record = readObject(item, 'a refresh');
  return {
    id: readText(record, 'id'),
    name: readText(record, 'name'),
    folder: readTextOrDefault(record, 'folder', ''),
    connection: readTextOrDefault(record, 'connection', ''),
    links: readList(record.links, 'links', String),
    rollup: readTextOrDefault(record, 'rollup', ''),
    everyMinutes: typeof record.everyMinutes === 'number' ? record.everyMinutes : undefined,
    at: readTextOrDefault(record, 'at', ''),
    timeZone: readTextOrDefault(record, 'timeZone', ''),
    isPaused: readBoolean(record, 'isPaused'),
    isRunning: readBoolean(record, 'isRunning'),
    nextRun: record.nextRun === null ? undefined : readTime(record, 'nextRun'),
    lastRun: record.lastRun === null ? undefined : readTime(record, 'lastRun'),
    isFailed: record.lastResult === 'failed',
    isCompared: readBoolean(record, 'isCompared'),
    message: inWords(readTextOrDefault(record, 'lastMessage', '')),
  };
}

/** Returns what the files of the last run changed. */
export function readComparison(client: Client, id: string, signal: AbortSignal): Promise<Comparison> {
  return client.get(`${REFRESHES}/${encodeURIComponent(id)}/comparison`, parseComparison, signal);
}

export function addRefresh(client: Client, refresh: NewRefresh): Promise<void> {
  return client.post(REFRESHES, refresh, () => undefined);
}

export function changeRefresh(client: Client, id: string, action: 'run' | 'pause' | 'resume'): Promise<void> {
  return client.post(`${REFRESHES}/${encodeURIComponent(id)}/${action}`, undefined, () => undefined);
}

export function removeRefresh(client: Client, id: string): Promise<void> {
  return client.delete(`${REFRESHES}/${encodeURIComponent(id)}`, () => undefined);
}
