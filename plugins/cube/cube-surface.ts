/** The cube surface answers typed queries of cubes with MDX over their warehouses. */
import { withCheck } from '../../router/answer-checks.ts';
import type { Cache } from '../../router/capabilities/cache.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import { ALL_SETTLED, type DatasourceLoader, type DatasourceStates } from '../../router/capabilities/datasources.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Jobs } from '../../router/capabilities/jobs.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { ServedMarks } from '../../router/capabilities/personal-data.ts';
import type { QuerySource, SourceQuery } from '../../router/capabilities/query-source.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { Warehouses } from '../../router/capabilities/warehouse.ts';
import type { StartThread } from '../../router/capabilities/worker-thread.ts';
import { ValidationError } from '../../router/errors.ts';
import { parseInput } from '../../router/parse-input.ts';
import { type Plugin, plugin } from '../../router/plugin.ts';
import { type AnalyticsPool, inlinePool } from '../analytics/index.ts';
import { answerBasis, countsMoments, type SqlTextPool, valuesOfAnswer } from '../query-surface/index.ts';
import { cubeErrorFormat } from './api/error-format.ts';
import { CubeQueryRequest } from './api/schemas.ts';
import { Catalogs } from './catalog/catalog.ts';
import { pooledSchemaReader, type SchemaPool } from './catalog/servable-schema.ts';
import { SampleMembers } from './describe/sample-members.ts';
import { type EngineMessage, EngineThreads } from './engine/engine-threads.ts';
import { askSource, type CubeAskSource } from './operations/ask-source.ts';
import { cubeRouter } from './operations/cube-router.ts';
import { SURFACE } from './operations/dependencies.ts';
import { drillingWithLeaves } from './operations/drill-leaves.ts';
import { rowsBehind } from './operations/rows-behind.ts';
import { tabular } from './query/answer/response.ts';
import { brokenAnswers } from './query/certified-answers.ts';
import { type Engine, prepare, run } from './query/pipeline.ts';
import { type DrilledQuery, drilledQuery, keysBelow } from './query/resolve/drill-down.ts';
import { MemberFinder } from './query/resolve/find-members.ts';
import { othersQuery } from './query/resolve/others.ts';
import { dimensionsOf, withRuntimeFilters } from './query/resolve/runtime-filters.ts';
import { subtotalsQuery } from './query/resolve/subtotals.ts';
import { checkWrittenTimeAxis, withAnalytics } from './query/time-series/time-series.ts';
import { RecentQueries, recentQueryMigrations } from './recent-queries.ts';
import { pooledScripts, type ScriptPool } from './scripts/runner.ts';
import type { CubeSettings } from './settings.ts';

export interface CubeCapabilities {
  readonly warehouses: Warehouses;
  readonly cache: Cache;
  /** Runs asynchronous queries. */
  readonly jobs: Jobs;
  /** Keeps queries that can be drilled through. */
  readonly state: State;
  readonly log: Log;
  readonly clock: Clock;
  /** Reports which datasources of a tenant are being loaded. By default, none. */
  readonly states?: (tenant: TenantId) => DatasourceStates;
  readonly settings: CubeSettings;
  /** Fits the models of anomalies and forecasts. By default, the calling thread does. */
  readonly analytics?: AnalyticsPool;
  /** Reads schemas. By default, the calling thread does. */
  readonly schemas?: SchemaPool;
  /** Reads the SQL of schemas. By default, the calling thread does. */
  readonly sqlTexts?: SqlTextPool;
  /** Runs the scripts of schemas. By default, the calling thread does. */
  readonly scripts?: ScriptPool;
  /** Starts threads that run the MDX engine, and how many. By default, the calling thread runs it. */
  readonly engines?: { readonly start: StartThread<EngineMessage>; readonly size: number } | undefined;
}

export interface CubeSurface {
  readonly plugin: Plugin<'cube', ReturnType<typeof cubeRouter>>;
  /** Reads a tenant's datasources of type OLAP. */
  readonly loaderOf: (tenant: TenantId) => DatasourceLoader;
  /** Returns the marks of personal data in a tenant's served datasources. */
  readonly personalMarksOf: (tenant: TenantId) => readonly ServedMarks[];
  /** Answers saved queries of the surface `cube`. */
  readonly source: QuerySource;
  /** Answers questions in natural language. */
  readonly askSource: CubeAskSource;
  close(): Promise<void>;
}

export function cube({
  warehouses,
  cache,
  jobs,
  state,
  log,
  clock,
  states = () => ALL_SETTLED,
  settings,
  analytics = inlinePool,
  schemas,
  sqlTexts,
  scripts,
  engines,
}: CubeCapabilities): CubeSurface {
  const threads = engines === undefined ? undefined : new EngineThreads({ ...engines, log });
  const catalogs = new Catalogs({
    warehouses,
    log,
    clock,
    states,
    // The surface's own time limit stops a query. The engine's limit is for callers that use the engine alone.
    limits: { timeMs: 2 * settings.timeoutMs },
    dropAnswers: (prefix) => cache.drop(prefix),
    checkAnswers: (targets) => brokenAnswers(targets, clock()),
    read: schemas === undefined ? undefined : pooledSchemaReader(schemas),
    sqlTexts,
    scripts: scripts === undefined ? undefined : pooledScripts(scripts),
    openEngine: threads === undefined ? undefined : (schema) => threads.engine(schema),
  });
  const samples = new SampleMembers(cache, log, settings.samplesTtlMs);
  const engine: Engine = { cache, clock, settings };
  const recentQueries = new RecentQueries(state, clock, jobs.bounds.keepMs);
  const router = cubeRouter({ ...engine, catalogs, samples, jobs, recentQueries, analytics });
  return {
    plugin: plugin({
      name: 'cube',
      title: 'Cube query',
      router,
      errorFormat: cubeErrorFormat,
      migrations: recentQueryMigrations,
    }),
    loaderOf: (tenant) => catalogs.of(tenant),
    personalMarksOf: (tenant) => catalogs.of(tenant).personalMarks(),
    source: {
      surface: SURFACE,
      prepare(request) {
        const body = parseInput(CubeQueryRequest, request);
        const prepared: SourceQuery = {
          dimensions: dimensionsOf(body),
          checkTimeAxis(timeAxis) {
            checkWrittenTimeAxis(timeAxis, body);
          },
          async run(scope, { signal, runtimeFilters = [], analytics: analysis, others, without, drill }) {
            const basis = await answerBasis({
              cache,
              clock,
              find: () => catalogs.find(body.cube, scope),
              served: () => catalogs.of(scope.tenant).version,
            });
            const { target } = basis;
            const noted = { ...engine, cache: basis.cache };
            let drilled: DrilledQuery | undefined;
            const prepared = await prepare(body, target, noted, {
              signal,
              adapt: async (query) => {
                const narrowed = await withRuntimeFilters(query, runtimeFilters, target, signal);
                drilled = drill && (await drilledQuery(narrowed, drill, target, signal));
                const asked = drilled?.query ?? narrowed;
                const rest = others === undefined ? asked : await othersQuery(asked, others, target, signal);
                return without === undefined ? rest : subtotalsQuery(rest, without);
              },
            });
            const answer = await run(prepared, target, noted, { user: scope.user, signal });
            const isCurrent = countsMoments(body, runtimeFilters) ? undefined : basis.isCurrent;
            // An analysis is along the time axis of the whole answer.
            const table = await (analysis === undefined || (drill?.steps.length ?? 0) > 0
              ? tabular(answer)
              : withAnalytics(answer, prepared.query, analysis, {
                  pool: analytics,
                  signal,
                  allMembers: (level) => new MemberFinder(target, signal).all(level),
                }));
            if (drill === undefined || drilled === undefined || others !== undefined || without !== undefined)
              return withCheck(table, isCurrent);
            const { timeoutMs } = settings;
            const reading = { user: scope.user, timeoutMs, signal };
            const drilling = await drillingWithLeaves(drilled, drill, answer, target, reading);
            return withCheck({ ...table, drilling }, isCurrent);
          },
          async offer(scope, { field, text, limit, runtimeFilters, signal }) {
            const values = valuesOfAnswer(await prepared.run(scope, { runtimeFilters, signal }), field, {
              text,
              limit,
            });
            if (values !== undefined) return values;
            throw ValidationError.at(['field'], 'This field is not shown.', prepared.dimensions);
          },
          rows: (scope, options) => rowsBehind(body, scope, options, { ...engine, catalogs }),
          async keysBelow(scope, down) {
            return keysBelow(down, (await catalogs.find(body.cube, scope)).view);
          },
        };
        return prepared;
      },
    },
    askSource: askSource({ catalogs, samples }, router),
    async close() {
      // A thread that does not answer must not keep the process from its end.
      await threads?.close();
      await catalogs.close();
    },
  };
}
