/** Operations that list the models, their contents and the values of their fields. */
import { z } from 'zod';
import { Name } from '../../../router/bounded.ts';
import { userOf } from '../../../router/calling-user.ts';
import { operation } from '../../../router/operation.ts';
import { RequestSchemaAsked, SamplesAsked } from '../../query-surface/index.ts';
import { execute } from '../query/execute/cached-statement.ts';
import { compileSearch, textOf } from '../query/execute/field-search.ts';
import { applyAccessPolicy } from '../query/request/access-policy.ts';
import { modelSchema } from '../schema-api/model-view.ts';
import type { FieldFacts } from '../schema-api/samples.ts';
import {
  DEFAULT_MATCHES,
  ModelListing,
  ModelSchema,
  OntologyResponse,
  ValueSearchRequest,
  ValueSearchResponse,
} from '../schemas.ts';
import { type Dependencies, ROOT } from './dependencies.ts';
import { SEMANTIC_TOOLS } from './tools.ts';

export function modelOperations({ catalogs, samples, cache, settings }: Dependencies) {
  return {
    models: operation({
      summary: 'List the semantic models',
      access: 'user',
      tool: SEMANTIC_TOOLS.models,
      rest: { method: 'GET', path: `${ROOT}/models` },
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
        query: ['refresh', 'requestSchema', 'samples'],
      },
      implementationChoice:
        'The query parameters `requestSchema` and `samples`; the members `roles` of a dataset, with the values for `via` and their labels, and `label` of a relationship.',
    })
      .input(
        z.strictObject({
          connection: Name,
          model: Name,
          refresh: z.boolean().optional().describe('Reads sample values again instead of from the cache.'),
          requestSchema: RequestSchemaAsked,
          samples: SamplesAsked,
        }),
      )
      .output(ModelSchema)
      .query(async ({ ctx, input }) => {
        const entry = await catalogs.find(input.connection, input.model, userOf(ctx));
        const model = applyAccessPolicy(userOf(ctx), entry.model);
        const facts = new Map<string, ReadonlyMap<string, FieldFacts>>();
        for (const dataset of input.samples === false ? [] : model.datasets.values()) {
          facts.set(dataset.name, await samples.of(dataset, model, entry, input.refresh ?? false));
        }
        return modelSchema(model, entry.connection, facts, input.requestSchema ?? true);
      }),

    ontology: operation({
      summary: 'The ontology of a semantic model: the concepts of its document and their relations',
      access: 'user',
      tool: SEMANTIC_TOOLS.ontology,
      rest: { method: 'GET', path: `${ROOT}/ontology/{connection}/{model}` },
    })
      .input(z.strictObject({ connection: Name, model: z.string() }))
      .output(OntologyResponse)
      .query(async ({ ctx, input }) => {
        const { connection, model } = await catalogs.find(input.connection, input.model, userOf(ctx));
        return { connection, model: model.name, ontology: [...model.ontology] };
      }),

    searchValues: operation({
      summary: 'Search the values of a field',
      access: 'user',
      tool: SEMANTIC_TOOLS.searchValues,
      rest: {
        method: 'GET',
        path: `${ROOT}/values/search`,
        query: ['connection', 'model', 'dataset', 'field', 'q', 'limit', 'counts'],
      },
      implementationChoice:
        'The other members repeat the request with the model’s spelling of the names. The values of `matches` are distinct, sorted, never null, and from rows that the caller may see. `counts` has the number of those rows for each match; it is absent where one of them is a small group.',
    })
      .input(ValueSearchRequest)
      .output(ValueSearchResponse)
      .query(async ({ ctx, input, signal }) => {
        const { q, limit = DEFAULT_MATCHES, counts: isCounted = false } = input;
        const entry = await catalogs.find(input.connection, input.model, userOf(ctx));
        const { dataset, field, statement, searchedField } = compileSearch(
          input,
          { text: q, limit, isCounted },
          entry,
          userOf(ctx),
        );
        const { value } = await execute(statement, {
          warehouse: entry.warehouse,
          cache,
          keyPrefix: entry.keyPrefix,
          ttlMs: settings.cacheTtlMs,
          maxRows: limit,
          signal,
        });
        const [values = [], numbers = []] = value.values;
        const matches = values.flatMap((each, row) => {
          const text = textOf(each, searchedField);
          return text === undefined ? [] : [{ text, count: Number(numbers[row]) }];
        });
        // The count of a small group is as much as its metric. Without it the others would give it away.
        const isShown = isCounted && matches.every(({ count }) => count >= settings.kAnonymity.threshold);
        return {
          matches: matches.map(({ text }) => text),
          ...(isShown ? { counts: matches.map(({ count }) => count) } : {}),
          connection: entry.connection,
          model: entry.model.name,
          dataset,
          field,
          ...(q === undefined ? {} : { q }),
          limit,
        };
      }),
  };
}
