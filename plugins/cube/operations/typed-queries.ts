/** Prepares, runs and answers a typed query. */
import { z } from 'zod';
import { typedQueries } from '../../query-surface/index.ts';
import { CubeQueryRequest, type Format } from '../api/schemas.ts';
import type { CubeTarget } from '../catalog/cube-target.ts';
import type { Answer } from '../query/answer/make-answer.ts';
import { toResponse } from '../query/answer/response.ts';
import { type Prepared, prepare, run } from '../query/pipeline.ts';
import { type Dependencies, SURFACE } from './dependencies.ts';

interface PreparedQuery {
  readonly target: CubeTarget;
  readonly prepared: Prepared;
}

export function cubeQueries(parts: Dependencies) {
  const { catalogs, recentQueries, jobs, clock } = parts;
  return typedQueries({
    surface: SURFACE,
    jobs,
    clock,
    request: CubeQueryRequest,
    async prepare(request: CubeQueryRequest, scope, signal): Promise<PreparedQuery> {
      const target = await catalogs.find(request.cube, scope);
      return { target, prepared: await prepare(request, target, parts, { signal }) };
    },
    run: ({ target, prepared }, { scope, signal }) => run(prepared, target, parts, { user: scope.user, signal }),
    kept: (value) => StoredAnswer.parse(value),
    respond: (queryId, answer, format: Format) => toResponse(queryId, answer, format),
    remember: (queryId, request, scope) => recentQueries.remember(queryId, request, scope),
  });
}

/** The stored result of a job. The service wrote its rows, so only their presence is checked. */
const StoredAnswer = z.custom<Answer>(
  (value) => typeof value === 'object' && value !== null && 'rows' in value && Array.isArray(value.rows),
);
