import type { Client } from '../api-client/client.ts';
import { boolean, instant, list, object, oneOf, text, textOrDefault } from '../api-client/json.ts';
import { DOCUMENT_KINDS, type DocumentEntry, type DocumentKind } from '../documents/document-entries.ts';

/** What other pages may read a document with, as the server lists it to its owner. */
export interface TokenEntry {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly path: string;
  /** Empty for none. */
  readonly label: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revoked: boolean;
  /** Undefined for a token that was never used. True to the minute. */
  readonly lastUsedAt: Date | undefined;
}

export interface PublicGrant {
  readonly kind: DocumentKind;
  readonly path: string;
  readonly createdAt: Date;
}

export interface MintedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** What the server accepts, in hours. */
export const TTL_HOURS_LIMIT = { min: 1, max: 720, default: 72 } as const;

const TOKENS = '/rest/service/api/embed/tokens';
const PUBLIC = '/rest/service/api/embed/public';

/** Reads the user's tokens of all documents, the newest first. */
export function readTokens(client: Client): Promise<readonly TokenEntry[]> {
  return client.get(TOKENS, parseTokens);
}

/** Reads the user's public grants, of all documents. */
export function readGrants(client: Client): Promise<readonly PublicGrant[]> {
  return client.get(PUBLIC, parseGrants);
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
  return list(json, 'the list of tokens', (item): TokenEntry => {
    const of = object(item, 'a token');
    return {
      id: text(of, 'id'),
      kind: oneOf(of, 'resourceKind', DOCUMENT_KINDS),
      path: text(of, 'resourcePath'),
      label: textOrDefault(of, 'label', ''),
      createdAt: instant(of, 'createdAt'),
      expiresAt: instant(of, 'expiresAt'),
      revoked: boolean(of, 'revoked'),
      lastUsedAt: of.lastUsedAt === null ? undefined : instant(of, 'lastUsedAt'),
    };
  });
}

export function parseGrants(json: unknown): readonly PublicGrant[] {
  return list(json, 'the list of public grants', (item): PublicGrant => {
    const of = object(item, 'a public grant');
    return {
      kind: oneOf(of, 'resourceKind', ['query', 'dashboard']),
      path: text(of, 'resourcePath'),
      createdAt: instant(of, 'createdAt'),
    };
  });
}

function parseMinted(json: unknown): MintedToken {
  const of = object(json, 'the new token');
  return { token: text(of, 'token'), expiresAt: instant(of, 'expiresAt') };
}
