import { userOf } from '../../router/calling-user.ts';
import type { Warehouse } from '../../router/capabilities/warehouse.ts';
import { NotFoundError } from '../../router/errors.ts';
import { operations } from '../../router/operation.ts';
import { nearestFirst } from '../query-surface/index.ts';
import { type ConnectionDependencies, connectionOperations } from './connections/operations.ts';
import { STATEMENT_TIMEOUT_MS } from './limits.ts';
import { type MarkedConnections, personalColumnsOf } from './personal/marked-columns.ts';
import { type FileProfileDependencies, profileFile } from './profile/profile-file.ts';
import { profileSchema, reach } from './profile/profile-schema.ts';
import { sampleRows } from './profile/sample-rows.ts';
import { tableSql } from './profile/table-sql.ts';
import { type ProposeDependencies, proposeOperations } from './propose/operations.ts';
import { type PublishDependencies, publishOperations } from './publish/operations.ts';
import { ProfileConnectionInput, ProfileFileInput, SampleInput, SampleResult, SchemaProfile } from './schemas.ts';
import type { SavedConnection } from './stores/connections.ts';
import { uploadOperations } from './uploads/operations.ts';

export type InferenceDependencies = ConnectionDependencies &
  Parameters<typeof uploadOperations>[0] &
  FileProfileDependencies &
  MarkedConnections &
  ProposeDependencies &
  PublishDependencies;

const BASE = '/me/inference';
const EXTRAS =
  'The profile is flat. Beside the documented members: `min`, `max`, `nulls` of a column, `keys` and `sampledRows` of a table, `references` of the profile.';

export function inferenceOperations(dependencies: InferenceDependencies) {
  const { operation, store, warehouses, clock, log, work } = dependencies;
  return operations({
    ...connectionOperations(dependencies),
    ...uploadOperations(dependencies),
    ...proposeOperations(dependencies),
    ...publishOperations(dependencies),

    profileConnection: operation({
      summary: 'Profile the tables of a saved connection',
      description:
        'Row counts, approximate distinct counts and sample values, from the statistics of the engine and from samples where tables are large. Tables are taken by name, `maxTables` at most. A column that a served model of the warehouse marks as personal data has no values: `personal`.',
      access: 'administrator-key',
      rest: {
        method: 'POST',
        path: `${BASE}/profile/connection/{id}`,
        query: ['schema', 'maxTables', 'tableTypes'],
        body: 'body',
        bodyOptional: true,
      },
      implementationChoice: EXTRAS,
    })
      .input(ProfileConnectionInput)
      .output(SchemaProfile)
      .mutation(async ({ input, ctx, signal }) => {
        const { tenant } = userOf(ctx);
        const connection = await store.get(tenant, input.id);
        return profileSchema({
          personal: await personalColumnsOf(dependencies, tenant, connection.address),
          warehouse: await warehouses.open(connection.address),
          schema: input.schema ?? connection.schema,
          maxTables: input.maxTables,
          tableTypes: input.tableTypes,
          clock,
          log,
          work,
          signal,
        });
      }),

    sampleConnection: operation({
      summary: 'Read the first rows of a table of a saved connection',
      description:
        'Columns that a served model of the warehouse marks as personal data are left out; `personal` names them.',
      access: 'administrator-key',
      rest: { method: 'GET', path: `${BASE}/profile/connection/{id}/sample`, query: ['table', 'schema', 'rows'] },
    })
      .input(SampleInput)
      .output(SampleResult)
      .query(async ({ input, ctx, signal }) => {
        const { tenant } = userOf(ctx);
        const connection = await store.get(tenant, input.id);
        const personal = await personalColumnsOf(dependencies, tenant, connection.address);
        const warehouse = await warehouses.open(connection.address);
        await reach(warehouse, signal);
        const table = await findTable(warehouse, input.table, input.schema ?? connection.schema, signal);
        const limit = AbortSignal.timeout(STATEMENT_TIMEOUT_MS);
        const stop = signal === undefined ? limit : AbortSignal.any([signal, limit]);
        const name = tableSql(warehouse.dialect, table);
        const place = { schema: table.schema ?? '', table: table.name };
        if (personal.isEmpty) return { ...place, ...(await sampleRows(warehouse, name, input.rows, stop)) };
        const columns = ((await warehouse.columns(table, stop)) ?? []).map((column) => column.name);
        const hidden = columns.filter((column) => personal.has(table, column));
        const shown = columns.filter((column) => !hidden.includes(column));
        return { ...place, ...(await sampleRows(warehouse, name, input.rows, stop, shown)), personal: hidden };
      }),

    profileFile: operation({
      summary: 'Profile an uploaded file',
      description:
        'A .csv, .parquet, .json or .xlsx file. Delimiter, header, encoding, decimal commas, dates and other types are detected; `reading` of each table reports what is lost, with repairs. The file is not kept.',
      access: 'administrator-key',
      rest: { method: 'POST', path: `${BASE}/profile/file`, body: '*', files: ['file'] },
      implementationChoice: `${EXTRAS} For files, \`notes\` and \`unit\` of a column report how its values were written.`,
    })
      .input(ProfileFileInput)
      .output(SchemaProfile)
      .mutation(({ input, signal }) => profileFile(dependencies, input.file, input.reading, signal)),
  });
}

/**
 * Finds a table by its name, in any letter case where only one fits.
 *
 * @throws NotFoundError with the names of all tables
 */
async function findTable(
  warehouse: Warehouse,
  name: string,
  schema: SavedConnection['schema'],
  signal: AbortSignal | undefined,
) {
  const all = await warehouse.tables({ ...(schema === undefined ? {} : { schema }), ...(signal && { signal }) });
  const exact = all.filter((table) => table.name === name);
  const similar = all.filter((table) => table.name.toLowerCase() === name.toLowerCase());
  const [table] = exact.length > 0 ? exact : similar.length === 1 ? similar : [];
  if (table !== undefined) return table;
  throw new NotFoundError(`There is no table "${name}".`, {
    path: ['table'],
    available: nearestFirst(
      name,
      all.map((table) => table.name),
    ).slice(0, 100),
  });
}
