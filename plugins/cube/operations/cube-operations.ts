/** Operations that list and describe cubes and search their members. */
import { z } from 'zod';
import { userOf } from '../../../router/calling-user.ts';
import { operation } from '../../../router/operation.ts';
import {
  DetailAsked,
  MAX_SAMPLED_IN_INDEX,
  namedParts,
  PartsSought,
  ProblemList,
  RequestSchemaAsked,
  SamplesAsked,
} from '../../query-surface/index.ts';
import {
  CubeId,
  CubeListing,
  CubeSchema,
  DEFAULT_MATCHES,
  type MemberEntry,
  MembersSearchRequest,
  MembersSearchResponse,
  PiiSuggestions,
} from '../api/schemas.ts';
import type { CubeTarget } from '../catalog/cube-target.ts';
import { cubeSchema } from '../describe/cube-description.ts';
import { piiSuggestions } from '../describe/pii-suggestions.ts';
import { allParts, isForParts, NO_PARTS, partsOf, type ShownParts } from '../describe/shown-parts.ts';
import { within } from '../query/execute/cached-mdx.ts';
import { MemberFinder } from '../query/resolve/find-members.ts';
import { findPlace } from '../query/resolve/find-names.ts';
import { levelsToSearch, searchLevels } from '../query/resolve/search-levels.ts';
import { type Dependencies, ROOT } from './dependencies.ts';
import { CUBE_TOOLS } from './tools.ts';

export function cubeOperations({ catalogs, samples, settings }: Dependencies) {
  return {
    cubes: operation({
      summary: 'List the cubes',
      access: 'user',
      tool: CUBE_TOOLS.cubes,
      rest: { method: 'GET', path: `${ROOT}/cubes`, isRevalidated: true },
      implementationChoice: 'The members cubeId and description. Only cubes that the caller’s roles see are listed.',
    })
      .output(z.array(CubeListing))
      .query(async ({ ctx }) => (await catalogs.list(userOf(ctx))).map(listing)),

    schema: operation({
      summary: 'Describe a cube: measures, dimensions, levels with sample members, request schema, examples',
      access: 'user',
      tool: CUBE_TOOLS.schema,
      rest: {
        method: 'GET',
        path: `${ROOT}/schema/{cubeId+}`,
        query: ['refresh', 'requestSchema', 'samples', 'detail', 'dimensions', 'measures', 'q'],
      },
      implementationChoice:
        'More members than in the interface, and the query parameters refresh, requestSchema, samples, detail, dimensions, measures and q. Maps are keyed by lower-cased names; of two names that differ in letter case only, the second keeps its own.',
    })
      .input(
        z.strictObject({
          cubeId: CubeId.describe('`connection/catalog/schema/cube`; its slashes stay as they are.'),
          refresh: z.boolean().optional().describe('Reads sample members anew instead of from the cache.'),
          requestSchema: RequestSchemaAsked,
          samples: SamplesAsked,
          detail: DetailAsked,
          dimensions: namedParts('dimensions'),
          measures: namedParts('measures'),
          q: PartsSought,
        }),
      )
      .output(CubeSchema)
      .query(async ({ ctx, input, signal }) => {
        const { detail = 'full', requestSchema: hasRequestSchema = true } = input;
        const target = await catalogs.find(input.cubeId, userOf(ctx), ['cubeId']);
        const hasOverview = !isForParts(input);
        const hasIndex = hasOverview && detail === 'index';
        const all = allParts(target.view);
        const parts = hasIndex ? NO_PARTS : hasOverview ? all : partsOf(target.view, input);
        const sampled = hasIndex ? (levelCount(all) <= MAX_SAMPLED_IN_INDEX ? all : NO_PARTS) : parts;
        const members =
          input.samples === false
            ? new Map<string, readonly MemberEntry[]>()
            : await within(settings.timeoutMs, signal, (stop) =>
                samples.of({ target, dimensions: sampled.dimensions }, input.refresh ?? false, stop),
              );
        return cubeSchema(target, members, { parts, hasIndex, hasOverview, hasRequestSchema });
      }),

    piiSuggestions: operation({
      summary: 'Levels and measures whose names look like personal data and are not annotated',
      access: 'user',
      rest: { method: 'GET', path: `${ROOT}/schema/{cubeId+}/pii-suggestions` },
      implementationChoice: 'The whole operation.',
    })
      .input(z.strictObject({ cubeId: CubeId }))
      .output(PiiSuggestions)
      .query(async ({ ctx, input }) => {
        const { view } = await catalogs.find(input.cubeId, userOf(ctx), ['cubeId']);
        return { suggestions: piiSuggestions(view).map((each) => ({ ...each })) };
      }),

    searchMembers: operation({
      summary: 'Search the members of a level, or of all levels',
      access: 'user',
      tool: CUBE_TOOLS.searchMembers,
      rest: {
        method: 'GET',
        path: `${ROOT}/members/search`,
        query: ['cubeId', 'dimension', 'hierarchy', 'level', 'parent', 'q', 'limit'],
      },
      implementationChoice:
        'The whole payload. Names and captions are searched, in any letter case. With `parent`, its first children are answered, without a search.',
    })
      .input(MembersSearchRequest)
      .output(MembersSearchResponse)
      .query(async ({ ctx, input, signal }) => {
        const { cubeId, parent, q, limit = DEFAULT_MATCHES, dimension, hierarchy, level: levelName } = input;
        const target = await catalogs.find(cubeId, userOf(ctx), ['cubeId']);
        const mistakes = new ProblemList();
        if (dimension === undefined || levelName === undefined) {
          const levels = levelsToSearch(target.view, input);
          return {
            members: await within(settings.timeoutMs, signal, (stop) => searchLevels(levels, input, target, stop)),
          };
        }
        const place = findPlace({ dimension, hierarchy, level: levelName }, target.view, [], mistakes);
        mistakes.throwAll();
        const level = place?.level;
        if (place === undefined || level === undefined) return { members: [] };
        const members = await within(settings.timeoutMs, signal, async (stop) => {
          const finder = new MemberFinder(target, stop);
          if (parent === undefined) return finder.search(level, q, limit);
          const [found] = await finder.find([parent], place.hierarchy, undefined);
          if (found?.kind === 'one') return finder.children(found.member.uniqueName, limit);
          if (found !== undefined) mistakes.add(['parent'], found.message, found.available);
          mistakes.throwAll();
          return [];
        });
        return { members: members.map(({ caption, uniqueName }) => ({ caption, uniqueName })) };
      }),
  };
}

function listing({ cubeId, connection, catalogName, schemaName, view }: CubeTarget): CubeListing {
  const { description } = view.annotations;
  return {
    connectionName: connection,
    catalog: catalogName,
    schema: schemaName,
    cubeName: view.name,
    cubeCaption: view.caption,
    defaultMeasure: view.defaultMeasure,
    measureCount: view.measures.filter(({ offered }) => offered).length,
    cubeId,
    ...(description === undefined ? {} : { description }),
  };
}

function levelCount({ dimensions }: ShownParts): number {
  return dimensions.flatMap(({ hierarchies }) => hierarchies.flatMap(({ levels }) => levels)).length;
}
