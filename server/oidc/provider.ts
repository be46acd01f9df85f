import type { JWTVerifyGetKey } from 'jose';
import { createRemoteJWKSet } from 'jose';
import * as openid from 'openid-client';
import type { Clock } from '../../router/capabilities/clock.ts';
import { SingleFlight } from '../../router/single-flight.ts';
import type { OidcSettings } from './settings.ts';

const TIMEOUT_SECONDS = 5;
/** Time after which changed endpoints of a provider are noticed. */
const FRESH_MS = 60 * 60_000;
/** Time after a failure during which calls fail at once, without another time-out. */
const RETRY_MS = 5_000;

/** The provider's metadata and keys. */
export interface ProviderFacts {
  readonly configuration: openid.Configuration;
  /** Finds the key of a token; fetches the keys again for an unknown key, at most twice a minute. */
  readonly keys: JWTVerifyGetKey;
}

/** Signals that the provider's document could not be read. */
export class ProviderUnreachableError extends Error {
  override readonly name = 'ProviderUnreachableError';
}

/** The identity provider. Its endpoints are read on first use, so that the service starts without it. */
export class Provider {
  readonly #settings: OidcSettings;
  readonly #clock: Clock;
  readonly #flight = new SingleFlight<ProviderFacts>();
  #facts: { readonly facts: ProviderFacts; readonly until: number } | undefined;
  #failed: { readonly error: ProviderUnreachableError; readonly until: number } | undefined;

  constructor(settings: OidcSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** @throws ProviderUnreachableError */
  async facts(): Promise<ProviderFacts> {
    const now = this.#clock();
    if (this.#facts !== undefined && now < this.#facts.until) return this.#facts.facts;
    if (this.#failed !== undefined && now < this.#failed.until) return this.#kept(this.#failed.error);
    return this.#flight.run('', undefined, async () => {
      try {
        const facts = await this.#discover();
        this.#facts = { facts, until: this.#clock() + FRESH_MS };
        this.#failed = undefined;
        return facts;
      } catch (cause) {
        const error = new ProviderUnreachableError('the identity provider does not answer', { cause });
        this.#failed = { error, until: this.#clock() + RETRY_MS };
        return this.#kept(error);
      }
    });
  }

  /** Returns the endpoints of the last read: outdated ones are better than none. */
  #kept(error: ProviderUnreachableError): ProviderFacts {
    if (this.#facts === undefined) throw error;
    return this.#facts.facts;
  }

  async #discover(): Promise<ProviderFacts> {
    const { issuer, clientId, clientSecret, publicUrl } = this.#settings;
    const server = new URL(issuer);
    const configuration = await openid.discovery(
      server,
      clientId ?? publicUrl,
      {},
      clientSecret === undefined ? openid.None() : openid.ClientSecretBasic(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        execute: [
          // The library would trust the connection to the token endpoint; with this it verifies tokens' signatures, too.
          openid.enableNonRepudiationChecks,
          // `oidcSettings` allows http only for loopback.
          ...(server.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
        ],
      },
    );
    const { jwks_uri: keys } = configuration.serverMetadata();
    if (keys === undefined) throw new Error('the identity provider names no jwks_uri');
    return {
      configuration,
      keys: createRemoteJWKSet(new URL(keys), { timeoutDuration: TIMEOUT_SECONDS * 1_000 }),
    };
  }
}
