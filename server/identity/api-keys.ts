import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Attributes, AttributeValue } from '../../router/capabilities/attributes.ts';
import type { TenantId, UserCaller } from '../../router/capabilities/identity.ts';
import { compiledOnce, type RowFinder, type TextPlace } from '../../router/compiled-query.ts';
import { NotFoundError, ValidationError } from '../../router/errors.ts';
import { KEY_SCOPE_NAMES, type KeyScope } from '../../router/key-scopes.ts';
import type { IdentityDependencies } from './dependencies.ts';
import {
  attributesFromColumn,
  attributesToColumn,
  checkLabel,
  checkRoles,
  rolesFromColumn,
  rolesToColumn,
  tenantIdFromColumn,
} from './names.ts';
import { isRandomSecret, randomSecret, sha256 } from './secrets.ts';
import type { IdentityTables } from './tables.ts';
import { USER_ROLE, withAttribute } from './users.ts';

/** Prefix of every key, so that people and secret scanners recognise keys. */
const API_KEY_PREFIX = 'service_';

/** Minimum interval between two recorded uses of a key. */
const NOTED_EVERY_MS = 60_000;

export interface ApiKey {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly label: string;
  readonly roles: readonly string[];
  readonly attributes: Attributes;
  readonly createdAtMillis: number;
  /** Exact to the minute. */
  readonly lastUsedAtMillis: number | undefined;
  readonly revokedAtMillis: number | undefined;
  readonly expiresAtMillis: number | undefined;
  /** The parts of the API that the key may call; undefined for all. */
  readonly scopes: readonly KeyScope[] | undefined;
}

export interface NewApiKey {
  readonly id: string;
  /** `service_` and 256 random bits. Shown only now: the store has a hash of it. */
  readonly key: string;
  readonly tenantId: TenantId;
}

/** API keys of tenants' programs. */
export class ApiKeys {
  readonly #deps: IdentityDependencies;
  readonly #byHash: RowFinder<IdentityTables['api_keys'], 'hash'>;

  constructor(deps: IdentityDependencies) {
    this.#deps = deps;
    this.#byHash = compiledOnce(deps.state, (tables: Kysely<IdentityTables>, text: TextPlace<'hash'>) =>
      tables.selectFrom('api_keys').selectAll().where('key_hash', '=', text('hash')).where('revoked_at', 'is', null),
    );
  }

  /** @throws ValidationError at `label`, `roles[i]`, `attributes` or `expiresAt` */
  async create(request: {
    readonly tenant: TenantId;
    readonly label: string;
    /** Default: `ROLE_USER`. */
    readonly roles?: readonly string[];
    readonly attributes?: Attributes;
    readonly expiresAtMillis?: number | undefined;
    readonly scopes?: readonly KeyScope[] | undefined;
  }): Promise<NewApiKey> {
    const { tenant, label, roles = [USER_ROLE], attributes = {}, expiresAtMillis, scopes } = request;
    checkLabel('label', label);
    checkRoles(roles);
    if (expiresAtMillis !== undefined && expiresAtMillis <= this.#deps.clock())
      throw ValidationError.at(['expiresAt'], 'Give an instant in the future.');
    const id = randomUUID();
    const key = API_KEY_PREFIX + randomSecret();
    await this.#tables
      .insertInto('api_keys')
      .values({
        id,
        key_hash: sha256(key),
        tenant_id: tenant,
        label,
        roles: rolesToColumn(roles),
        attributes: attributesToColumn(attributes),
        created_at: this.#deps.clock(),
        last_used_at: null,
        revoked_at: null,
        expires_at: expiresAtMillis ?? null,
        scopes: scopes === undefined ? null : JSON.stringify([...new Set(scopes)]),
      })
      .execute();
    return { id, key, tenantId: tenant };
  }

  /** Lists the keys of one tenant or of all in the order of their creation, also revoked ones. */
  async list(tenant?: TenantId): Promise<readonly ApiKey[]> {
    let select = this.#tables.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
    if (tenant !== undefined) select = select.where('tenant_id', '=', tenant);
    return (await select.execute()).map((row) => ({
      id: row.id,
      tenantId: tenantIdFromColumn(row.tenant_id),
      label: row.label,
      roles: rolesFromColumn(row.roles),
      attributes: attributesFromColumn(row.attributes),
      createdAtMillis: row.created_at,
      lastUsedAtMillis: row.last_used_at ?? undefined,
      revokedAtMillis: row.revoked_at ?? undefined,
      expiresAtMillis: row.expires_at ?? undefined,
      scopes: scopesFromColumn(row.scopes),
    }));
  }

  /** Returns the labels of a tenant's keys, by the user of their calls. */
  async labels(tenant: TenantId): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.list(tenant)).map(({ id, label }) => [keyUser(id), label] as const));
  }

  /**
   * Revokes a key, of one tenant or of any; does nothing for a revoked one.
   *
   * @throws NotFoundError
   */
  async revoke(id: string, tenant?: TenantId): Promise<void> {
    if (!isKeyId(id)) throw unknownKey();
    let update = this.#tables
      .updateTable('api_keys')
      .set((expression) => ({
        revoked_at: expression.fn.coalesce('revoked_at', expression.val(this.#deps.clock())),
      }))
      .where('id', '=', id);
    if (tenant !== undefined) update = update.where('tenant_id', '=', tenant);
    if ((await update.returning('id').executeTakeFirst()) === undefined) throw unknownKey();
  }

  /**
   * Sets the values of one attribute of a key; without values, removes it. Applies from its next request on.
   *
   * @throws NotFoundError, ValidationError at `attributes`
   */
  async setAttribute(id: string, name: string, values: readonly AttributeValue[] | undefined): Promise<void> {
    await this.changeAttributes(id, undefined, (before) => withAttribute(before, name, values));
  }

  /**
   * Changes the attributes of a key, of one tenant or of any.
   *
   * @throws NotFoundError, ValidationError at `attributes`
   */
  async changeAttributes(
    id: string,
    tenant: TenantId | undefined,
    change: (before: Attributes) => Attributes,
  ): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      const row = isKeyId(id)
        ? await transaction
            .selectFrom('api_keys')
            .select(['id', 'tenant_id', 'attributes'])
            .where('id', '=', id)
            .executeTakeFirst()
        : undefined;
      if (row === undefined || (tenant !== undefined && row.tenant_id !== tenant)) throw unknownKey();
      const attributes = attributesToColumn(change(attributesFromColumn(row.attributes)));
      await transaction.updateTable('api_keys').set({ attributes }).where('id', '=', row.id).execute();
    });
  }

  /** Returns the caller of a key; `undefined` when the key is unknown, revoked or expired. */
  async resolve(key: string): Promise<UserCaller | undefined> {
    if (!key.startsWith(API_KEY_PREFIX) || !isRandomSecret(key.slice(API_KEY_PREFIX.length))) return undefined;
    const row = await this.#byHash({ hash: sha256(key) });
    const now = this.#deps.clock();
    if (row === undefined || (row.expires_at !== null && row.expires_at <= now)) return undefined;
    if (row.last_used_at === null || now - row.last_used_at >= NOTED_EVERY_MS) {
      await this.#tables.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', row.id).execute();
    }
    return {
      kind: 'user',
      via: 'api-key',
      tenant: tenantIdFromColumn(row.tenant_id),
      user: keyUser(row.id),
      roles: rolesFromColumn(row.roles),
      attributes: attributesFromColumn(row.attributes),
      isAccount: true,
      scopes: scopesFromColumn(row.scopes),
    };
  }

  get #tables() {
    return this.#deps.state.tables<IdentityTables>();
  }
}

const Scopes = z.array(z.enum(KEY_SCOPE_NAMES));

function scopesFromColumn(json: string | null): readonly KeyScope[] | undefined {
  return json === null ? undefined : Scopes.parse(JSON.parse(json));
}

function isKeyId(text: string): boolean {
  return /^[0-9a-f-]{36}$/.test(text);
}

function unknownKey(): NotFoundError {
  return new NotFoundError('There is no API key with this id.');
}

/** Returns the user of the calls with an API key. */
function keyUser(id: string): string {
  return `api-key:${id}`;
}
