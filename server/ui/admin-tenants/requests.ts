import type { Client } from '../api-client/client.ts';
import { readList, readObject, readText, readTime } from '../api-client/json.ts';

const TENANTS = '/rest/service/api/admin/tenants';

export interface TenantEntry {
  readonly id: string;
  readonly name: string;
  readonly tier: string;
  readonly createdAt: Date;
}

export function readTenants(client: Client, signal: AbortSignal): Promise<readonly TenantEntry[]> {
  return client.get(TENANTS, (json) => readList(json, 'the list of tenants', parseTenant), signal);
}

export function createTenant(client: Client, name: string): Promise<void> {
  return client.post(TENANTS, { name }, () => undefined);
}

/** Removes a tenant. Without `isForced`, one with contents is refused with a list of them. */
export function removeTenant(client: Client, name: string, isForced: boolean): Promise<void> {
  return client.delete(`${TENANTS}/${encodeURIComponent(name)}${isForced ? '?force=true' : ''}`, () => undefined);
}

function parseTenant(item: unknown): TenantEntry {
  const record = readObject(item, 'a tenant');
  return {
    id: readText(record, 'id'),
    name: readText(record, 'name'),
    tier: readText(record, 'tier'),
    createdAt: readTime(record, 'createdAt'),
  };
}
