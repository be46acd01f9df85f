/** Tokens of embeds that the host page's server signs. The state has none of them, but those that were revoked. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { PathText } from '../../router/bounded.ts';
import { AttributesSchema, attributesFrom } from '../../router/capabilities/attributes.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { EmbedSignatures, SignedClaims } from '../../router/capabilities/embed-signatures.ts';
import { type Accounts, isAdministrator, type Scope, type TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import { DocumentKind } from '../repository/index.ts';
import type { Resource } from './schemas.ts';
import { asViewer, type EmbedTables } from './tables.ts';

/** Most characters of a signed token; a longer one is refused unread. */
export const MAX_SIGNED_LENGTH = 16_384;
/** Longest time from `iat` to `exp`. */
const MAX_SIGNED_LIFE_MS = 24 * 3_600_000;
const MAX_RESOURCES = 100;
const JTI_PREFIX = 'jti:';

/** Returns whether a token is a JSON Web Token, or names one by its `jti`; no token of the state has either form. */
export function looksSigned(token: string): boolean {
  return token.startsWith(JTI_PREFIX) || /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);
}

const SignedResource = z.object({ kind: DocumentKind, path: PathText.min(1) });

/** The claims that a token of an embed has besides its times, issuer and audience. */
const ViewerClaims = z
  .object({
    sub: z.string().min(1).max(200),
    owner: z.string().min(1).max(200),
    resource: SignedResource.optional(),
    resources: z.array(SignedResource).max(MAX_RESOURCES).optional(),
    attributes: AttributesSchema.default({}),
    jti: z.string().min(1).max(200).optional(),
  })
  .transform(({ resource, resources = [], attributes, ...claims }) => ({
    ...claims,
    attributes: attributesFrom(attributes),
    resources: resource === undefined ? resources : [resource, ...resources],
  }));

interface Dependencies {
  readonly signatures: EmbedSignatures | undefined;
  readonly accounts: Accounts;
  readonly state: State;
  readonly clock: Clock;
}

export class SignedTokens {
  readonly #parts: Dependencies;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /**
   * Returns the scope of a token's viewer, if the token opens this very resource now; `undefined` in every other case.
   *
   * @param named the tenant that the path of the read names, if it names one
   */
  async open(token: string, resource: Resource, named: TenantId | undefined): Promise<Scope | undefined> {
    const { signatures, accounts, state } = this.#parts;
    const verified = await this.#verified(token);
    const tenant = await signatures?.tenant();
    if (signatures === undefined || verified === undefined || tenant === undefined) return undefined;
    const { issuedAtMillis, viewer } = verified;
    const isOwner = signatures.owners.has(viewer.owner);
    const opens = viewer.resources.some(({ kind, path }) => kind === resource.kind && path === resource.path);
    if (!isOwner || !opens || (named !== undefined && named !== tenant)) return undefined;
    const account = await accounts.find(tenant, viewer.owner);
    // A name that was given to somebody new does not read for tokens that were signed for its earlier bearer.
    if (account === undefined || account.createdAtMillis > issuedAtMillis + MILLIS_OF_IAT) return undefined;
    if (viewer.jti !== undefined && (await isRevoked(state, tenant, viewer.jti))) return undefined;
    return asViewer({ tenant, user: viewer.owner, roles: account.roles }, { id: viewer.sub }, viewer.attributes, false);
  }

  /**
   * Revokes a signed token by its text, or by `jti:` and its `jti`. Only its owner and administrators of the tenant may.
   * Returns false for a token without a `jti`, which ends when it expires.
   */
  async revoke(caller: Scope, text: string): Promise<boolean> {
    const tenant = await this.#parts.signatures?.tenant();
    if (tenant === undefined || caller.tenant !== tenant) return false;
    const jti = text.startsWith(JTI_PREFIX)
      ? await this.#jtiNamed(caller, text.slice(JTI_PREFIX.length))
      : await this.#jtiOf(caller, text);
    if (jti === undefined) return false;
    const { state, clock } = this.#parts;
    const now = clock();
    const tables = state.tables<EmbedTables>();
    await tables
      .insertInto('revoked_signed_tokens')
      .values({ tenant_id: tenant, jti_hash: hashOfJti(jti), revoked_at: now })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'jti_hash']).doNothing())
      .execute();
    // By then, every token of that time has expired.
    await tables
      .deleteFrom('revoked_signed_tokens')
      .where('revoked_at', '<', now - 2 * MAX_SIGNED_LIFE_MS)
      .execute();
    return true;
  }

  async #jtiNamed(caller: Scope, jti: string): Promise<string | undefined> {
    return isAdministrator(caller) && jti !== '' && jti.length <= 200 ? jti : undefined;
  }

  async #jtiOf(caller: Scope, token: string): Promise<string | undefined> {
    const verified = await this.#verified(token);
    if (verified === undefined) return undefined;
    const { owner, jti } = verified.viewer;
    return isAdministrator(caller) || owner === caller.user ? jti : undefined;
  }

  async #verified(token: string): Promise<VerifiedToken | undefined> {
    const { signatures } = this.#parts;
    if (signatures === undefined || token.length > MAX_SIGNED_LENGTH) return undefined;
    const signed = await signatures.verify(token);
    if (signed === undefined || signed.expiresAtMillis - signed.issuedAtMillis > MAX_SIGNED_LIFE_MS) return undefined;
    const viewer = ViewerClaims.safeParse(signed.claims);
    return viewer.success ? { ...signed, viewer: viewer.data } : undefined;
  }
}

interface VerifiedToken extends SignedClaims {
  readonly viewer: z.output<typeof ViewerClaims>;
}

/** `iat` has whole seconds, and an account is made at a millisecond. */
const MILLIS_OF_IAT = 1_000;

async function isRevoked(state: State, tenant: TenantId, jti: string): Promise<boolean> {
  const row = await state
    .tables<EmbedTables>()
    .selectFrom('revoked_signed_tokens')
    .select('jti_hash')
    .where('tenant_id', '=', tenant)
    .where('jti_hash', '=', hashOfJti(jti))
    .executeTakeFirst();
  return row !== undefined;
}

function hashOfJti(jti: string): string {
  return createHash('sha256').update(jti).digest('base64url');
}
