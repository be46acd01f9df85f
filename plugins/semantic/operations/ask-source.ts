/** Gives a semantic model to the surface that answers questions in natural language. */

import { z } from 'zod';
import type { AskElement, AskSource, AskSubject } from '../../../router/ask-source.ts';
import { Name } from '../../../router/bounded.ts';
import { userOf } from '../../../router/calling-user.ts';
import { Certification } from '../../../router/certified-answer.ts';
import { AskQuestion, type Operations, pinnedRequests, readTarget, targetOf } from '../../query-surface/index.ts';
import type { Entry } from '../catalog.ts';
import { semanticErrorFormat } from '../error-format.ts';
import { overrideName } from '../model/aggregations.ts';
import { mainDateOf } from '../model/main-date.ts';
import type { Dataset, Field, Metric, Model } from '../model/model.ts';
import { applyAccessPolicy } from '../query/request/access-policy.ts';
import { examplesOf } from '../schema-api/examples.ts';
import { withGrainsOf } from '../schema-api/request-schema-grains.ts';
import { SemanticQueryRequest, SemanticQueryResponse } from '../schemas.ts';
import { type Dependencies, ROOT, SURFACE } from './dependencies.ts';
import type { semanticRouter } from './router.ts';

const AskTarget = z.object({
  connection: Name.describe('connectionName of the model.'),
  model: Name.optional().describe('modelName; may be left out where the connection has one model.'),
});

const AskRequest = AskQuestion.extend(AskTarget.shape);

const AskAnswer = z.object({
  question: z.string(),
  connection: z.string(),
  model: z.string(),
  queryUsed: SemanticQueryRequest.describe('The query that the language model wrote.'),
  response: SemanticQueryResponse,
  certified: Certification.optional().describe('Set where the answer is a certified one.'),
});

const requestsOf = pinnedRequests('SemanticAiQueryRequest', SemanticQueryRequest);

export type SemanticAskSource = AskSource<typeof AskRequest, typeof AskAnswer>;

/** @param router the surface's router, whose operations check and answer the requests of the language model */
export function askSource(
  { catalogs, samples }: Pick<Dependencies, 'catalogs' | 'samples'>,
  router: ReturnType<typeof semanticRouter>,
): SemanticAskSource {
  return {
    surface: SURFACE,
    root: ROOT,
    errorFormat: semanticErrorFormat,
    request: AskRequest,
    answer: AskAnswer,
    target: AskTarget,
    checkTarget: (target) => void readTarget(AskTarget, target),
    async open(target, context) {
      const { connection, model: name } = targetOf(AskTarget, target);
      const scope = userOf(context);
      const entry = await catalogs.find(connection, name, scope);
      const model = applyAccessPolicy(scope, entry.model);
      const values = (field: Field) => samples.valuesOf(field, model, entry);
      return subjectOf(entry, model, values, { router, context });
    },
  };
}

type ReadValues = (field: Field) => Promise<readonly string[]>;

function subjectOf({ connection }: Entry, model: Model, values: ReadValues, operations: Operations): AskSubject {
  const target = { connection, model: model.name };
  const requests = requestsOf(target, operations);
  return {
    reference: `${connection}/${model.name}`,
    target,
    title: model.name,
    description: model.description === '' ? undefined : model.description,
    instructions: model.instructions,
    questions: texts(model.aiExamples),
    elements: elementsOf(model, values),
    certified: model.certified,
    notes: [
      'Here a field is written dataset.field; in a request it is {"dataset": …, "field": …}.',
      ...model.relationships.map(({ name, from, to }) => `The relationship ${name} leads from ${from} to ${to}.`),
    ],
    examples: Object.values(examplesOf(model, connection, () => undefined)).map(({ description, body }) => ({
      description,
      request: body,
    })),
    ...requests,
    tool: { ...requests.tool, inputSchema: withGrainsOf(model, requests.tool.inputSchema) },
  };
}

function elementsOf(model: Model, values: ReadValues): readonly AskElement[] {
  const { metrics, datasets } = model;
  const isShown = ({ display }: Pick<Field, 'display'>) => !display.hidden;
  return [
    ...[...metrics.values()].filter(isShown).map((metric) => metricElement(metric, model)),
    ...[...datasets.values()].flatMap((dataset) => [
      datasetElement(dataset),
      ...[...dataset.fields.values()].filter(isShown).map((field) => fieldElement(field, values)),
    ]),
  ];
}

function metricElement(metric: Metric, model: Model): AskElement {
  const { supportedOverrides } = metric;
  const overrides =
    supportedOverrides.length === 0 ? [] : [`may be ${supportedOverrides.map(overrideName).join(', ')}`];
  return {
    ...describe(metric),
    kind: 'metric',
    name: metric.name,
    facts: [metric.aggregationKind, ...overrides],
    companions: mainDatesOf(metric, model),
  };
}

/** Returns the main dates of the datasets that a metric aggregates. */
function mainDatesOf({ reads, countedDataset }: Metric, model: Model): readonly string[] {
  const datasets = reads.length === 0 ? [countedDataset] : reads.map(({ dataset }) => dataset);
  const dates = [...new Set(datasets)].flatMap((dataset) => mainDateOf(dataset, model) ?? []);
  return dates.map(({ dataset, name }) => `${dataset}.${name}`);
}

function datasetElement(dataset: Dataset): AskElement {
  return { ...describe({ ...dataset, label: dataset.name }), kind: 'dataset', name: dataset.name, facts: [] };
}

/** Describes a field. The document's examples of a field are left out, because they are values of it, which are data. */
function fieldElement(field: Field, values: ReadValues): AskElement {
  return {
    ...describe(field),
    kind: 'field',
    name: `${field.dataset}.${field.name}`,
    questions: [],
    facts: [field.isTime ? `${field.type}, a time` : field.type],
    values: () => values(field),
  };
}

function describe({ label, description, synonyms, instructions, aiExamples }: Pick<Metric, ToldMember>) {
  return { label, description, synonyms, instructions, questions: texts(aiExamples) };
}
type ToldMember = 'label' | 'description' | 'synonyms' | 'instructions' | 'aiExamples';

function texts(examples: readonly unknown[]): readonly string[] {
  return examples.filter((each) => typeof each === 'string');
}
