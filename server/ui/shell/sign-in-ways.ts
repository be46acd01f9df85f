import type { Client } from '../api-client/client.ts';
import { object, text } from '../api-client/json.ts';

/** Where people sign in who have an account at an identity provider. */
export interface SingleSignOn {
  readonly label: string;
  readonly path: string;
}

export interface SignInWays {
  readonly singleSignOn: SingleSignOn | undefined;
  /** Why the sign-in that was asked about has failed, for people. */
  readonly refusal: string | undefined;
}

/** The member of a page's query in which the server says why a sign-in has failed. */
const REFUSAL = 'sign-in';

/** Asks the server how people sign in, and what the code of a failed sign-in says. */
export function signInWays(client: Client, refusal: string | undefined): Promise<SignInWays> {
  const query = refusal === undefined ? '' : `?${new URLSearchParams({ refusal })}`;
  return client.get(`/login/ways${query}`, parseWays);
}

/** Returns the code of a failed sign-in that the address of the page holds. */
export function refusalIn(search: string): string | undefined {
  return new URLSearchParams(search).get(REFUSAL) ?? undefined;
}

/** Returns the address of a page without that code, so that it is told once. */
export function withoutRefusal(address: string): string {
  const url = new URL(address);
  url.searchParams.delete(REFUSAL);
  return url.pathname + url.search + url.hash;
}

/** Returns the address that leads to the provider, and from there back to the page. */
export function singleSignOnAddress({ path }: SingleSignOn, page: string): string {
  const { pathname, search, hash } = new URL(page);
  return `${path}?${new URLSearchParams({ next: pathname + search + hash })}`;
}

function parseWays(json: unknown): SignInWays {
  const of = object(json, 'the ways to sign in');
  const way = of.singleSignOn === null ? undefined : object(of.singleSignOn, 'singleSignOn');
  return {
    singleSignOn: way === undefined ? undefined : { label: text(way, 'label'), path: text(way, 'path') },
    refusal: of.refusal === undefined ? undefined : text(of, 'refusal'),
  };
}
