import type { Client } from '../api-client/client.ts';
import { readList, readObject, readOption, readText, readTextOrDefault, readTime } from '../api-client/json.ts';

const AUDIT = '/rest/service/api/admin/audit';
const PAGE_SIZE = '50';

export const AUDIT_KINDS = [
  'SIGN_IN',
  'API_KEY',
  'TOKEN',
  'GRANT',
  'QUERY',
  'CHANGE',
  'ADMINISTRATION',
  'REFUSAL',
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** What is looked for; a missing member does not limit. */
export interface AuditFilter {
  readonly kind?: AuditKind;
  readonly user?: string;
  readonly action?: string;
  readonly outcome?: string;
  readonly address?: string;
  /** ISO 8601. */
  readonly from?: string;
  readonly to?: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  /** Empty for an action without a user. */
  readonly user: string;
  /** The label of the API key; empty for users. */
  readonly userLabel: string;
  readonly via: string;
  readonly address: string;
  readonly kind: AuditKind;
  readonly action: string;
  readonly outcome: string;
  readonly target: string;
  readonly viewer: string;
  readonly rows: number | undefined;
  readonly durationMs: number | undefined;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly nextCursor: string | undefined;
}

export function readAudit(
  client: Client,
  filter: AuditFilter,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<AuditPage> {
  const parameters = new URLSearchParams({ ...filter, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) });
  return client.get(`${AUDIT}?${parameters}`, parsePage, signal);
}

function parsePage(json: unknown): AuditPage {
  const record = readObject(json, 'the audit log');
  return {
    entries: readList(record.entries, 'entries', parseEntry),
    nextCursor: record.nextCursor === undefined ? undefined : readText(record, 'nextCursor'),
  };
}

function parseEntry(item: unknown): AuditEntry {
  const record = readObject(item, 'an entry');
  return {
    id: readText(record, 'id'),
    at: readTime(record, 'at'),
    user: readTextOrDefault(record, 'user', ''),
    userLabel: readTextOrDefault(record, 'userLabel', ''),
    via: readText(record, 'via'),
    address: readText(record, 'address'),
    kind: readOption(record, 'kind', AUDIT_KINDS),
    action: readText(record, 'action'),
    outcome: readText(record, 'outcome'),
    target: readTextOrDefault(record, 'target', ''),
    viewer: readTextOrDefault(record, 'viewer', ''),
    rows: typeof record.rows === 'number' ? record.rows : undefined,
    durationMs: typeof record.durationMs === 'number' ? record.durationMs : undefined,
  };
}
