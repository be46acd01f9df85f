/** The semantic-model surface: typed questions to models of OSI documents, answered by the warehouse they describe. */
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
import { type AnalyticsPool, analysed, inlinePool, requireTimeAxis } from '../analytics/index.ts';
import { Catalogs } from './catalog.ts';
import { semanticErrorFormat } from './error-format.ts';
import { askSource, type SemanticAskSource } from './operations/ask-source.ts';
import { semanticRouter } from './operations/index.ts';
import { axisFields, writtenAxisFields } from './query/axis-fields.ts';
import { withTimeOf } from './query/grain/time-ready.ts';
import { answer, compile, type QuerySettings } from './query/pipeline.ts';
import { dimensionsOf, withRuntimeFilters } from './query/runtime-filters.ts';
import { parseRequest } from './request.ts';
import { type SampleSettings, Samples } from './schema-api/samples.ts';
import { pooledReader, type YamlPool } from './yaml-reader.ts';

export type { YamlResult } from './model/yaml-text.ts';

export interface SemanticCapabilities {
  readonly warehouses: Warehouses;
  readonly cache: Cache;
  /** Runs asynchronous queries. */
  readonly jobs: Jobs;
  readonly log: Log;
  readonly clock: Clock;
  /** Tells which datasources of a tenant are being loaded; without it, none. */
  readonly states?: (tenant: TenantId) => DatasourceStates;
  readonly settings: SemanticSettings;
  /** Fits the models of anomalies and forecasts; without it, the calling thread does. */
  readonly analytics?: AnalyticsPool;
  /** Reads documents; without it, the calling thread does. */
  readonly documents?: YamlPool;
}

export interface SemanticSettings extends QuerySettings, SampleSettings {}

export interface Semantic {
  readonly plugin: Plugin<'semantic', ReturnType<typeof semanticRouter>>;
  /** Reads datasources of type SEMANTIC of a tenant. */
  readonly loaderOf: (tenant: TenantId) => DatasourceLoader;
  /** Returns what the served datasources of a tenant mark as personal data. */
  readonly personalMarksOf: (tenant: TenantId) => readonly ServedMarks[];
  /** Resolves when what is looked up of the data in the background is known: which joins may be inner ones. */
  ready(): Promise<void>;
  /** Answers saved queries of the surface `semantic`. */
  readonly source: QuerySource;
  /** Takes questions in natural language. */
  readonly askSource: SemanticAskSource;
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
}: SemanticCapabilities): Semantic {
  const catalogs = new Catalogs({
    warehouses,
    log,
    states,
    dropAnswers: (prefix) => cache.drop(prefix),
    readYaml: documents && pooledReader(documents),
  });
  const samples = new Samples(cache, log, settings);
  const context = { ...settings, clock };
  const router = semanticRouter({ catalogs, samples, cache, jobs, clock, settings: context, analytics });
  return {
    plugin: plugin({
      name: 'semantic',
      title: 'Semantic-model query',
      router,
      errorFormat: semanticErrorFormat,
    }),
    loaderOf: (tenant) => catalogs.of(tenant),
    personalMarksOf: (tenant) => catalogs.of(tenant).personalMarks(),
    askSource: askSource({ catalogs, samples }, router),
    ready: () => catalogs.ready(),
    source: {
      surface: 'semantic',
      prepare(request) {
        const body = parseRequest(request);
        return {
          dimensions: dimensionsOf(body),
          checkTimeAxis(timeAxis) {
            requireTimeAxis(timeAxis, writtenAxisFields(body));
          },
          async run(scope, { signal, runtimeFilters = [], analytics: analysis }) {
            const served = await catalogs.find(body.connection, body.model, scope);
            const entry = await withTimeOf(body, served, scope, { cache, settings, signal });
            const compiled =
              runtimeFilters.length === 0
                ? compile(body, entry, scope, context)
                : withRuntimeFilters(body, runtimeFilters, (each) => compile(each, entry, scope, context));
            const found = await answer(compiled, entry, cache, settings, signal);
            return analysis === undefined
              ? found
              : analysed(found, analysis, axisFields(compiled.plan.groups, body), { pool: analytics, signal });
          },
        };
      },
    },
  };
}

export { type LintOptions, lintDocument } from './lint/index.ts';
export { rolesNamed } from './lint/roles.ts';
export { WINDOW_TAKES } from './model/metric-kinds.ts';
export type { Place } from './model/problems.ts';
export { ExpressionError, parserDialect } from './model/sql.ts';
export { lineFinder, readYaml } from './model/yaml-text.ts';
export { answerOffline } from './offline.ts';
export { columnOf, division, identifier, namesIn, qualified, rewrite } from './write/ansi-sql.ts';
export {
  ansi,
  type OsiDataset,
  type OsiExpression,
  type OsiExtension,
  type OsiField,
  type OsiMetric,
  type OsiModel,
  type OsiRelationship,
  serviceExtension,
  writeOsi,
} from './write/osi-document.ts';
