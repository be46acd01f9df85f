/** The data of a tenant for its administrators: models, connections, uploads, and what can be undone. */
import { stat } from 'node:fs/promises';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { shownLink } from '../../router/capabilities/linked-files.ts';
import type { Warehouses } from '../../router/capabilities/warehouse.ts';
import { formOfUrl } from '../../router/connection-forms.ts';
import { withoutUrlCredentials } from '../../router/sealed-password.ts';
import type { DatasourceRegistry, DescribedDatasource } from '../datasources/index.ts';
import type { OriginStore } from '../inference/index.ts';
import { shortName } from './data-files.ts';
import { refreshView } from './refresh/operations.ts';
import type { Schedules } from './refresh/schedules.ts';
import type { DataOverview } from './schemas.ts';
import { listUploads, type UploadsDependencies } from './uploads.ts';

export interface OverviewDependencies extends UploadsDependencies {
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  readonly warehouses: Warehouses;
  readonly schedules: Schedules;
  readonly origins: Pick<OriginStore, 'get'>;
  readonly clock: Clock;
  /** Counts what a semantic datasource serves. */
  readonly sizeOf: (
    tenant: TenantId,
    datasource: string,
  ) => { readonly model: string; readonly datasets: number; readonly metrics: number } | undefined;
}

const KINDS = { SEMANTIC: 'model', OLAP: 'cube' } as const;

export async function dataOverview(tenant: TenantId, parts: OverviewDependencies): Promise<DataOverview> {
  const { registryOf, changes } = parts;
  const registry = await registryOf(tenant);
  const described = await registry.described();
  const byFile = new Map(described.map((each) => [each.entry.file, each] as const));
  const connections = await connectionsOf(tenant, described, parts);
  const models: DataOverview['models'] = [];
  for (const { id, name, type, status, problems, file } of registry.list()) {
    const data = await dataOf(tenant, byFile.get(file), parts);
    models.push({
      id,
      name,
      kind: type === undefined ? 'unknown' : KINDS[type],
      ...parts.sizeOf(tenant, id),
      status,
      problems: problems.map(({ severity, message }) => ({ severity, message })),
      ...data,
      connectionIds: connections.filter(({ usedBy }) => usedBy.some((use) => use.id === id)).map((each) => each.id),
    });
  }
  const undos = (await changes.list(tenant)).flatMap(({ id, state, datasource_id, name, user_name, expires_at }) =>
    state === 'prepared'
      ? []
      : [
          {
            id,
            kind: state,
            datasource: datasource_id,
            name,
            by: user_name,
            until: new Date(expires_at).toISOString(),
          },
        ],
  );
  const linksById = new Map(models.map(({ id, links }) => [id, links] as const));
  const refreshes = (await parts.schedules.list(tenant)).map((row) =>
    refreshView(row, parts.clock(), linksById.get(row.datasource_id)),
  );
  return { models, connections, uploads: [...(await listUploads(tenant, parts))], refreshes, undos };
}

async function dataOf(
  tenant: TenantId,
  described: DescribedDatasource | undefined,
  { files, origins }: OverviewDependencies,
) {
  if (described === undefined) return { isReplaceable: false, links: [] };
  const file = await files.fileOf(tenant, described.datasource);
  const stats = file === undefined ? undefined : await stat(file).catch(() => undefined);
  return {
    isReplaceable: stats !== undefined,
    links: file === undefined ? [] : (await origins.get(tenant, file)).links.map(shownLink),
    ...(stats === undefined ? {} : { dataFrom: stats.mtime.toISOString() }),
  };
}

async function connectionsOf(
  tenant: TenantId,
  described: readonly DescribedDatasource[],
  { store, uploads, warehouses }: OverviewDependencies,
) {
  const connections: DataOverview['connections'] = [];
  for (const { id, name, type, created_at } of await store.list(tenant)) {
    const address = await store.addressOf(tenant, id);
    // Uploads are a list of their own.
    if (address !== undefined && (await uploads.fileOf(tenant, address)) !== undefined) continue;
    const usedBy: { id: string; name: string }[] = [];
    if (address !== undefined)
      for (const { datasource } of described)
        if (await warehouses.isSame(datasource.warehouse, address))
          usedBy.push({ id: datasource.id, name: datasource.name });
    connections.push({
      id,
      name,
      type,
      place: address === undefined ? '' : placeOf(withoutUrlCredentials(address).jdbcUrl),
      createdAt: new Date(created_at).toISOString(),
      usedBy,
    });
  }
  return connections;
}

/** Returns the place of a warehouse for people: `db.example:5432/shop`, or the name of a file. */
function placeOf(jdbcUrl: string): string {
  const values = formOfUrl(jdbcUrl)?.values;
  if (values?.file !== undefined) return shortName(values.file);
  if (values?.host !== undefined) {
    const path = [values.database, values.catalog, values.schema].filter((part) => (part ?? '') !== '').join('/');
    return `${values.host}:${values.port ?? ''}${path === '' ? '' : `/${path}`}`;
  }
  return /^jdbc:[a-z]+:(?:\/\/)?([^?;]*)/.exec(jdbcUrl)?.[1] ?? '';
}
