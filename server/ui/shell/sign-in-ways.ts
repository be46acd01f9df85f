import type { Client } from '../api-client/client.ts';
import { readObject, readText } from '../api-client/json.ts';

/** Names an identity provider and the path of its sign-in. */
export interface SingleSignOn {
  readonly label: string;
  readonly path: string;
}

export interface SignInWays {
  readonly singleSignOn: SingleSignOn | undefined;
  /** The reason of the failed sign-in, for the user. */
  readonly refusal: string | undefined;
}

/** The query parameter of a page that contains the code of a failed sign-in. */
const REFUSAL = 'sign-in';

/** Reads the ways to sign in, and the message for the code of a failed sign-in. */
export function readSignInWays(client: Client, refusal: string | undefined): Promise<SignInWays> {
  const query = refusal === undefined ? '' : `?${new URLSearchParams({ refusal })}`;
  return client.get(`/login/ways${query}`, parseWays);
}

/** Returns the code of a failed sign-in from the page's address. */
export function readRefusal(search: string): string | undefined {
  return new URLSearchParams(search).get(REFUSAL) ?? undefined;
}

/** Removes that code from a page's address, so that its message appears once. */
export function removeRefusal(address: string): string {
  const url = new URL(address);
  url.searchParams.delete(REFUSAL);
  return url.pathname + url.search + url.hash;
}

/** Returns the address of the provider's sign-in, which leads back to the page. */
export function buildSingleSignOnAddress({ path }: SingleSignOn, page: string): string {
  const { pathname, search, hash } = new URL(page);
  return `${path}?${new URLSearchParams({ next: pathname + search + hash })}`;
}

function parseWays(json: unknown): SignInWays {
  const record = readObject(json, 'the ways to sign in');
  const way = record.singleSignOn === null ? undefined : readObject(record.singleSignOn, 'singleSignOn');
  return {
    singleSignOn: way === undefined ? undefined : { label: readText(way, 'label'), path: readText(way, 'path') },
    refusal: record.refusal === undefined ? undefined : readText(record, 'refusal'),
  };
}
