/** Verifies the tokens of embeds that a host page's server signs (RFC 7519), by the rules of RFC 8725. */
import { decodeProtectedHeader, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { EmbedSignatures, SignedClaims } from '../../router/capabilities/embed-signatures.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import { type AddressGuard, openKeySet } from './key-set.ts';
import type { SignatureSettings } from './read-settings.ts';

/** A shared secret verifies only HS256, a public key never: a public key must not be used as a secret. */
const SECRET_ALGORITHMS = ['HS256'];
const KEY_PAIR_ALGORITHMS = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];

/** Difference between the clocks of two machines. */
const CLOCK_TOLERANCE_MS = 60_000;

export interface SignatureDependencies {
  readonly guard: AddressGuard;
  readonly clock: Clock;
  readonly log: Log;
  readonly tenantNamed: (name: string) => Promise<TenantId | undefined>;
}

/** Opens the verification of tokens that hosts sign. */
export function openSignatures(
  { secret, jwks, issuer, audience, owners, tenant }: SignatureSettings,
  { guard, clock, log, tenantNamed }: SignatureDependencies,
): EmbedSignatures {
  const keySet = jwks === undefined ? undefined : openKeySet({ place: jwks, guard, clock });
  return {
    owners,
    tenant: () => tenantNamed(tenant),
    async verify(token) {
      try {
        return claimsOf(await payloadOf(token), clock());
      } catch (error) {
        log.debug({ err: error }, 'signed embed token refused');
        return undefined;
      }
    },
  };

  async function payloadOf(token: string): Promise<JWTPayload> {
    const { alg } = decodeProtectedHeader(token);
    const isShared = alg === 'HS256';
    const key: Uint8Array | JWTVerifyGetKey | undefined = isShared ? secret : keySet;
    if (key === undefined) throw new Error(`no key is configured for the algorithm ${alg}`);
    const options = {
      issuer,
      audience,
      algorithms: isShared ? SECRET_ALGORITHMS : KEY_PAIR_ALGORITHMS,
      requiredClaims: ['sub', 'aud', 'iss', 'iat', 'exp'],
      currentDate: new Date(clock()),
    };
    const { payload } = await (typeof key === 'function'
      ? jwtVerify(token, key, options)
      : jwtVerify(token, key, options));
    return payload;
  }
}

function claimsOf(claims: JWTPayload, now: number): SignedClaims {
  const { iat = Number.NaN, exp = Number.NaN } = claims;
  const [issuedAtMillis, expiresAtMillis] = [iat * 1_000, exp * 1_000];
  const isOfTime = issuedAtMillis <= now + CLOCK_TOLERANCE_MS && expiresAtMillis > issuedAtMillis;
  if (!isOfTime) throw new Error('iat is in the future, or exp is not after it');
  return { claims, issuedAtMillis, expiresAtMillis };
}
