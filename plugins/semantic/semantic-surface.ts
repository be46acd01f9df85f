/** The semantic-model surface: typed queries over models of OSI documents, answered by the warehouse that they describe. */

import type { Cache } from '../../router/capabilities/cache.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import { ALL_SETTLED, type DatasourceLoader, type DatasourceStates } from '../../router/capabilities/datasources.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Jobs } from '../../router/capabilities/jobs.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { ServedMarks } from '../../router/capabilities/personal-data.ts';
import type { QuerySource } from '../../router/capabilities/query-source.ts';
import type { Warehouses } from '../../router/capabilities/warehouse.ts';
import { type Plugin, plugin } from '../../router/plugin.ts';
import { type AnalyticsPool, inlinePool } from '../analytics/index.ts';
import { Catalogs } from './catalog.ts';
import { type DocumentPools, pooledReader } from './document-reader.ts';
import { type ComparedModel, compareData, type DataComparison } from './edit/compare-data.ts';
import type { EditPool } from './edit/edit-documents.ts';
import { type ModelDocumentsOptions, modelDocuments } from './edit/model-documents.ts';
import { semanticErrorFormat } from './error-format.ts';
import { DEFAULT_STREAMED_ROWS } from './limits.ts';
import type { RefreshedRollup } from './load.ts';
import { askSource, type SemanticAskSource } from './operations/ask-source.ts';
import type { Dependencies } from './operations/dependencies.ts';
import { querySource } from './operations/query-source.ts';
import { semanticRouter } from './operations/router.ts';
import type { AggregationNotes } from './prepare.ts';
import type { QuerySettings } from './query/nodes/query-target.ts';
import { rollupDemandMigrations } from './rollups/demand-log.ts';
import { type SampleSettings, Samples } from './schema-api/samples.ts';
import { SqlMemory } from './sql-memory.ts';

interface SemanticCapabilities {
  readonly warehouses: Warehouses;
  readonly cache: Cache;
  /** Runs asynchronous queries. */
  readonly jobs: Jobs;
  readonly log: Log;
  readonly clock: Clock;
  /** Returns the states of a tenant's datasources that are being loaded; without it, none are. */
  readonly states?: (tenant: TenantId) => DatasourceStates;
  readonly settings: SemanticSettings;
  /** Fits the models of anomalies and forecasts; without it, the calling thread fits them. */
  readonly analytics?: AnalyticsPool;
  /** Read documents of datasources; without them, the calling thread reads them. */
  readonly documents?: DocumentPools;
  /** Read documents that are being edited; by default, like those of datasources. */
  readonly drafts?: DocumentPools | undefined;
  /** Applies edits to documents; without it, the calling thread applies them. */
  readonly edits?: EditPool;
  /** Keeps what queries aggregate from rows; without it, no roll-ups can be suggested. */
  readonly demands?: AggregationNotes;
}

export interface SemanticSettings extends QuerySettings, SampleSettings {
  /** The most rows of an answer that is sent while it comes. */
  readonly maxStreamedRows?: number;
}

export interface Semantic {
  readonly plugin: Plugin<'semantic', ReturnType<typeof semanticRouter>>;
  /** Reads datasources of type SEMANTIC of a tenant. */
  readonly loaderOf: (tenant: TenantId) => DatasourceLoader;
  /** Returns the columns that the served datasources of a tenant mark as personal data. */
  readonly personalMarksOf: (tenant: TenantId) => readonly ServedMarks[];
  /** Resolves when the background checks of the data are complete; see `ReferentialIntegrity`. */
  ready(): Promise<void>;
  /** Answers saved queries of the surface `semantic`. */
  readonly source: QuerySource;
  /** Answers questions in natural language. */
  readonly askSource: SemanticAskSource;
  /** Makes the plugin that describes and edits the documents of models, and the function that adds certified answers. */
  readonly modelDocuments: (options: ModelDocumentsOptions) => ReturnType<typeof modelDocuments>;
  /** Compares a model over its data with the same model over other data. */
  readonly compareData: (
    model: ComparedModel,
    options: Pick<ModelDocumentsOptions, 'repository' | 'embedsOf'>,
  ) => Promise<DataComparison>;
  /** Counts the datasets and metrics that a datasource serves; `undefined` where it serves no model. */
  readonly sizeOf: (
    tenant: TenantId,
    datasource: string,
  ) => { readonly model: string; readonly datasets: number; readonly metrics: number } | undefined;
  /** Returns the names of the tables of a datasource's roll-ups. */
  readonly rollupTablesOf: (tenant: TenantId, datasource: string) => ReadonlySet<string>;
  /** Lists the served models with the roll-ups that the product builds regularly. */
  readonly refreshedRollups: () => readonly ServedRollups[];
}

/** The roll-ups of a served model that the product builds regularly. */
interface ServedRollups {
  readonly tenant: TenantId;
  readonly datasource: string;
  readonly connection: string;
  readonly rollups: readonly RefreshedRollup[];
  /** Returns whether tables of roll-ups were missing that may be there now, so that the model is to be loaded again. */
  readonly isOutdated: () => Promise<boolean>;
  /** Shows in plans why the last refreshes of roll-ups failed, by the names of the roll-ups. */
  readonly reportFailures: (failures: ReadonlyMap<string, string>) => void;
}

export function semantic({
  warehouses,
  cache,
  jobs,
  log,
  clock,
  states = () => ALL_SETTLED,
  settings,
  analytics = inlinePool,
  documents,
  drafts = documents,
  edits,
  demands,
}: SemanticCapabilities): Semantic {
  const memory = new SqlMemory();
  const reader = drafts && memory.of(pooledReader(drafts));
  const catalogs = new Catalogs({
    warehouses,
    log,
    states,
    dropAnswers: (prefix) => cache.drop(prefix),
    reader: documents && memory.of(pooledReader(documents)),
  });
  const samples = new Samples(cache, log, settings);
  const { maxStreamedRows = DEFAULT_STREAMED_ROWS, ...query } = settings;
  const parts: Dependencies = {
    catalogs,
    samples,
    cache,
    jobs,
    clock,
    settings: { ...query, clock },
    maxStreamedRows,
    analytics,
    demands,
  };
  const router = semanticRouter(parts);
  return {
    plugin: plugin({
      name: 'semantic',
      title: 'Semantic-model query',
      router,
      errorFormat: semanticErrorFormat,
      migrations: rollupDemandMigrations,
    }),
    loaderOf: (tenant) => catalogs.of(tenant),
    personalMarksOf: (tenant) => catalogs.of(tenant).personalMarks(),
    askSource: askSource(parts, router),
    ready: () => catalogs.ready(),
    source: querySource(parts),
    modelDocuments: (options) => modelDocuments({ ...parts, ...options, log, reader, edits }),
    compareData: (model, options) => compareData(model, { ...parts, ...options, log, reader }),
    sizeOf(tenant, datasource) {
      const model = catalogs.of(tenant).served(datasource)?.model;
      return model && { model: model.name, datasets: model.datasets.size, metrics: model.metrics.size };
    },
    refreshedRollups: () =>
      catalogs.entries().flatMap(([tenant, { entries }]) =>
        [...entries].map(
          ([datasource, { connection, refreshedRollups: rollups, incompleteVersion, warehouse, integrity }]) => ({
            tenant,
            datasource,
            connection,
            rollups,
            isOutdated: async () =>
              incompleteVersion !== undefined && (await warehouse.dataVersion()) !== incompleteVersion,
            reportFailures: (failures) => integrity.reportFailures(failures),
          }),
        ),
      ),
    rollupTablesOf(tenant, datasource) {
      const rollups = catalogs.of(tenant).served(datasource)?.model.rollups ?? [];
      return new Set(rollups.flatMap(({ table: { source } }) => (source.kind === 'table' ? [source.table.name] : [])));
    },
  };
}
