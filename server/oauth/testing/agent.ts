/** An agent that signs in with the official client, and a person who answers it over REST. */
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthTokens,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { Browser } from '../../oidc/testing/browser.ts';

/** Remembers in memory what an agent keeps, and the address that it opens in a browser. */
export class TestAgent implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  information: OAuthClientInformationMixed | undefined;
  granted: OAuthTokens | undefined;
  opened: URL | undefined;
  #verifier = '';
  #discovered: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;

  constructor(redirectUrl = 'http://127.0.0.1:33418/callback') {
    this.redirectUrl = redirectUrl;
    this.clientMetadata = { client_name: 'Test agent', redirect_uris: [redirectUrl] };
  }

  state(): string {
    return 'a state of the agent';
  }
  clientInformation() {
    return this.information;
  }
  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.information = information;
  }
  tokens() {
    return this.granted;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.granted = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.opened = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  discoveryState() {
    return this.#discovered;
  }
  saveDiscoveryState(discovered: NonNullable<Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>>) {
    this.#discovered = discovered;
  }
  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'client') this.information = undefined;
    if (scope === 'all' || scope === 'tokens') this.granted = undefined;
  }
}

const Location = z.object({ location: z.string() });

/** A person who signs in at a server, and answers the requests of agents as its page does. */
export class TestPerson {
  readonly #url: string;
  readonly #browser = new Browser();

  /** @param url of the server, with its base path */
  constructor(url: string) {
    this.#url = url;
  }

  async signIn(username: string, password: string): Promise<void> {
    await this.post('/login', { username, password });
  }

  cookie(name: string): string {
    return this.#browser.cookiesOf(new URL(this.#url).origin).get(name) ?? '';
  }

  get(path: string): Promise<Response> {
    return this.#browser.fetch(new URL(this.#url + path));
  }

  /** Posts JSON with the CSRF pair, or without it. */
  post(path: string, body: object, { isPaired = true }: { readonly isPaired?: boolean } = {}): Promise<Response> {
    const url = new URL(this.#url + path);
    const token = isPaired ? this.#browser.cookiesOf(url.origin).get('XSRF-TOKEN') : undefined;
    return this.#browser.fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { 'X-XSRF-TOKEN': token }) },
      body: JSON.stringify(body),
    });
  }

  delete(path: string): Promise<Response> {
    const url = new URL(this.#url + path);
    const token = this.#browser.cookiesOf(url.origin).get('XSRF-TOKEN') ?? '';
    return this.#browser.fetch(url, { method: 'DELETE', headers: { 'X-XSRF-TOKEN': token } });
  }

  /** Answers the request in an address that an agent has opened. Returns the parameters that the agent gets. */
  async answer(opened: URL, allow = true): Promise<URLSearchParams> {
    const request = Object.fromEntries(opened.searchParams);
    const answer = await this.post('/rest/service/api/agents/request', { ...request, allow });
    return new URL(Location.parse(await answer.json()).location).searchParams;
  }
}
