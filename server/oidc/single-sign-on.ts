import * as openid from 'openid-client';
import { z } from 'zod';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { Vault } from '../../router/capabilities/vault.ts';
import { type ExternalAccounts, SignInRefusedError, type User } from '../identity/index.ts';
import { type Claims, externalIdentity } from './claims.ts';
import { type Provider, ProviderUnreachableError } from './provider.ts';
import { returnPath } from './return-path.ts';
import type { OidcSettings } from './settings.ts';

/** The path at which a browser starts to sign in with the provider, and the path of the callback. */
export const SIGN_ON_PATH = '/login/oidc';
export const CALLBACK_PATH = '/login/oidc/callback';

/** Maximum time of a user at the provider. */
export const ATTEMPT_SECONDS = 600;

const COOKIE_PREFIX = 'SERVICE_OIDC_';
const SEALED_AS = 'oidc sign-in';

/** The encrypted state that a browser keeps while it is at the provider: any node can finish a sign-in. */
const Attempt = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  until: z.number(),
});

export interface StartedSignIn {
  /** The page of the provider. */
  readonly location: string;
  readonly cookie: { readonly name: string; readonly value: string };
}

interface Dependencies {
  readonly settings: OidcSettings & { readonly clientId: string };
  readonly provider: Provider;
  readonly accounts: ExternalAccounts;
  /** The vault, with the same key on all nodes. */
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
}

/** Sign-in with the authorization code flow and PKCE (OpenID Connect Core 1.0, section 3.1; RFC 7636). */
export class SingleSignOn {
  readonly #parts: Dependencies;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  get label(): string {
    return this.#parts.settings.label;
  }

  /**
   * Starts a sign-in that returns to a page of this server.
   *
   * @throws SignInRefusedError `unavailable`
   */
  async begin(returnTo: string): Promise<StartedSignIn> {
    const { configuration } = await this.#facts();
    const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()];
    const location = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      scope: this.#parts.settings.scopes,
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const until = this.#parts.clock() + ATTEMPT_SECONDS * 1_000;
    const path = returnPath(returnTo, this.#parts.settings.publicUrl);
    const attempt: z.output<typeof Attempt> = { state, nonce, verifier, returnTo: path, until };
    return {
      location: location.href,
      cookie: { name: cookieOf(state), value: this.#parts.vault.seal(JSON.stringify(attempt), SEALED_AS) },
    };
  }

  /** Returns the name of the cookie of the sign-in that a provider's answer belongs to. */
  cookieFor(answer: URLSearchParams): string {
    return cookieOf(answer.get('state') ?? '');
  }

  /**
   * Finishes a sign-in with the provider's answer from the browser.
   *
   * @throws SignInRefusedError
   */
  async finish(answer: URLSearchParams, sealed: string | undefined): Promise<{ user: User; returnTo: string }> {
    const attempt = this.#attempt(sealed);
    if (attempt === undefined || attempt.state !== answer.get('state')) throw new SignInRefusedError('expired');
    const { configuration } = await this.#facts();
    const claims = await this.#claims(configuration, answer, attempt);
    const user = await this.#parts.accounts.resolve(
      this.#parts.settings.issuer,
      externalIdentity(claims, this.#parts.settings.claims),
    );
    return { user, returnTo: attempt.returnTo };
  }

  #attempt(sealed: string | undefined): z.output<typeof Attempt> | undefined {
    const text = sealed === undefined ? undefined : this.#parts.vault.open(sealed, SEALED_AS);
    if (text === undefined) return undefined;
    const attempt = Attempt.parse(JSON.parse(text));
    return this.#parts.clock() < attempt.until ? attempt : undefined;
  }

  async #claims(
    configuration: openid.Configuration,
    answer: URLSearchParams,
    { state, nonce, verifier }: z.output<typeof Attempt>,
  ): Promise<Claims> {
    const url = new URL(this.#redirectUri);
    url.search = answer.toString();
    try {
      const tokens = await openid.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new SignInRefusedError('rejected');
      if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
      // Many providers report groups only there.
      const userInfo = await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return { ...userInfo, ...claims };
    } catch (cause) {
      throw this.#refusal(cause);
    }
  }

  #refusal(cause: unknown): SignInRefusedError {
    if (cause instanceof SignInRefusedError) return cause;
    // The provider reports that the person or the provider itself declined (RFC 6749, section 4.1.2.1).
    if (cause instanceof openid.AuthorizationResponseError && cause.error === 'access_denied')
      return new SignInRefusedError('denied', { cause });
    this.#parts.log.warn({ err: cause }, 'a sign-in with the identity provider has failed');
    return new SignInRefusedError(isOutage(cause) ? 'unavailable' : 'rejected', { cause });
  }

  async #facts() {
    try {
      return await this.#parts.provider.facts();
    } catch (cause) {
      if (!(cause instanceof ProviderUnreachableError)) throw cause;
      this.#parts.log.warn({ err: cause }, 'the identity provider cannot be reached');
      throw new SignInRefusedError('unavailable', { cause });
    }
  }

  get #redirectUri(): string {
    return this.#parts.settings.publicUrl + CALLBACK_PATH;
  }
}

/** Returns whether a call of the provider failed without an answer, in contrast to a wrong answer. */
function isOutage(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  // `fetch` throws a TypeError without a connection; an answer that violates OAuth has it as its cause.
  if (cause instanceof TypeError || cause.name === 'TimeoutError' || cause.cause instanceof TypeError) return true;
  return cause.cause instanceof Response && cause.cause.status >= 500;
}

/** Names the cookie of one sign-in, so that several tabs do not overwrite one another's. */
function cookieOf(state: string): string {
  return COOKIE_PREFIX + state.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 12);
}
