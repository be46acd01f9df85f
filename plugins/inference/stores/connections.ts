import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { State } from '../../../router/capabilities/state.ts';
import type { Vault } from '../../../router/capabilities/vault.ts';
import type { WarehouseAddress } from '../../../router/capabilities/warehouse.ts';
import { ConflictError, NotFoundError, UnavailableError } from '../../../router/errors.ts';
import { MAX_CONNECTIONS } from '../limits.ts';
import type { InferenceTables, SavedConnectionRow } from './tables.ts';

/** A warehouse that a tenant has saved. */
export interface SavedConnection {
  readonly id: string;
  readonly name: string;
  readonly address: WarehouseAddress;
  /** The default schema if a request names none. */
  readonly schema: string | undefined;
  readonly createdAtMillis: number;
}

export interface NewConnection {
  readonly name: string;
  readonly address: WarehouseAddress;
  readonly schema: string | undefined;
}

/** The saved connections of all tenants; each is seen by its tenant alone. */
export class ConnectionStore {
  readonly #state: State;
  readonly #vault: Vault;
  readonly #clock: Clock;

  constructor(state: State, vault: Vault, clock: Clock) {
    this.#state = state;
    this.#vault = vault;
    this.#clock = clock;
  }

  get #tables() {
    return this.#state.tables<InferenceTables>();
  }

  /** Lists the public fields of a tenant's connections, by name. */
  async list(tenant: TenantId): Promise<readonly Omit<SavedConnectionRow, 'sealed_address'>[]> {
    return this.#tables
      .selectFrom('saved_connections')
      .select(['id', 'tenant_id', 'name', 'type', 'default_schema', 'created_at'])
      .where('tenant_id', '=', tenant)
      .orderBy('name')
      .execute();
  }

  /**
   * Saves a connection.
   *
   * @throws ConflictError when the tenant has one of this name, or as many as it may have
   */
  async add(tenant: TenantId, { name, address, schema }: NewConnection): Promise<SavedConnection> {
    const id = randomUUID();
    const createdAtMillis = this.#clock();
    await this.#tables.transaction().execute(async (transaction) => {
      const kept = await transaction
        .selectFrom('saved_connections')
        .select('name')
        .where('tenant_id', '=', tenant)
        .execute();
      if (kept.some((each) => each.name === name)) throw nameTaken(name);
      if (kept.length >= MAX_CONNECTIONS)
        throw new ConflictError(`There are ${MAX_CONNECTIONS} connections already. Remove one first.`, {
          code: 'connection_limit',
        });
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('saved_connections')
        .values({
          id,
          tenant_id: tenant,
          name,
          type: warehouseType(address),
          sealed_address: this.#vault.seal(JSON.stringify(Address.parse(address)), sealContext(tenant, id)),
          default_schema: schema ?? null,
          created_at: createdAtMillis,
        })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows === 0n) throw nameTaken(name);
    });
    return { id, name, address, schema, createdAtMillis };
  }

  /**
   * Returns a connection with its password.
   *
   * @throws NotFoundError when the tenant has none of this id
   * @throws UnavailableError when its address cannot be decrypted, as the key is another one
   */
  async get(tenant: TenantId, id: string): Promise<SavedConnection> {
    const row = await this.#tables
      .selectFrom('saved_connections')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw noConnection();
    const address = this.#vault.open(row.sealed_address, sealContext(tenant, id));
    if (address === undefined)
      throw new UnavailableError(
        'The address of this connection was saved with another key. Remove the connection and save it again.',
        { code: 'secrets_key_changed', retryAfterSeconds: 3_600 },
      );
    return {
      id,
      name: row.name,
      address: Address.parse(JSON.parse(address)),
      schema: row.default_schema ?? undefined,
      createdAtMillis: row.created_at,
    };
  }

  /** Returns the address of a connection; `undefined` if it does not exist, or was saved with another key. */
  async addressOf(tenant: TenantId, id: string): Promise<WarehouseAddress | undefined> {
    const row = await this.#tables
      .selectFrom('saved_connections')
      .select('sealed_address')
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst();
    const address = row && this.#vault.open(row.sealed_address, sealContext(tenant, id));
    return address === undefined ? undefined : Address.parse(JSON.parse(address));
  }

  /** Changes the address of a connection. @throws NotFoundError when the tenant has none of this id */
  async changeAddress(tenant: TenantId, id: string, address: WarehouseAddress): Promise<SavedConnection> {
    const { numUpdatedRows } = await this.#tables
      .updateTable('saved_connections')
      .set({
        type: warehouseType(address),
        sealed_address: this.#vault.seal(JSON.stringify(Address.parse(address)), sealContext(tenant, id)),
      })
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw noConnection();
    return this.get(tenant, id);
  }

  /**
   * Changes the name, the address and the schema of a connection.
   *
   * @throws NotFoundError when the tenant has none of this id
   * @throws ConflictError when another has the name
   */
  async change(tenant: TenantId, id: string, { name, address, schema }: NewConnection): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      const other = await transaction
        .selectFrom('saved_connections')
        .select('id')
        .where('tenant_id', '=', tenant)
        .where('name', '=', name)
        .where('id', '!=', id)
        .executeTakeFirst();
      if (other !== undefined) throw nameTaken(name);
      const { numUpdatedRows } = await transaction
        .updateTable('saved_connections')
        .set({
          name,
          type: warehouseType(address),
          sealed_address: this.#vault.seal(JSON.stringify(Address.parse(address)), sealContext(tenant, id)),
          default_schema: schema ?? null,
        })
        .where('tenant_id', '=', tenant)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw noConnection();
    });
  }

  /** Removes a connection. @throws NotFoundError when the tenant has none of this id */
  async remove(tenant: TenantId, id: string): Promise<void> {
    const { numDeletedRows } = await this.#tables
      .deleteFrom('saved_connections')
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw noConnection();
  }
}

const Address = z.object({
  jdbcUrl: z.string(),
  username: z.string().optional(),
  password: z.string().optional(),
});

/** Returns the engine of an address: `jdbc:postgresql://…` -> `postgresql`. */
export function warehouseType({ jdbcUrl }: WarehouseAddress): string {
  return /^jdbc:([a-z]+):/.exec(jdbcUrl)?.[1] ?? '';
}

function sealContext(tenant: TenantId, id: string): string {
  return `saved_connections/${tenant}/${id}`;
}

function noConnection(): NotFoundError {
  return new NotFoundError('There is no such connection. GET /me/connections lists all connections.');
}

function nameTaken(name: string): ConflictError {
  return new ConflictError(`There is a connection "${name}" already. Remove it first, or choose another name.`, {
    code: 'connection_exists',
  });
}
