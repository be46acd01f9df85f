import { randomUUID } from 'node:crypto';
import type { Attributes, AttributeValue } from '../../router/capabilities/attributes.ts';
import type { TenantId, UserCaller } from '../../router/capabilities/identity.ts';
import { NotFoundError } from '../../router/errors.ts';
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

  constructor(deps: IdentityDependencies) {
    this.#deps = deps;
  }

  /** @throws ValidationError at `label`, `roles[i]` or `attributes` */
  async create(request: {
    readonly tenant: TenantId;
    readonly label: string;
    /** Default: `ROLE_USER`. */
    readonly roles?: readonly string[];
    readonly attributes?: Attributes;
  }): Promise<NewApiKey> {
    const { tenant, label, roles = [USER_ROLE], attributes = {} } = request;
    checkLabel('label', label);
    checkRoles(roles);
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
    }));
  }

  /**
   * Revokes a key; does nothing for a revoked one.
   *
   * @throws NotFoundError
   */
  async revoke(id: string): Promise<void> {
    const row = isKeyId(id)
      ? await this.#tables
          .updateTable('api_keys')
          .set((expression) => ({
            revoked_at: expression.fn.coalesce('revoked_at', expression.val(this.#deps.clock())),
          }))
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst()
      : undefined;
    if (row === undefined) throw unknownKey();
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

  /** Returns the caller of a key; `undefined` when the key is unknown or revoked. */
  async resolve(key: string): Promise<UserCaller | undefined> {
    if (!key.startsWith(API_KEY_PREFIX) || !isRandomSecret(key.slice(API_KEY_PREFIX.length))) return undefined;
    const row = await this.#tables
      .selectFrom('api_keys')
      .select(['id', 'tenant_id', 'roles', 'attributes', 'last_used_at'])
      .where('key_hash', '=', sha256(key))
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const now = this.#deps.clock();
    if (row.last_used_at === null || now - row.last_used_at >= NOTED_EVERY_MS) {
      await this.#tables.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', row.id).execute();
    }
    return {
      kind: 'user',
      via: 'api-key',
      tenant: tenantIdFromColumn(row.tenant_id),
      user: `api-key:${row.id}`,
      roles: rolesFromColumn(row.roles),
      attributes: attributesFromColumn(row.attributes),
      isAccount: true,
    };
  }

  get #tables() {
    return this.#deps.state.tables<IdentityTables>();
  }
}

function isKeyId(text: string): boolean {
  return /^[0-9a-f-]{36}$/.test(text);
}

function unknownKey(): NotFoundError {
  return new NotFoundError('There is no API key with this id.');
}
