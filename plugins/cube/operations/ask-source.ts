/** Presents a cube for questions in natural language. */
import { z } from 'zod';
import type { AskElement, AskSource, AskSubject } from '../../../router/ask-source.ts';
import { userOf } from '../../../router/calling-user.ts';
import { Certification } from '../../../router/certified-answer.ts';
import { AskQuestion, type Operations, pinnedRequests, readTarget, targetOf } from '../../query-surface/index.ts';
import { cubeErrorFormat } from '../api/error-format.ts';
import { CubeObject, CubeQueryRequest, CubeQueryResponse, CubeReference } from '../api/schemas.ts';
import type { CubeTarget } from '../catalog/cube-target.ts';
import type {
  DimensionMetadata,
  HierarchyMetadata,
  LevelMetadata,
  MeasureMetadata,
} from '../cube-metadata/cube-metadata.ts';
import { shownUnit } from '../cube-metadata/shown-unit.ts';
import { examplesOf } from '../describe/example-requests.ts';
import type { cubeRouter } from './cube-router.ts';
import { type Dependencies, ROOT, SURFACE } from './dependencies.ts';

const AskTarget = z.object({ cube: CubeReference });

const AskRequest = AskQuestion.extend(AskTarget.shape);

const AskAnswer = z.object({
  question: z.string(),
  cube: CubeObject,
  queryUsed: CubeQueryRequest.describe('The query that the language model wrote.'),
  response: CubeQueryResponse,
  certified: Certification.optional().describe('Set where the answer is a certified one.'),
});

const requestsOf = pinnedRequests('CubeAiQueryRequest', CubeQueryRequest);

export type CubeAskSource = AskSource<typeof AskRequest, typeof AskAnswer>;

/** @param router the surface's router, whose operations check and answer the language model's requests */
export function askSource(
  { catalogs, samples }: Pick<Dependencies, 'catalogs' | 'samples'>,
  router: ReturnType<typeof cubeRouter>,
): CubeAskSource {
  return {
    surface: SURFACE,
    root: ROOT,
    errorFormat: cubeErrorFormat,
    request: AskRequest,
    answer: AskAnswer,
    target: AskTarget,
    checkTarget: (target) => void readTarget(AskTarget, target),
    async open(reference, context) {
      const target = await catalogs.find(targetOf(AskTarget, reference).cube, userOf(context));
      const values: ReadValues = async (level, signal) =>
        (await samples.ofLevel(level, target, signal)).map(({ caption }) => caption);
      return subjectOf(target, values, { router, context });
    },
  };
}

type ReadValues = (level: LevelMetadata, signal: AbortSignal | undefined) => Promise<readonly string[]>;

function subjectOf(target: CubeTarget, values: ReadValues, operations: Operations): AskSubject {
  const { cubeId, connection, catalogName, schemaName, view } = target;
  return {
    reference: cubeId,
    target: { cube: { connectionName: connection, catalog: catalogName, schema: schemaName, cubeName: view.name } },
    title: view.caption,
    description: view.annotations.description,
    instructions: undefined,
    questions: [],
    certified: view.certified,
    elements: [
      ...view.measures.filter(({ offered }) => offered).map(measureElement),
      ...view.dimensions.filter(({ offered }) => offered).flatMap((dimension) => levelElements(dimension, values)),
    ],
    notes: view.defaultMeasure === '' ? [] : [`The measure that is meant where none is named: ${view.defaultMeasure}`],
    examples: Object.values(examplesOf(cubeId, view, new Map())).map(({ description, body }) => ({
      description,
      request: body,
    })),
    ...requestsOf({ cube: cubeId }, operations),
  };
}

function measureElement(measure: MeasureMetadata): AskElement {
  const { name, caption, aliases, aggregationKind, unit, formatString, annotations } = measure;
  const { description, grain, requiredFilters } = annotations;
  const measuredIn = unit ?? shownUnit(formatString ?? '');
  return {
    kind: 'measure',
    name,
    label: caption,
    synonyms: aliases,
    description,
    instructions: undefined,
    questions: [],
    facts: [
      aggregationKind,
      ...(measuredIn === null ? [] : [`in ${measuredIn}`]),
      ...(grain === undefined ? [] : [`of each ${grain}`]),
      ...(requiredFilters.length === 0 ? [] : [`needs a filter or a row of ${requiredFilters.join(' and ')}`]),
    ],
  };
}

function levelElements(dimension: DimensionMetadata, values: ReadValues): readonly AskElement[] {
  return dimension.hierarchies
    .filter(({ offered }) => offered)
    .flatMap((hierarchy) =>
      hierarchy.levels
        .filter(({ offered, isAll }) => offered && !isAll)
        .map((level) => levelElement(dimension, hierarchy, level, values)),
    );
}

function levelElement(
  dimension: DimensionMetadata,
  hierarchy: HierarchyMetadata,
  level: LevelMetadata,
  values: ReadValues,
): AskElement {
  const { name, caption, aliases, annotations, levelType } = level;
  const named = dimension.hierarchies.length > 1 ? { hierarchy: hierarchy.name } : {};
  return {
    kind: 'level',
    name: JSON.stringify({ dimension: dimension.name, ...named, level: name }),
    label: caption,
    synonyms: [...aliases, ...dimension.aliases, ...hierarchy.aliases],
    description: annotations.description ?? dimension.annotations.description,
    instructions: undefined,
    questions: [],
    facts: [
      ...(levelType === 'Regular' ? [] : [levelType]),
      ...(annotations.cardinality === undefined ? [] : [`cardinality ${annotations.cardinality}`]),
      ...(annotations.grain === undefined ? [] : [`grain ${annotations.grain}`]),
    ],
    values: (signal) => values(level, signal),
  };
}
