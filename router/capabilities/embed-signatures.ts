/** Tokens of embeds that the host page's server signs: JSON Web Tokens by keys that the operator names. */
import type { TenantId } from './identity.ts';

/** The checked signature and standard claims of a token. */
export interface SignedClaims {
  /** All claims. Only the signature, issuer, audience and times are checked. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly issuedAtMillis: number;
  readonly expiresAtMillis: number;
}

export interface EmbedSignatures {
  /** The tenant of the documents and owners; `undefined` where no tenant has the configured name. */
  tenant(): Promise<TenantId | undefined>;
  /** Users whom a token may name as its owner. */
  readonly owners: ReadonlySet<string>;
  /** Verifies a token; `undefined` for any that is not valid now. Never throws for a wrong token. */
  verify(token: string): Promise<SignedClaims | undefined>;
}
