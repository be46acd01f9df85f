import type { Client } from '../api-client/client.ts';
import {
  readBoolean,
  readList,
  readObject,
  readOption,
  readText,
  readTextOrDefault,
  readTime,
} from '../api-client/json.ts';
import { DOCUMENT_KINDS, type DocumentEntry, type DocumentKind } from '../documents/document-entries.ts';

/** Describes a token by which other pages read a document, as the server lists it to its owner. */
export interface TokenEntry {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly path: string;
  /** Empty for none. */
  readonly label: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revoked: boolean;
  /** Undefined for a token that was never used. Exact to the minute. */
  readonly lastUsedAt: Date | undefined;
}

export interface PublicGrant {
  readonly kind: DocumentKind;
  readonly path: string;
  /** The user who made it public. */
  readonly owner: string;
  readonly isOwn: boolean;
  readonly createdAt: Date;
}

export interface MintedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Limits of the server, in hours. */
export const TTL_HOURS_LIMIT = { min: 1, max: 720, default: 72 } as const;

const TOKENS = '/rest/service/api/embed/tokens';
const PUBLIC = '/rest/service/api/embed/public';

/** Reads the user's tokens of all documents, the newest first. */
export function readTokens(client: Client): Promise<readonly TokenEntry[]> {
  return client.get(TOKENS, parseTokens);
}

/** Reads the public grants of all documents that the user may read. */
export function readGrants(client: Client): Promise<readonly PublicGrant[]> {
  return client.get(`${PUBLIC}?others=true`, parseGrants);
}

export function mintToken(
  client: Client,
  { kind, path }: Pick<DocumentEntry, 'kind' | 'path'>,
  { label, ttlHours }: { readonly label: string; readonly ttlHours: number },
): Promise<MintedToken> {
  return client.post(
    TOKENS,
    { resourceKind: kind, resourcePath: path, ttlHours, ...(label === '' ? {} : { label }) },
    parseMinted,
  );
}

export function revokeToken(client: Client, id: string): Promise<void> {
  return client.delete(`${TOKENS}/${encodeURIComponent(id)}`, () => undefined);
}

export function makePublic(client: Client, { kind, path }: DocumentEntry): Promise<void> {
  return client.post(PUBLIC, { resourceKind: kind, resourcePath: path }, () => undefined);
}

export function endPublic(client: Client, { kind, path }: DocumentEntry): Promise<void> {
  return client.delete(`${PUBLIC}?${new URLSearchParams({ kind, path })}`, () => undefined);
}

export function parseTokens(json: unknown): readonly TokenEntry[] {
  return readList(json, 'the list of tokens', (item): TokenEntry => {
    const record = readObject(item, 'a token');
    return {
      id: readText(record, 'id'),
      kind: readOption(record, 'resourceKind', DOCUMENT_KINDS),
      path: readText(record, 'resourcePath'),
      label: readTextOrDefault(record, 'label', ''),
      createdAt: readTime(record, 'createdAt'),
      expiresAt: readTime(record, 'expiresAt'),
      revoked: readBoolean(record, 'revoked'),
      lastUsedAt: record.lastUsedAt === null ? undefined : readTime(record, 'lastUsedAt'),
    };
  });
}

export function parseGrants(json: unknown): readonly PublicGrant[] {
  return readList(json, 'the list of public grants', (item): PublicGrant => {
    const record = readObject(item, 'a public grant');
    return {
      kind: readOption(record, 'resourceKind', ['query', 'dashboard']),
      path: readText(record, 'resourcePath'),
      owner: readText(record, 'owner'),
      isOwn: readBoolean(record, 'isOwn'),
      createdAt: readTime(record, 'createdAt'),
    };
  });
}

function parseMinted(json: unknown): MintedToken {
  const record = readObject(json, 'the new token');
  return { token: readText(record, 'token'), expiresAt: readTime(record, 'expiresAt') };
}
