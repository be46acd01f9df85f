import type { Client } from '../api-client/client.ts';
import { readList, readObject, readText, readTime } from '../api-client/json.ts';
import type { Attributes } from '../parts/attribute-text.ts';
import { readAttributes, readTexts } from '../parts/read-attributes.ts';

const KEYS = '/rest/service/api/admin/api-keys';

export interface KeyEntry {
  readonly id: string;
  readonly label: string;
  readonly roles: readonly string[];
  readonly attributes: Attributes;
  /** The parts of the API that the key may call; undefined for all. */
  readonly scopes: readonly string[] | undefined;
  readonly createdAt: Date;
  /** Exact to the minute; undefined for a key that was never used. */
  readonly lastUsedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
}

export interface NewKey {
  readonly label: string;
  readonly roles: readonly string[];
  readonly attributes: Attributes;
  readonly scopes?: readonly string[];
  readonly expiresAt?: string;
}

export function readKeys(client: Client, signal: AbortSignal): Promise<readonly KeyEntry[]> {
  return client.get(KEYS, (json) => readList(json, 'the list of keys', parseKey), signal);
}

/** Makes a key, and returns it: no later answer contains it. */
export function createKey(client: Client, key: NewKey): Promise<string> {
  return client.post(KEYS, key, (json) => readText(readObject(json, 'the new key'), 'key'));
}

export function setKeyAttributes(client: Client, id: string, attributes: Attributes): Promise<void> {
  return client.put(`${KEYS}/${encodeURIComponent(id)}/attributes`, attributes, () => undefined);
}

export function revokeKey(client: Client, id: string): Promise<void> {
  return client.delete(`${KEYS}/${encodeURIComponent(id)}`, () => undefined);
}

function parseKey(item: unknown): KeyEntry {
  const record = readObject(item, 'a key');
  return {
    id: readText(record, 'id'),
    label: readText(record, 'label'),
    roles: readTexts(record.roles, 'roles'),
    attributes: readAttributes(record.attributes),
    scopes: record.scopes === null ? undefined : readTexts(record.scopes, 'scopes'),
    createdAt: readTime(record, 'createdAt'),
    lastUsedAt: record.lastUsedAt === null ? undefined : readTime(record, 'lastUsedAt'),
    expiresAt: record.expiresAt === null ? undefined : readTime(record, 'expiresAt'),
  };
}
