import { plural } from '../../../router/plural.ts';
import type { Client } from '../api-client/client.ts';
import { boolean, list, object, oneOf, text } from '../api-client/json.ts';

export type DatasourceStatus = 'READY' | 'BROKEN' | 'STALE' | 'DISABLED' | 'UNSUPPORTED';

export interface DatasourceProblem {
  readonly message: string;
  readonly line: number | undefined;
  readonly severity: string;
}

export interface DatasourceEntry {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly status: DatasourceStatus;
  readonly problems: readonly DatasourceProblem[];
}

const PATH = '/rest/service/api/admin/datasources';
/** What needs a hand comes first. */
const STATUSES_BY_URGENCY: readonly DatasourceStatus[] = ['BROKEN', 'STALE', 'UNSUPPORTED', 'READY', 'DISABLED'];

export function readDatasources(client: Client, signal: AbortSignal): Promise<readonly DatasourceEntry[]> {
  return client.get(PATH, parseDatasources, signal);
}

/** Has the server read all descriptors and documents again. */
export function refreshDatasources(client: Client, signal: AbortSignal): Promise<readonly DatasourceEntry[]> {
  return client.post(`${PATH}/refresh`, undefined, parseDatasources, signal);
}

export function parseDatasources(json: unknown): readonly DatasourceEntry[] {
  const entries = list(json, 'the list of datasources', (item): DatasourceEntry => {
    const of = object(item, 'a datasource');
    return {
      id: text(of, 'id'),
      name: text(of, 'name'),
      type: text(of, 'type'),
      enabled: boolean(of, 'enabled'),
      status: oneOf(of, 'status', STATUSES_BY_URGENCY),
      problems: list(of.problems, 'problems', parseProblem),
    };
  });
  const urgency = ({ status }: DatasourceEntry): number => STATUSES_BY_URGENCY.indexOf(status);
  return [...entries].sort((a, b) => urgency(a) - urgency(b) || a.name.localeCompare(b.name));
}

function parseProblem(item: unknown): DatasourceProblem {
  const of = object(item, 'a problem');
  return {
    message: text(of, 'message'),
    line: typeof of.line === 'number' ? of.line : undefined,
    severity: text(of, 'severity'),
  };
}

/** Counts the datasources, as "3 datasources, 1 broken": what is broken or out of date is counted, the rest is not. */
export function summarizeDatasources(entries: readonly DatasourceEntry[]): string {
  const count = (status: DatasourceStatus): number => entries.filter((entry) => entry.status === status).length;
  const parts = [`${entries.length} ${plural(entries.length, 'datasource')}`];
  if (count('BROKEN') > 0) parts.push(`${count('BROKEN')} broken`);
  if (count('STALE') > 0) parts.push(`${count('STALE')} out of date`);
  return parts.join(', ');
}
