/** Operations that list the models and their contents. */
import { z } from 'zod';
import { Name } from '../../../router/bounded.ts';
import { userOf } from '../../../router/calling-user.ts';
import { operation } from '../../../router/operation.ts';
import {
  DetailAsked,
  MAX_SAMPLED_IN_INDEX,
  namedParts,
  PartsSought,
  RequestSchemaAsked,
  SamplesAsked,
} from '../../query-surface/index.ts';
import type { Dataset, Model } from '../model/model.ts';
import { applyAccessPolicy } from '../query/request/access-policy.ts';
import { modelSchema } from '../schema-api/model-view.ts';
import type { FieldFacts } from '../schema-api/samples.ts';
import { allParts, isForParts, NO_PARTS, partsOf, type ShownParts } from '../schema-api/shown-parts.ts';
import { ModelListing, ModelSchema, OntologyResponse } from '../schemas.ts';
import { type Dependencies, ROOT } from './dependencies.ts';
import { SEMANTIC_TOOLS } from './tools.ts';

export function modelOperations({ catalogs, samples }: Dependencies) {
  return {
    models: operation({
      summary: 'List the semantic models',
      access: 'user',
      tool: SEMANTIC_TOOLS.models,
      rest: { method: 'GET', path: `${ROOT}/models`, isRevalidated: true },
    })
      .output(z.array(ModelListing))
      .query(async ({ ctx }) => {
        const scope = userOf(ctx);
        return (await catalogs.list(scope)).map(({ connection, model }) => ({
          connectionName: connection,
          modelName: model.name,
          description: model.description,
          factDataset: model.factDataset,
          datasetCount: model.datasets.size,
          metricCount: applyAccessPolicy(scope, model).metrics.size,
        }));
      }),

    schema: operation({
      summary: 'Describe a semantic model: datasets, fields with sample values, metrics, relationships, request schema',
      access: 'user',
      tool: SEMANTIC_TOOLS.schema,
      rest: {
        method: 'GET',
        path: `${ROOT}/schema/{connection}/{model}`,
        query: ['refresh', 'requestSchema', 'samples', 'detail', 'datasets', 'metrics', 'q'],
      },
      implementationChoice:
        'The query parameters `requestSchema`, `samples`, `detail`, `datasets`, `metrics` and `q`; the member `index`; the members `roles` of a dataset, with the values for `via` and their labels, and `label` of a relationship.',
    })
      .input(
        z.strictObject({
          connection: Name,
          model: Name,
          refresh: z.boolean().optional().describe('Reads sample values again instead of from the cache.'),
          requestSchema: RequestSchemaAsked,
          samples: SamplesAsked,
          detail: DetailAsked,
          datasets: namedParts('datasets'),
          metrics: namedParts('metrics'),
          q: PartsSought,
        }),
      )
      .output(ModelSchema)
      .query(async ({ ctx, input }) => {
        const { detail = 'full', requestSchema: hasRequestSchema = true } = input;
        const entry = await catalogs.find(input.connection, input.model, userOf(ctx));
        const model = applyAccessPolicy(userOf(ctx), entry.model);
        const hasOverview = !isForParts(input);
        const hasIndex = hasOverview && detail === 'index';
        const parts = hasIndex ? NO_PARTS : hasOverview ? allParts(model) : partsOf(model, input);
        const facts = new Map<string, ReadonlyMap<string, FieldFacts>>();
        for (const dataset of input.samples === false ? [] : sampled(model, hasIndex ? undefined : parts)) {
          facts.set(dataset.name, await samples.of(dataset, model, entry, input.refresh ?? false));
        }
        return modelSchema(model, entry.connection, facts, { parts, hasIndex, hasOverview, hasRequestSchema });
      }),

    ontology: operation({
      summary: 'The ontology of a semantic model: the concepts of its document and their relations',
      access: 'user',
      tool: SEMANTIC_TOOLS.ontology,
      rest: { method: 'GET', path: `${ROOT}/ontology/{connection}/{model}`, isRevalidated: true },
    })
      .input(z.strictObject({ connection: Name, model: z.string() }))
      .output(OntologyResponse)
      .query(async ({ ctx, input }) => {
        const { connection, model } = await catalogs.find(input.connection, input.model, userOf(ctx));
        return { connection, model: model.name, ontology: [...model.ontology] };
      }),
  };
}

/** Returns the datasets whose values a description has: those of its parts, for an index all of a small model. */
function sampled(model: Model, parts: ShownParts | undefined): readonly Dataset[] {
  const datasets = [...model.datasets.values()];
  if (parts !== undefined) return datasets.filter(({ name }) => parts.datasets.has(name));
  const fields = datasets.reduce((count, dataset) => count + dataset.fields.size, 0);
  return fields <= MAX_SAMPLED_IN_INDEX ? datasets : [];
}
