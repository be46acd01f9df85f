import { z } from 'zod';
import { userOf } from '../../../router/calling-user.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { WarehouseAddress, Warehouses } from '../../../router/capabilities/warehouse.ts';
import type { CountedOperation } from '../../../router/counted-operation.ts';
import { ValidationError, WarehouseUnreachableError } from '../../../router/errors.ts';
import { nearestFirst } from '../../../router/nearest-names.ts';
import { withoutUrlCredentials } from '../../../router/sealed-password.ts';
import { short } from '../../../router/short.ts';
import { reach } from '../profile/profile-schema.ts';
import {
  Connection,
  ConnectionChange,
  ConnectionDetails,
  ConnectionId,
  ConnectionRequest,
  ConnectionTest,
  ConnectionTestRequest,
} from '../schemas.ts';
import { type ConnectionStore, type SavedConnection, warehouseType } from '../stores/connections.ts';
import type { UploadFiles } from '../stores/upload-files.ts';
import { type MovingDependencies, moveModels, usesOf } from './models-of-connection.ts';
import { testConnection } from './test-connection.ts';

export interface ConnectionDependencies extends MovingDependencies {
  readonly operation: CountedOperation;
  readonly store: ConnectionStore;
  readonly warehouses: Warehouses;
  readonly uploads: Pick<UploadFiles, 'drop' | 'isUpload'>;
  /** Returns whether a tenant may learn why a host cannot be reached: its administrators own the machine. */
  readonly explainsFailures: (tenant: TenantId) => boolean;
  /** Returns whether an address names a file that a tenant may not name. */
  readonly refusesLocation: (jdbcUrl: string, tenant: TenantId) => Promise<boolean>;
}

/** An address of a database in memory, which is empty. */
const NO_FILE = /^jdbc:(duckdb|sqlite):(:memory:)?$/;
const BASE = '/me/connections';

/** Returns the operations on saved connections. */
export function connectionOperations(dependencies: ConnectionDependencies) {
  const { operation, store, warehouses, uploads, explainsFailures } = dependencies;
  return {
    listConnections: operation({
      summary: 'List the saved connections',
      access: 'administrator-key',
      rest: { method: 'GET', path: BASE },
      implementationChoice: 'The interface names this path without its answer.',
    })
      .output(z.array(Connection))
      .query(async ({ ctx }) =>
        (await store.list(userOf(ctx).tenant)).map((row) => ({
          id: row.id,
          name: row.name,
          type: row.type,
          schema: row.default_schema,
          createdAt: new Date(row.created_at).toISOString(),
        })),
      ),

    addConnection: operation({
      summary: 'Test a connection to a warehouse and save it',
      description:
        'The address is encrypted at rest and never shown again. A warehouse that does not answer is not saved: 502. A database, a catalog or a schema that does not exist is refused with the names that do.',
      access: 'administrator-key',
      rest: { method: 'POST', path: BASE, body: '*', status: 201 },
      implementationChoice: 'Saving connections is a choice of this product.',
    })
      .input(ConnectionRequest)
      .output(Connection)
      .mutation(async ({ input, ctx, signal }) => {
        const { tenant } = userOf(ctx);
        const { name, url, username, password, schema } = input;
        const address = { jdbcUrl: url, username, password };
        await requireUsable({ address, schema }, tenant, dependencies, signal);
        const saved = await store.add(tenant, { name, address, schema });
        return {
          id: saved.id,
          name,
          type: warehouseType(address),
          schema: schema ?? null,
          createdAt: new Date(saved.createdAtMillis).toISOString(),
        };
      }),

    testConnection: operation({
      summary: 'Test a connection to a warehouse without saving it',
      description:
        'A connection that fails is an answer, too: `problem` names the part that is wrong, with the databases, catalogs or schemas that exist.',
      access: 'administrator-key',
      rest: { method: 'POST', path: `${BASE}/test`, body: '*' },
      implementationChoice: 'Testing connections is a choice of this product.',
    })
      .input(ConnectionTestRequest)
      .output(ConnectionTest)
      .mutation(async ({ input, ctx, signal }) => {
        const { tenant } = userOf(ctx);
        const { id, url, username, password, schema } = input;
        await requireLegal(url, tenant, dependencies);
        const saved = id === undefined ? undefined : await store.get(tenant, id);
        const address = withKeptPassword({ jdbcUrl: url, username, password }, saved?.address);
        return testConnection({ address, schema }, { warehouses, isExplained: explainsFailures(tenant), signal });
      }),

    readConnection: operation({
      summary: 'Read a saved connection without its password, with the datasources over the same database',
      access: 'administrator-key',
      rest: { method: 'GET', path: `${BASE}/{id}` },
      implementationChoice: 'Changing connections is a choice of this product.',
    })
      .input(z.strictObject({ id: ConnectionId }))
      .output(ConnectionDetails)
      .query(async ({ input, ctx }) => {
        const { tenant } = userOf(ctx);
        return details(await store.get(tenant, input.id), tenant, dependencies);
      }),

    changeConnection: operation({
      summary: 'Change a saved connection, and the datasources that were made with it',
      description:
        'What is left out stays. The password stays, too, where host, port, user and encryption stay; it is never returned. The changed connection is tested first, as a new one is.',
      access: 'administrator-key',
      rest: { method: 'PUT', path: `${BASE}/{id}`, body: '*' },
      implementationChoice: 'Changing connections is a choice of this product.',
    })
      .input(ConnectionChange)
      .output(ConnectionDetails)
      .mutation(async ({ input, ctx, signal }) => {
        const { tenant } = userOf(ctx);
        const saved = await store.get(tenant, input.id);
        const { name = saved.name, url, password } = input;
        const isOther = url !== undefined || password !== undefined || input.username !== undefined;
        const username = input.username === undefined ? saved.address.username : (input.username ?? undefined);
        const address = isOther
          ? withKeptPassword({ jdbcUrl: url ?? saved.address.jdbcUrl, username, password }, saved.address)
          : saved.address;
        if (isOther && (await uploads.isUpload(tenant, saved.address)))
          throw ValidationError.at(['url'], 'Uploaded files have no other address. Replace them by new files instead.');
        const schema = input.schema === undefined ? saved.schema : (input.schema ?? undefined);
        await requireUsable({ address, schema }, tenant, dependencies, signal);
        await store.change(tenant, saved.id, { name, address, schema });
        if (isOther && input.models) await moveModels(tenant, saved.address, address, dependencies);
        return details(await store.get(tenant, saved.id), tenant, dependencies);
      }),

    removeConnection: operation({
      summary: 'Remove a saved connection',
      access: 'administrator-key',
      rest: { method: 'DELETE', path: `${BASE}/{id}` },
      implementationChoice: 'Saving connections is a choice of this product.',
    })
      .input(z.strictObject({ id: ConnectionId }))
      .output(z.object({ status: z.literal('OK') }))
      .mutation(async ({ input, ctx }) => {
        const { tenant } = userOf(ctx);
        const address = await store.addressOf(tenant, input.id);
        await store.remove(tenant, input.id);
        if (address !== undefined) await uploads.drop(tenant, address);
        return { status: 'OK' } as const;
      }),
  };
}

/** Refuses an address that no driver serves, and a file outside the tenant's folder. @throws ValidationError at `url` */
async function requireLegal(
  url: string,
  tenant: TenantId,
  { warehouses, refusesLocation }: ConnectionDependencies,
): Promise<void> {
  if (!warehouses.supported.some((prefix) => url.startsWith(prefix)))
    throw ValidationError.at(['url'], 'No driver serves this address.', warehouses.supported);
  if (NO_FILE.test(url.trim()))
    throw ValidationError.at(
      ['url'],
      'Write the path of the database file behind the prefix: jdbc:duckdb:/data/shop.duckdb.',
    );
  if (await refusesLocation(url, tenant))
    throw ValidationError.at(['url'], 'The file must be below the data folder of the server.');
}

/** Requires that a warehouse answers, with the database, the catalog and the schema that the connection names. */
async function requireUsable(
  { address, schema }: Pick<SavedConnection, 'address' | 'schema'>,
  tenant: TenantId,
  dependencies: ConnectionDependencies,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { warehouses } = dependencies;
  await requireLegal(address.jdbcUrl, tenant, dependencies);
  try {
    await warehouses.check(address);
    const warehouse = await warehouses.open(address);
    await reach(warehouse, signal);
    const missing = await warehouse.missingPlace(schema, signal);
    if (missing !== undefined)
      throw ValidationError.at(
        [missing.isInAddress ? 'url' : 'schema'],
        `The warehouse has no ${missing.kind} "${short(missing.name)}".`,
        nearestFirst(missing.name, missing.available),
      );
  } catch (error) {
    if (error instanceof WarehouseUnreachableError && dependencies.explainsFailures(tenant)) {
      const { problem } = await testConnection({ address, schema }, { warehouses, isExplained: true, signal });
      if (problem?.part === 'database') throw ValidationError.at(['url'], problem.message, problem.available);
    }
    throw atUrl(error);
  }
}

/**
 * Returns an address with the saved password, where it has none. Another host, port or user would learn the password,
 * so they need it again.
 *
 * @throws ValidationError at `password`
 */
function withKeptPassword(address: WarehouseAddress, saved: WarehouseAddress | undefined): WarehouseAddress {
  if (saved === undefined || address.password !== undefined) return address;
  const before = withoutUrlCredentials(saved);
  const after = withoutUrlCredentials(address);
  if (before.password === undefined || after.password !== undefined) return address;
  if (serverOf(before) !== serverOf(after))
    throw ValidationError.at(
      ['password'],
      'Write the password again: it is kept only where host, port, user and encryption stay the same.',
    );
  return { ...address, password: before.password };
}

/** Returns the server and the user of an address, for a comparison. */
function serverOf({ jdbcUrl, username }: WarehouseAddress): string {
  const [target = ''] = jdbcUrl.split('?', 1);
  return JSON.stringify([/^[^/]*\/\/[^/]*/.exec(target)?.[0] ?? target, username ?? '', parametersOf(jdbcUrl)]);
}

/** Returns the parameters of a URL: without TLS, a password travels in plain text. */
function parametersOf(jdbcUrl: string): string {
  return jdbcUrl.split('?').slice(1).join('?');
}

async function details(
  { id, name, address, schema, createdAtMillis }: SavedConnection,
  tenant: TenantId,
  dependencies: ConnectionDependencies,
): Promise<ConnectionDetails> {
  const { jdbcUrl, username, password } = withoutUrlCredentials(address);
  return {
    id,
    name,
    type: warehouseType(address),
    schema: schema ?? null,
    createdAt: new Date(createdAtMillis).toISOString(),
    url: jdbcUrl,
    ...(username === undefined ? {} : { username }),
    hasPassword: password !== undefined && password !== '',
    isUpload: await dependencies.uploads.isUpload(tenant, address),
    usedBy: (await usesOf(tenant, address, dependencies)).map((datasource) => ({
      id: datasource.id,
      name: datasource.name,
    })),
  };
}

/** Moves an error from the member `jdbcUrl`, which a driver names, to `url`. */
function atUrl(error: unknown): unknown {
  if (!(error instanceof ValidationError) || error.path?.[0] !== 'jdbcUrl') return error;
  return ValidationError.at(['url'], error.message, error.available);
}
