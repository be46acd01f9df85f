import { errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { UserCaller } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import { UnauthenticatedError, UnavailableError } from '../../router/errors.ts';
import {
  type AccessTokenCallers,
  callerOf,
  type ExternalAccounts,
  type ExternalIdentity,
  SignInRefusedError,
  sha256,
  type User,
} from '../identity/index.ts';
import { externalIdentity } from './claims.ts';
import { type Provider, ProviderUnreachableError } from './provider.ts';
import type { OidcSettings } from './settings.ts';

/** Signature algorithms with a key pair only: a provider's public key must never be used as a shared secret (RFC 8725, section 3.1). */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

const CLOCK_TOLERANCE_SECONDS = 30;
/** Time for which a verified token is not verified again, or until it expires. */
const REMEMBERED_MS = 60_000;

interface Dependencies {
  readonly settings: OidcSettings;
  readonly provider: Provider;
  readonly accounts: ExternalAccounts;
  readonly clock: Clock;
  readonly log: Log;
}

/** Authenticates callers by access token: a JWT of the identity provider for this service (RFC 9068). */
export class AccessTokens implements AccessTokenCallers {
  readonly #parts: Dependencies;
  /** Verified tokens by their hash. Only the verification is cached; the account is read each time. */
  readonly #proved = new LRUCache<string, { readonly identity: ExternalIdentity; readonly until: number }>({
    max: 10_000,
  });

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /** Returns whether a credential has the form of a JWT, which no API key has (RFC 7519, section 3). */
  recognises(credential: string): boolean {
    return /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/.test(credential);
  }

  /**
   * Returns the token's caller.
   *
   * @throws UnauthenticatedError for an invalid token
   * @throws UnavailableError while the provider's keys cannot be read
   */
  async resolve(token: string): Promise<UserCaller> {
    const identity = await this.#proof(token);
    let user: User;
    try {
      user = await this.#parts.accounts.resolve(this.#parts.settings.issuer, identity);
    } catch (error) {
      if (error instanceof SignInRefusedError) throw new UnauthenticatedError(error.message);
      throw error;
    }
    return callerOf(user, 'access-token');
  }

  async #proof(token: string): Promise<ExternalIdentity> {
    const key = sha256(token);
    const proof = this.#proved.get(key);
    if (proof !== undefined && this.#parts.clock() < proof.until) return proof.identity;
    const payload = await this.#verified(token);
    try {
      const identity = externalIdentity(payload, this.#parts.settings.claims);
      const end = (payload.exp ?? 0) * 1_000;
      this.#proved.set(key, { identity, until: Math.min(end, this.#parts.clock() + REMEMBERED_MS) });
      return identity;
    } catch (error) {
      if (error instanceof SignInRefusedError) throw new UnauthenticatedError(error.message);
      throw error;
    }
  }

  async #verified(token: string): Promise<JWTPayload> {
    try {
      const { configuration, keys } = await this.#parts.provider.facts();
      const { payload } = await jwtVerify(token, keys, {
        issuer: configuration.serverMetadata().issuer,
        audience: [...this.#parts.settings.audiences],
        algorithms: [...ALGORITHMS],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(this.#parts.clock()),
        requiredClaims: ['exp', 'sub'],
      });
      return payload;
    } catch (cause) {
      throw this.#refusal(cause);
    }
  }

  #refusal(cause: unknown): Error {
    if (cause instanceof errors.JWTExpired) return new UnauthenticatedError('This access token has expired.');
    if (cause instanceof errors.JWTClaimValidationFailed) {
      return new UnauthenticatedError(
        cause.claim === 'aud'
          ? 'This access token is meant for another service.'
          : `This access token is not taken: its claim ${cause.claim} is wrong.`,
      );
    }
    const isUnreachable = cause instanceof ProviderUnreachableError || cause instanceof errors.JWKSTimeout;
    // Errors that jose finds in a token are the sender's; any other error concerns the keys.
    if (!isUnreachable && cause instanceof errors.JOSEError && cause.code !== 'ERR_JOSE_GENERIC')
      return new UnauthenticatedError('This access token cannot be verified.');
    this.#parts.log.warn({ err: cause }, 'the keys of the identity provider cannot be read');
    return new UnavailableError('The identity provider cannot be reached at the moment. Ask again in a moment.', {
      code: 'IDENTITY_PROVIDER_UNAVAILABLE',
      retryAfterSeconds: 5,
    });
  }
}
