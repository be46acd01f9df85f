/** The procedures of the surface, one for each row of the interface's table, each with its REST address. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Cache } from '../../router/capabilities/cache.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Caller, Scope } from '../../router/capabilities/identity.ts';
import { UnauthenticatedError } from '../../router/errors.ts';
import { documented, operation, operations } from '../../router/operation.ts';
import type { Catalog } from './catalog.ts';
import { answer, compile, type QuerySettings } from './query/pipeline.ts';
import { visibleTo } from './query/visible.ts';
import type { FieldFacts, Samples } from './schema/samples.ts';
import { modelSchema } from './schema/view.ts';
import { ModelListing, ModelSchema, PreviewResponse, SemanticQueryRequest, SemanticQueryResponse } from './schemas.ts';

const ROOT = '/rest/service/api/ai/semantic';

export interface Parts {
  readonly catalog: Catalog;
  readonly samples: Samples;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly settings: QuerySettings;
}

export function semanticRouter({ catalog, samples, cache, clock, settings }: Parts) {
  return operations({
    models: operation({
      summary: 'List the semantic models',
      access: 'user',
      rest: { method: 'GET', path: `${ROOT}/models` },
    })
      .output(z.array(ModelListing))
      .query(async ({ ctx }) => {
        const scope = scopeOf(ctx.caller);
        return (await catalog.list()).map(({ connection, model }) => ({
          connectionName: connection,
          modelName: model.name,
          description: model.description,
          factDataset: model.factDataset,
          datasetCount: model.datasets.size,
          metricCount: visibleTo(scope, model).metrics.size,
        }));
      }),

    schema: operation({
      summary: 'Describe a semantic model: datasets, fields with sample values, metrics, relationships, request schema',
      access: 'user',
      rest: { method: 'GET', path: `${ROOT}/schema/{connection}/{model}`, query: ['refresh'] },
    })
      .input(
        z.strictObject({
          connection: z.string(),
          model: z.string(),
          refresh: z.boolean().optional().describe('Reads sample values anew instead of from the cache.'),
        }),
      )
      .output(ModelSchema)
      .query(async ({ ctx, input }) => {
        const entry = await catalog.find(input.connection, input.model);
        const model = visibleTo(scopeOf(ctx.caller), entry.model);
        const facts = new Map<string, ReadonlyMap<string, FieldFacts>>();
        for (const dataset of model.datasets.values()) {
          facts.set(dataset.name, await samples.of(dataset, model, entry, input.refresh ?? false));
        }
        return modelSchema(model, entry.connection, facts);
      }),

    query: operation({
      summary: 'Answer a typed query',
      access: 'user',
      rest: { method: 'POST', path: `${ROOT}/query`, body: '*' },
      implementationChoice: `At most 100,000 rows; without a limit the answer is cut at the server's service.query.maxRows.`,
    })
      .input(SemanticQueryRequest)
      .output(documented(SemanticQueryResponse))
      .mutation(async ({ ctx, input, signal }) => {
        const started = clock();
        const entry = await catalog.find(input.connection, input.model);
        const compiled = compile(input, entry, scopeOf(ctx.caller), settings);
        const { columns, records, meta } = await answer(compiled, entry, cache, settings, signal);
        return {
          queryId: randomUUID(),
          runtime: Math.max(0, Math.round(clock() - started)),
          columns: columns.map(({ key, label, type, aggregationKind }) => ({
            key,
            label,
            type,
            ...(aggregationKind === undefined ? {} : { aggregationKind }),
          })),
          records: [...records],
          meta,
        };
      }),

    preview: operation({
      summary: 'Show the SQL that a query would run',
      access: 'user',
      rest: { method: 'POST', path: `${ROOT}/query/preview`, body: '*' },
    })
      .input(SemanticQueryRequest)
      .output(PreviewResponse)
      .mutation(async ({ ctx, input }) => {
        const entry = await catalog.find(input.connection, input.model);
        const { statement } = compile(input, entry, scopeOf(ctx.caller), settings);
        return { queryId: randomUUID(), status: 'PREVIEW', generatedSql: statement.sql };
      }),
  });
}

/** Access is checked before an operation runs; this only tells the compiler, and fails closed. */
function scopeOf(caller: Caller): Scope {
  if (caller.kind === 'anonymous') throw new UnauthenticatedError();
  return caller;
}
