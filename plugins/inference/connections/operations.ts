import { z } from 'zod';
import { userOf } from '../../../router/calling-user.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { Warehouses } from '../../../router/capabilities/warehouse.ts';
import type { CountedOperation } from '../../../router/counted-operation.ts';
import { ValidationError } from '../../../router/errors.ts';
import { nearestFirst } from '../../../router/nearest-names.ts';
import { short } from '../../../router/short.ts';
import { reach } from '../profile/profile-schema.ts';
import { Connection, ConnectionId, ConnectionRequest } from '../schemas.ts';
import { type ConnectionStore, warehouseType } from '../stores/connections.ts';
import type { UploadFiles } from '../stores/upload-files.ts';

export interface ConnectionDependencies {
  readonly operation: CountedOperation;
  readonly store: ConnectionStore;
  readonly warehouses: Warehouses;
  readonly uploads: Pick<UploadFiles, 'drop'>;
  /** Returns whether an address names a file that a tenant may not name. */
  readonly refusesLocation: (jdbcUrl: string, tenant: TenantId) => Promise<boolean>;
}

/** An address of a database in memory, which is empty. */
const NO_FILE = /^jdbc:(duckdb|sqlite):(:memory:)?$/;
const BASE = '/me/connections';

/** Returns the operations on saved connections. */
export function connectionOperations({
  operation,
  store,
  warehouses,
  uploads,
  refusesLocation,
}: ConnectionDependencies) {
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
        'The address is encrypted at rest and never shown again. A warehouse that does not answer is not saved: 502. A catalog or a schema that does not exist is refused with the names that do.',
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
        if (!warehouses.supported.some((prefix) => url.startsWith(prefix)))
          throw ValidationError.at(['url'], 'No driver serves this address.', warehouses.supported);
        if (NO_FILE.test(url.trim()))
          throw ValidationError.at(
            ['url'],
            'Write the path of the database file behind the prefix: jdbc:duckdb:/data/shop.duckdb.',
          );
        if (await refusesLocation(url, tenant))
          throw ValidationError.at(['url'], 'The file must be below the data folder of the server.');
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
          throw atUrl(error);
        }
        const saved = await store.add(tenant, { name, address, schema });
        return {
          id: saved.id,
          name,
          type: warehouseType(address),
          schema: schema ?? null,
          createdAt: new Date(saved.createdAtMillis).toISOString(),
        };
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

/** Moves an error from the member `jdbcUrl`, which a driver names, to `url`. */
function atUrl(error: unknown): unknown {
  if (!(error instanceof ValidationError) || error.path?.[0] !== 'jdbcUrl') return error;
  return ValidationError.at(['url'], error.message, error.available);
}
