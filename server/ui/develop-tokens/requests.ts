import type { Client } from '../api-client/client.ts';
import {
  isObject,
  readBoolean,
  readList,
  readObject,
  readOption,
  readText,
  readTextOrDefault,
  readTime,
} from '../api-client/json.ts';
import { DOCUMENT_KINDS, type DocumentKind } from '../documents/document-entries.ts';

const TOKENS = '/rest/service/api/embed/tokens';
const PUBLIC = '/rest/service/api/embed/public';

export interface TokenEntry {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly path: string;
  /** Empty for none. */
  readonly label: string;
  readonly owner: string;
  /** The person that the token is for, by the host's name; empty for a token for anybody. */
  readonly viewer: string;
  readonly expiresAt: Date;
  readonly isRevoked: boolean;
  /** Exact to the minute; undefined for a token that was never used. */
  readonly lastUsedAt: Date | undefined;
}

export interface GrantEntry {
  readonly kind: DocumentKind;
  readonly path: string;
  readonly owner: string;
  readonly createdAt: Date;
}

export interface Embeds {
  readonly tokens: readonly TokenEntry[];
  readonly grants: readonly GrantEntry[];
}

/** Reads the user's tokens and public grants; an administrator reads all of the tenant. */
export async function readEmbeds(client: Client, isAdministrator: boolean, signal: AbortSignal): Promise<Embeds> {
  const [tokens, grants] = await Promise.all([
    client.get(
      `${TOKENS}${isAdministrator ? '?all=true' : ''}`,
      (json) => readList(json, 'the tokens', parseToken),
      signal,
    ),
    client.get(PUBLIC, (json) => readList(json, 'the public documents', parseGrant), signal),
  ]);
  return { tokens, grants };
}

export function revokeToken(client: Client, id: string): Promise<void> {
  return client.delete(`${TOKENS}/${encodeURIComponent(id)}`, () => undefined);
}

export function endPublicAccess(client: Client, { kind, path }: GrantEntry): Promise<void> {
  return client.delete(`${PUBLIC}?${new URLSearchParams({ kind, path })}`, () => undefined);
}

function parseToken(item: unknown): TokenEntry {
  const record = readObject(item, 'a token');
  return {
    id: readText(record, 'id'),
    kind: readOption(record, 'resourceKind', DOCUMENT_KINDS),
    path: readText(record, 'resourcePath'),
    label: readTextOrDefault(record, 'label', ''),
    owner: readText(record, 'owner'),
    viewer: isObject(record.viewer) ? readText(record.viewer, 'id') : '',
    expiresAt: readTime(record, 'expiresAt'),
    isRevoked: readBoolean(record, 'revoked'),
    lastUsedAt: record.lastUsedAt === null ? undefined : readTime(record, 'lastUsedAt'),
  };
}

function parseGrant(item: unknown): GrantEntry {
  const record = readObject(item, 'a public document');
  return {
    kind: readOption(record, 'resourceKind', DOCUMENT_KINDS),
    path: readText(record, 'resourcePath'),
    owner: readText(record, 'owner'),
    createdAt: readTime(record, 'createdAt'),
  };
}
