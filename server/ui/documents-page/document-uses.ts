/** What uses a document: dashboards with its tiles, tokens of pages, and its public access. */
import type { Client } from '../api-client/client.ts';
import type { DocumentEntry } from '../documents/document-entries.ts';
import { type PublicGrant, readGrants, readTokens, type TokenEntry } from '../share/tokens-and-grants.ts';
import { msg, str } from '../words/words.ts';

/** The tokens and grants that the user may see. */
export interface Access {
  readonly tokens: readonly TokenEntry[];
  readonly grants: readonly PublicGrant[];
}

export interface DocumentUses {
  readonly dashboards: readonly DocumentEntry[];
  /** Tokens that open it now. */
  readonly tokens: readonly TokenEntry[];
  readonly isPublic: boolean;
}

export async function readAccess(client: Client): Promise<Access> {
  const [tokens, grants] = await Promise.all([readTokens(client), readGrants(client)]);
  return { tokens, grants };
}

export function usesOf(
  { path }: Pick<DocumentEntry, 'path'>,
  entries: readonly DocumentEntry[],
  { tokens, grants }: Access,
  now: Date,
): DocumentUses {
  return {
    dashboards: entries.filter(({ queries }) => queries?.includes(path) === true),
    tokens: tokens.filter((token) => token.path === path && !token.revoked && token.expiresAt > now),
    isPublic: grants.some((grant) => grant.path === path),
  };
}

/** Writes uses in a few words: `2 dashboards · 1 token · public`; an empty text for none. */
export function usesWords({ dashboards, tokens, isPublic }: DocumentUses): string {
  const { length: boards } = dashboards;
  const { length: pages } = tokens;
  return [
    ...(boards === 0 ? [] : [boards === 1 ? msg('1 dashboard') : msg(str`${boards} dashboards`)]),
    ...(pages === 0 ? [] : [pages === 1 ? msg('1 token') : msg(str`${pages} tokens`)]),
    ...(isPublic ? [msg('public')] : []),
  ].join(' · ');
}
