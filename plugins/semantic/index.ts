/** The semantic-model surface: typed questions to models of OSI documents, answered by the warehouse they describe. */
import type { Cache } from '../../router/capabilities/cache.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { DatasourceLoader } from '../../router/capabilities/datasources.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { QuerySource } from '../../router/capabilities/query-source.ts';
import type { Warehouses } from '../../router/capabilities/warehouse.ts';
import { toServiceError } from '../../router/error-shape.ts';
import { type Plugin, plugin } from '../../router/plugin.ts';
import { Catalog } from './catalog.ts';
import { semanticErrorFormat } from './error-format.ts';
import { semanticRouter } from './operations.ts';
import { answer, compile, type QuerySettings } from './query/pipeline.ts';
import { type SampleSettings, Samples } from './schema/samples.ts';
import { SemanticQueryRequest } from './schemas.ts';

export interface SemanticCapabilities {
  readonly warehouses: Warehouses;
  readonly cache: Cache;
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: SemanticSettings;
}

export interface SemanticSettings extends QuerySettings, SampleSettings {}

export interface Semantic {
  readonly plugin: Plugin<'semantic', ReturnType<typeof semanticRouter>>;
  /** Reads datasources of type SEMANTIC. */
  readonly loader: DatasourceLoader;
  /** Answers saved queries of the surface `semantic`. */
  readonly source: QuerySource;
}

export function semantic({ warehouses, cache, log, clock, settings }: SemanticCapabilities): Semantic {
  const catalog = new Catalog(warehouses, log, clock, (prefix) => cache.drop(prefix));
  const samples = new Samples(cache, log, settings);
  return {
    plugin: plugin({
      name: 'semantic',
      title: 'Semantic-model query',
      router: semanticRouter({ catalog, samples, cache, clock, settings }),
      errorFormat: semanticErrorFormat,
    }),
    loader: catalog,
    source: {
      surface: 'semantic',
      checkShape(request) {
        parse(request);
      },
      async run(request, scope, { signal }) {
        const body = parse(request);
        const entry = await catalog.find(body.connection, body.model);
        return answer(compile(body, entry, scope, settings), entry, cache, settings, signal);
      },
    },
  };
}

function parse(request: unknown): SemanticQueryRequest {
  const parsed = SemanticQueryRequest.safeParse(request);
  if (!parsed.success) throw toServiceError(parsed.error);
  return parsed.data;
}

export { SemanticQueryRequest, SemanticQueryResponse } from './schemas.ts';
