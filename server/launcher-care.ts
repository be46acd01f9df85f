/** Makes the care of data and datasources, and the work that is repeated while the process runs. */
import { resolve } from 'node:path';
import { checkSchema } from '../plugins/cube/index.ts';
import { type DataCare, dataCare } from '../plugins/data/index.ts';
import { datasources, type TenantDatasources } from '../plugins/datasources/index.ts';
import { embedsOf } from '../plugins/embed/index.ts';
import { inferenceStores } from '../plugins/inference/index.ts';
import { buildRollups } from '../plugins/semantic/index.ts';
import { type WebhookSurface, webhooks } from '../plugins/webhooks/index.ts';
import type { TenantId } from '../router/capabilities/identity.ts';
import { tableWriterSettings } from './config/warehouse-settings.ts';
import { succeedsWithin } from './health.ts';
import { linkOptions } from './installation/link-options.ts';
import type { Capabilities } from './launcher-capabilities.ts';
import type { Inferring } from './launcher-inference.ts';
import type { QuerySurfaces } from './launcher-queries.ts';
import { openTableWriter } from './table-writer/open-table-writer.ts';
import { openTargets } from './webhooks/open-targets.ts';

/** Time that a list of datasources waits for datasources that load for the first time, in milliseconds. */
const LIST_PATIENCE_MS = 3_000;
/** The interval in which data that is no longer needed is removed, in milliseconds. */
const CLEAR_EVERY_MS = 60_000;
/** The interval in which a node looks for scheduled refreshes that are due, in milliseconds. */
const REFRESH_EVERY_MS = 5_000;
/** The interval in which a node looks for webhooks that are due, in milliseconds. */
const SEND_EVERY_MS = 2_000;

/** Makes the care of data: overview, replacing, removing with an undo, uploads. */
export function openDataCare(
  capabilities: Capabilities,
  queries: QuerySurfaces,
  registries: TenantDatasources,
  inferring: Inferring,
): DataCare {
  const { documents, state, clock, log, warehouses, identity, folders, threads, events, config } = capabilities;
  const embeds = (of: TenantId) => embedsOf(state, clock, of);
  const writer = openTableWriter({ ...tableWriterSettings(config), log });
  return dataCare({
    registryOf: (of) => registries.of(of),
    tenants: async () => (await identity.tenants.list()).map(({ id }) => id),
    repository: documents,
    state,
    clock,
    log,
    warehouses,
    importer: inferring.files,
    ...inferenceStores(inferring),
    folder: inferring.uploads,
    async folderOf(of, folder) {
      const path = resolve((await folders.of(of)).data, folder);
      return (await folders.refusesLocation(`jdbc:duckdb:${path}`, of)) ? undefined : path;
    },
    sizeOf: queries.semantic.sizeOf,
    rollupTablesOf: queries.semantic.rollupTablesOf,
    builds: {
      declared: queries.semantic.refreshedRollups,
      fileOf: (of, { warehouse }) => folders.writableFile(warehouse, of),
      async build({ rollup, ...request }) {
        const [built] = await buildRollups({ ...request, names: [rollup], warehouses, writer });
        if (built?.result === 'built') return { rows: built.rows ?? 0 };
        return { failed: built?.message ?? 'The model does not name it any more.' };
      },
    },
    onRefreshed({ tenant, name, datasource, result, message }) {
      events.announce(tenant, `refresh.${result}`, { name, datasource, message });
    },
    async compareModel(caller, { datasource }, address, signal) {
      const read = await (await registries.of(caller.tenant)).readDocument(datasource.documentPath);
      const nothing = { totals: [], unmatched: [], breaks: [] };
      // A model that does not load now loses nothing.
      if (!('text' in read)) return { ...nothing, problems: [] };
      const { text } = read;
      if (datasource.type === 'SEMANTIC') {
        const model = { datasource, text, caller, address, signal };
        const compared = await queries.semantic.compareData(model, { repository: documents, embedsOf: embeds });
        return {
          problems: [...compared.problems],
          totals: [...compared.totals],
          unmatched: compared.unmatched.map((each) => ({ ...each, columns: [...each.columns] })),
          breaks: compared.breaks.map(({ kind, path, title, tile, message }) => ({
            kind,
            path,
            title,
            ...(tile === undefined ? {} : { tile }),
            message,
          })),
        };
      }
      const [before, after] = await Promise.all(
        [datasource.warehouse, address].map(async (each) =>
          checkSchema(text, { warehouse: await warehouses.open(each), sqlTexts: threads.sqlTexts }),
        ),
      );
      const present = new Set(before?.problems.map(({ message }) => message));
      const problems = (after?.problems ?? []).map(({ message }) => message).filter((each) => !present.has(each));
      return { ...nothing, problems };
    },
  });
}

/** Makes the webhooks. Their targets have the same guard as links. */
export function makeWebhooks({ state, clock, log, vault, config, home }: Capabilities): WebhookSurface {
  return webhooks({ state, clock, log, vault, targets: openTargets(linkOptions(config, home)) });
}

/**
 * Runs refreshes that are due, sends webhooks, and removes what can no longer be undone. Returns a function that stops it.
 */
export function careRegularly(care: DataCare, hooks: WebhookSurface, { log }: Capabilities): () => Promise<void> {
  const stops = [
    repeat(CLEAR_EVERY_MS, log, () => care.clear()),
    repeat(REFRESH_EVERY_MS, log, () => care.refresh()),
    repeat(SEND_EVERY_MS, log, () => hooks.send()),
  ];
  return async () => {
    care.stop();
    hooks.stop();
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Repeats work, one piece after the other; a failure is logged. */
function repeat(everyMs: number, log: Capabilities['log'], work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => log.warn({ err: error }, 'regular work failed'))
      .finally(() => {
        running = undefined;
      });
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Makes the administration of datasources. Removing a datasource also removes what inference made for it. */
export function datasourcePlugin(
  { folders, warehouses, tenant }: Capabilities,
  registries: TenantDatasources,
  care: DataCare,
) {
  return datasources({
    async registryOf(id) {
      const registry = await registries.of(id);
      // Tenants other than the default load on first use; without the wait, the list would be empty.
      if (id !== tenant.id) await succeedsWithin(LIST_PATIENCE_MS, registry.whenLoaded);
      return registry;
    },
    refusesLocation: (jdbcUrl, id) => folders.refusesLocation(jdbcUrl, id),
    refusesDocument: (path, id) => folders.refusesDocument(path, id),
    checkWarehouse: (address) => warehouses.check(address),
    onRemoved: care.removed,
  });
}
