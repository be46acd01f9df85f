import type { Client } from '../api-client/client.ts';
import { readBoolean, readList, readObject, readOption, readText } from '../api-client/json.ts';

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
/** The statuses in the order of urgency. */
const STATUSES_BY_URGENCY: readonly DatasourceStatus[] = ['BROKEN', 'STALE', 'UNSUPPORTED', 'READY', 'DISABLED'];

export function readDatasources(client: Client, signal: AbortSignal): Promise<readonly DatasourceEntry[]> {
  return client.get(PATH, parseDatasources, signal);
}

export function parseDatasources(json: unknown): readonly DatasourceEntry[] {
  const entries = readList(json, 'the list of datasources', (item): DatasourceEntry => {
    const record = readObject(item, 'a datasource');
    return {
      id: readText(record, 'id'),
      name: readText(record, 'name'),
      type: readText(record, 'type'),
      enabled: readBoolean(record, 'enabled'),
      status: readOption(record, 'status', STATUSES_BY_URGENCY),
      problems: readList(record.problems, 'problems', parseProblem),
    };
  });
  const urgency = ({ status }: DatasourceEntry): number => STATUSES_BY_URGENCY.indexOf(status);
  return [...entries].sort((a, b) => urgency(a) - urgency(b) || a.name.localeCompare(b.name));
}

function parseProblem(item: unknown): DatasourceProblem {
  const record = readObject(item, 'a problem');
  return {
    message: readText(record, 'message'),
    line: typeof record.line === 'number' ? record.line : undefined,
    severity: readText(record, 'severity'),
  };
}
